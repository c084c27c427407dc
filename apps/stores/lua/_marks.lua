-- Keys: writing, leases

-- The open writes of `record`: a table token -> lease_until_ms, as text.
local function open_writes(record)
  local found = redis.call("HGET", key.writing, record)
  return found and cjson.decode(found) or {}
end

-- Stores what is left of them; a record without open writes is certain again.
local function keep_writes(record, writes)
  local earliest = nil
  for _, lease in pairs(writes) do
    if not earliest or tonumber(lease) < tonumber(earliest) then earliest = lease end
  end
  if earliest then
    redis.call("HSET", key.writing, record, cjson.encode(writes))
    redis.call("ZADD", key.leases, earliest, record)
  else
    redis.call("HDEL", key.writing, record)
    redis.call("ZREM", key.leases, record)
  end
end
