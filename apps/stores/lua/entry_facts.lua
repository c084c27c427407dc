-- entry_facts: all that is known of an entry; no use is counted.
-- Keys: entry:, used, worth
-- Uses: _freshness
--
-- ARGV[1]    reuse name
-- Returns    {fields, when last used, worth, ok | stale | uncertain} | false

local fields = redis.call("HGETALL", key.entry .. ARGV[1])
if #fields == 0 then return false end
local node = redis.call("HMGET", key.entry .. ARGV[1], "reads", "provenances")
return { fields, redis.call("ZSCORE", key.used, ARGV[1]), redis.call("ZSCORE", key.worth, ARGV[1]),
  servable(node[1], node[2]) }
