-- Keys: entry:, used, worth, names, totals
-- Uses: _graph, _worth
-- Constants: MAX_PROVENANCES, MAX_EVICTED

local function out_of_orders(...)
  for _, order in ipairs({ key.used, key.worth, key.names }) do redis.call("ZREM", order, ...) end
end

-- An entry goes by any way but a write; 1 if it was there.
local function drop_entry(name)
  local node = kept_node("e|" .. name, key.entry .. name)
  if not node then return 0 end
  redis.call("DEL", key.entry .. name)
  out_of_orders(name)
  book.bytes = book.bytes - node.bytes
  take(node, true)
  return 1
end

-- The provenances of an entry recorded again; those of one that was not whole are not believed.
local function joined(old, provenances)
  if old.partial or #provenances == 0 then return provenances end
  if #old.provenances == 0 then return {} end
  local new, all = table.concat(provenances[1], "\n"), {}
  for _, provenance in ipairs(old.provenances) do
    if table.concat(provenance, "\n") ~= new then all[#all + 1] = provenance end
  end
  all[#all + 1] = provenances[1]
  while #all > MAX_PROVENANCES do table.remove(all, 1) end
  return all
end

-- Least worth first, until all is within bounds, or so many have gone that the next entry may go on with it.
local function make_room(cap, cap_bytes)
  local entries, bytes = redis.call("ZCARD", key.used), tonumber(redis.call("HGET", key.totals, "bytes"))
  for _ = 1, MAX_EVICTED do
    if entries == 0 or entries <= cap and bytes + book.bytes <= cap_bytes then return end
    local least = redis.call("ZRANGE", key.worth, 0, 0, "WITHSCORES")
    redis.call("HSET", key.totals, "clock", least[2])
    entries = entries - drop_entry(least[1])
  end
end

-- Confirms `node` as the entry of its name, joined with an earlier one, and makes room.
-- `made`: result, producer, stage, engine_ms, now_ms.
local function put_entry(node, made, cap, cap_bytes)
  local hash = key.entry .. node.name
  local old, uses = kept_node("e|" .. node.name, hash), 0
  node.member = "e|" .. node.name
  if old then node.provenances = joined(old, node.provenances) end
  local bytes = node_bytes(node, #made.result)
  if bytes > cap_bytes then
    drop_entry(node.name)
    return settle()
  end
  if old then
    uses = tonumber(redis.call("HGET", hash, "uses") or 0)
    redis.call("DEL", hash)
    unlink(old)
    book.bytes = book.bytes - old.bytes
  end
  redis.call("HSET", hash, "result", made.result, "producer", made.producer, "stage", made.stage,
    "kept_at", made.now_ms, "engine_ms", made.engine_ms, "bytes", bytes, "uses", uses)
  store_node(hash, node)
  link(node)
  redis.call("ZADD", key.used, made.now_ms, node.name)
  redis.call("ZADD", key.names, 0, node.name)
  redis.call("ZADD", key.worth, worth_of(redis.call("HGET", key.totals, "clock"), uses, made.engine_ms, bytes), node.name)
  book.bytes = book.bytes + bytes
  if old then release(upstream_of(old.provenances)) end
  settle()
  make_room(cap, cap_bytes)
  settle()
end
