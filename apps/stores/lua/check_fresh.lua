-- check_fresh: whether a read-set is fresh.
-- Uses: _freshness
--
-- ARGV[1]    reads, JSON [record, version, record, version, …]
-- Returns    ok | stale | uncertain

return freshness(cjson.decode(ARGV[1]), true)
