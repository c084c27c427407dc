-- sweep_entries: remove entries that were not used for their time to live.
-- Uses: _entries
--
-- ARGV[1]    last use, ms, at or before which an entry goes    ARGV[2]  most entries to remove
-- Returns    how many were removed
-- Keys are derived from prefixes: which entries are old is known only here.

local old = redis.call("ZRANGEBYSCORE", key.used, "-inf", ARGV[1], "LIMIT", 0, ARGV[2])
for _, name in ipairs(old) do drop_entry(name) end
settle()
return #old
