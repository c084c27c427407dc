-- sweep_shadows: shadows past their time to live end.
-- Uses: _fills
--
-- ARGV[1]    now_ms    ARGV[2]  most shadows to end    ARGV[3]  state to enter    ARGV[4]  this call's token
-- Returns    ids of the fills that ended
-- Keys are derived from prefixes: which shadows are old is known only here.

local old = redis.call("ZRANGEBYSCORE", key.expiry, "-inf", ARGV[1], "LIMIT", 0, ARGV[2])
for _, id in ipairs(old) do end_fill(id, load_fill(id), ARGV[3], ARGV[4]) end
return old
