-- publish_versions: the reconciler's commit. Ends marks whose lease ran out; open writes keep theirs.
-- Uses: _marks, _cascade
--
-- ARGV[1]    now_ms                ARGV[2]  state of a shadow whose record was written
-- ARGV[3]    this call's token     ARGV[4..]  record, version, record, version, …
-- Returns    ids of the entries (reuse names) and fills that were invalidated.
-- Keys of readers are derived from prefixes: who read a record is known only here.

local ended = {}
for place = 4, #ARGV, 2 do
  local record = ARGV[place]
  publish_version(record, ARGV[place + 1], ARGV[2], ARGV[3], ended)
  local writes = open_writes(record)
  for token, lease in pairs(writes) do
    if tonumber(lease) <= tonumber(ARGV[1]) then writes[token] = nil end
  end
  keep_writes(record, writes)
end
return ended
