-- record_entry: confirm a canonical result, if every record that it read is fresh.
-- Uses: _freshness, _entries
--
-- ARGV[1]    reuse name    ARGV[2]  result, JSON    ARGV[3]  reads, JSON {record: version}
-- ARGV[4]    producer      ARGV[5]  now_ms          ARGV[6]  most entries kept
-- Returns    ok | stale | uncertain
-- Keys of evicted entries are derived from prefixes: which is the oldest is known only here.

local verdict = freshness(cjson.decode(ARGV[3]))
if verdict == "ok" then put_entry(ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]) end
return verdict
