-- Keys: leases, amounts, totals

local function give_back(id)
  local amounts = cjson.decode(redis.call("HGET", key.amounts, id))
  redis.call("HINCRBY", key.totals, "slots", -amounts[1])
  redis.call("HINCRBY", key.totals, "kv_tokens", -amounts[2])
  redis.call("HDEL", key.amounts, id)
  redis.call("ZREM", key.leases, id)
end

local function end_leases(now_ms)
  for _, id in ipairs(redis.call("ZRANGEBYSCORE", key.leases, "-inf", now_ms)) do give_back(id) end
end

local function held()
  local totals = redis.call("HMGET", key.totals, "slots", "kv_tokens")
  return { tonumber(totals[1] or 0), tonumber(totals[2] or 0) }
end
