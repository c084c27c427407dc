-- read_history: what followed each of some contexts.
-- Keys: after:
--
-- ARGV[1..]  context ids
-- Returns    for each a list: choice, "lasting recent at_ms", choice, …; empty for a context never seen

local found = {}
for i, context in ipairs(ARGV) do found[i] = redis.call("HGETALL", key.after .. context) end
return found
