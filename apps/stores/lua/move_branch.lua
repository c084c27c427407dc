-- move_branch: compare-and-set on a branch's state.
-- Keys: branch:, unsettled, retired
--
-- ARGV[1]    branch id    ARGV[2..3]  state to leave, state to enter    ARGV[4]  the state that ends a branch
-- ARGV[5]    now_ms       ARGV[6]  this call's token                    ARGV[7]  choice; absent: none
-- Returns    ok | absent | state

local id = ARGV[1]
local stored = redis.call("HMGET", key.branch .. id, "state", "call")
if not stored[1] then return "absent" end
if stored[1] ~= ARGV[2] then return stored[2] == ARGV[6] and "ok" or "state" end
redis.call("HSET", key.branch .. id, "state", ARGV[3], "call", ARGV[6])
if ARGV[7] then redis.call("HSET", key.branch .. id, "choice", ARGV[7]) end
if ARGV[3] == ARGV[4] then
  redis.call("ZREM", key.unsettled, id)
  redis.call("ZADD", key.retired, ARGV[5], id)
end
return "ok"
