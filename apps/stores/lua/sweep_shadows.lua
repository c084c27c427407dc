-- sweep_shadows: shadows past their time to live end.
-- Keys: displaced
-- Uses: _fills
--
-- ARGV[1]    now_ms    ARGV[2]  most shadows to end    ARGV[3]  state to enter    ARGV[4]  this call's token
-- Returns    ids of the fills that ended, after those that had to give way since the last sweep
-- Keys are derived from prefixes: which shadows are old is known only here.

local reported = redis.call("LRANGE", key.displaced, 0, -1)
redis.call("DEL", key.displaced)
for _, id in ipairs(redis.call("ZRANGEBYSCORE", key.expiry, "-inf", ARGV[1], "LIMIT", 0, ARGV[2])) do
  end_fill(id, load_fill(id), ARGV[3], ARGV[4])
  reported[#reported + 1] = id
end
settle()
return reported
