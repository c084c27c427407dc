-- sweep_entries: remove entries that were not used for their time to live.
-- Uses: _entries
--
-- ARGV[1]    last use, ms, at or before which an entry goes    ARGV[2]  most entries to remove
-- Returns    how many were removed
-- Keys are derived from prefixes: which entries are old is known only here.

local MAX_PASSES = 10 -- over entries that were used since they were put in order; more wait for the next sweep

local gone_ms, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local removed = 0
for _ = 1, MAX_PASSES do
  local old = redis.call("ZRANGEBYSCORE", key.used, "-inf", gone_ms, "LIMIT", 0, limit - removed)
  for _, name in ipairs(old) do
    local used_ms = used_at(name)
    if used_ms and used_ms > gone_ms then
      redis.call("ZADD", key.used, used_ms, name)
    else
      removed = removed + drop_entry(name)
    end
  end
  if #old == 0 or removed >= limit then break end
end
settle()
return removed
