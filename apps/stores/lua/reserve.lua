-- reserve: take slots and KV, both or neither.
-- Uses: _leases
--
-- ARGV[1]    reservation id    ARGV[2..3]  slots, kv_tokens to take    ARGV[4..5]  most slots, kv_tokens held
-- ARGV[6]    lease_until_ms    ARGV[7]  now_ms
-- Returns    1 taken (also when this id holds already; its amounts stay, its lease is not shortened) | 0 full

end_leases(ARGV[7])
if redis.call("ZSCORE", key.leases, ARGV[1]) then
  redis.call("ZADD", key.leases, "GT", ARGV[6], ARGV[1])
  return 1
end
local now_held = held()
if now_held[1] + ARGV[2] > tonumber(ARGV[4]) or now_held[2] + ARGV[3] > tonumber(ARGV[5]) then return 0 end
redis.call("HINCRBY", key.totals, "slots", ARGV[2])
redis.call("HINCRBY", key.totals, "kv_tokens", ARGV[3])
redis.call("HSET", key.amounts, ARGV[1], "[" .. ARGV[2] .. "," .. ARGV[3] .. "]")
redis.call("ZADD", key.leases, ARGV[6], ARGV[1])
return 1
