-- begin_write: mark records as being written, so that whatever read one is a miss until the write ends.
-- Uses: _marks
--
-- ARGV[1]    token of the write    ARGV[2]  lease_until_ms    ARGV[3..]  records
-- A repeat with the same token sets the lease anew.

for place = 3, #ARGV do
  local writes = open_writes(ARGV[place])
  writes[ARGV[1]] = ARGV[2]
  keep_writes(ARGV[place], writes)
end
return "ok"
