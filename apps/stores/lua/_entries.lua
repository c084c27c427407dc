-- Keys: entry:, used
-- Uses: _index

local function drop_entry(name)
  local reads = redis.call("HGET", key.entry .. name, "reads")
  if reads then unindex_reads("e|" .. name, cjson.decode(reads)) end
  redis.call("DEL", key.entry .. name)
  redis.call("ZREM", key.used, name)
end

-- Writes the entry whole, in place of an earlier one, then evicts the least recently used above `cap`.
local function put_entry(name, result, reads, producer, now_ms, cap)
  drop_entry(name)
  redis.call("HSET", key.entry .. name, "result", result, "reads", reads, "producer", producer)
  index_reads("e|" .. name, cjson.decode(reads))
  redis.call("ZADD", key.used, now_ms, name)
  local over = redis.call("ZCARD", key.used) - tonumber(cap)
  if over <= 0 then return end
  for _, oldest in ipairs(redis.call("ZRANGE", key.used, 0, over - 1)) do drop_entry(oldest) end
end
