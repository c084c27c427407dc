-- record_entry: confirm a canonical result, if every record that it read or inherits is fresh.
-- Uses: _keeping, _entries
--
-- ARGV[1]    reuse name       ARGV[2]  result, JSON
-- ARGV[3]    its reads, JSON [record, version, …]    ARGV[4]  the same with what it inherits; "" if equal
-- ARGV[5]    upstream, JSON [name, …]; "" for none   ARGV[6]  producer    ARGV[7]  stage
-- ARGV[8]    engine_ms        ARGV[9]  now_ms        ARGV[10..11]  most entries, most bytes kept
-- Returns    ok | stale | uncertain
-- Keys of evicted entries are derived from prefixes: which is of least worth is known only here.

local name, own = ARGV[1], cjson.decode(ARGV[3])
local all = ARGV[4] == "" and own or cjson.decode(ARGV[4])
local verdict = keepable(name, all, ARGV[5])
if verdict ~= "ok" then return verdict end
local made = { result = ARGV[2], producer = ARGV[6], stage = ARGV[7], engine_ms = ARGV[8], now_ms = ARGV[9] }
put_entry(made_node("e|" .. name, name, own, all, ARGV[5]), made, tonumber(ARGV[10]), tonumber(ARGV[11]))
settle()
return "ok"
