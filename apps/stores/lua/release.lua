-- release: give a reservation back.
-- Uses: _leases
--
-- ARGV[1]    reservation id
-- Returns    1 | 0 when it is no longer held

if not redis.call("ZSCORE", key.leases, ARGV[1]) then return 0 end
give_back(ARGV[1])
return 1
