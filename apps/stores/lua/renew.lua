-- renew: set the lease of a reservation that is still held.
-- Keys: leases
--
-- ARGV[1]    reservation id    ARGV[2]  lease_until_ms
-- Returns    1 | 0 when it is no longer held

if not redis.call("ZSCORE", key.leases, ARGV[1]) then return 0 end
redis.call("ZADD", key.leases, ARGV[2], ARGV[1])
return 1
