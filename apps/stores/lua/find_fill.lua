-- find_fill: the best fill under exactly this name: the shadow that lives longest, else a running one.
-- Keys: fill:, named:
--
-- ARGV[1]    reuse name    ARGV[2]  now_ms
-- Returns    {fill id, its fields} | false. Costs O(log n) in the fills of this one name: shadows are scored by
--            minus their expiry, so when the first has expired, all have.
-- The fill's key is derived from a prefix: its id is what is looked for.

local best = redis.call("ZRANGEBYSCORE", key.named .. ARGV[1], "-inf", "(-" .. ARGV[2], "LIMIT", 0, 1)[1]
  or redis.call("ZRANGEBYSCORE", key.named .. ARGV[1], 1, 1, "LIMIT", 0, 1)[1]
if not best then return false end
return { best, redis.call("HGETALL", key.fill .. best) }
