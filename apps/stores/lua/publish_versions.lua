-- publish_versions: the reconciler's commit. Ends marks whose lease ran out; open writes keep theirs.
-- Uses: _marks, _cascade
--
-- ARGV[1]    now_ms                    ARGV[2]  state of a fill that a write ended
-- ARGV[3]    this call's token         ARGV[4]  most nodes to look at
-- ARGV[5..]  record, version, record, version, …
-- Returns    {entries (reuse names), shadows, running fills that ended, 1 if more is left to look at}
-- Keys of readers are derived from prefixes: who read a record is known only here.

for place = 5, #ARGV, 2 do
  local record = ARGV[place]
  publish_version(record, ARGV[place + 1])
  local writes = open_writes(record)
  for token, lease in pairs(writes) do
    if tonumber(lease) <= tonumber(ARGV[1]) then writes[token] = nil end
  end
  keep_writes(record, writes)
end
return cascade(ARGV[4], ARGV[2], ARGV[3])
