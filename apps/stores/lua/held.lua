-- held: what live reservations hold; those whose lease ran out end here.
-- Uses: _leases
--
-- ARGV[1]    now_ms
-- Returns    {slots, kv_tokens}

end_leases(ARGV[1])
return held()
