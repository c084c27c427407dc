-- delete_entries: remove entries; what was made from them stays, on ghosts.
-- Uses: _entries
--
-- ARGV[1..]  reuse names
-- Returns    how many were there

local dropped = 0
for _, name in ipairs(ARGV) do dropped = dropped + drop_entry(name) end
settle()
return dropped
