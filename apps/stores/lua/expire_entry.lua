-- expire_entry: remove one entry if it was not used for its time to live.
-- Uses: _entries
--
-- ARGV[1]    reuse name    ARGV[2]  last use, ms, at or before which it goes
-- Returns    1 if it went

local used_ms = used_at(ARGV[1])
if not used_ms or used_ms > tonumber(ARGV[2]) then return 0 end
local dropped = drop_entry(ARGV[1])
settle()
return dropped
