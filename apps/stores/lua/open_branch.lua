-- open_branch: store a branch once.
-- Keys: branch:, unsettled
--
-- ARGV[1]    branch id    ARGV[2]  record, JSON    ARGV[3]  its state    ARGV[4]  opened_at_ms
-- ARGV[5]    this call's token    ARGV[6]  its workflow and version, with which the stages of its results begin
-- Returns    ok | state

local stored = redis.call("HMGET", key.branch .. ARGV[1], "state", "call")
if stored[1] then return stored[2] == ARGV[5] and "ok" or "state" end
redis.call("HSET", key.branch .. ARGV[1], "record", ARGV[2], "state", ARGV[3], "call", ARGV[5],
  "workflow", ARGV[6])
redis.call("ZADD", key.unsettled, ARGV[4], ARGV[1])
return "ok"
