-- entry_facts: all that is known of an entry; no use is counted.
-- Keys: entry:, worth
-- Uses: _freshness
--
-- ARGV[1]    reuse name
-- Returns    {fields, when last used, worth, ok | stale | uncertain} | false

local fields = redis.call("HGETALL", key.entry .. ARGV[1])
if #fields == 0 then return false end
local node = redis.call("HMGET", key.entry .. ARGV[1], "reads", "provenances", "used", "kept_at", "worth")
-- Before its first use an entry has its use and worth in their orders only.
return { fields, node[3] or node[4], node[5] or redis.call("ZSCORE", key.worth, ARGV[1]),
  servable(decode_reads(node[1]), node[2]) }
