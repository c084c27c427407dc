-- promote_shadow: answer a demand from a shadow, exactly once, if it is exactly what was demanded.
-- Uses: _freshness, _entries, _fills
--
-- ARGV[1]    fill id    ARGV[2..3]  state to leave, state to enter    ARGV[4]  the reuse name demanded
-- ARGV[5]    now_ms     ARGV[6]  most entries kept; 0: the result serves this demand and is not kept
-- ARGV[7]    this call's token
-- Returns    {ok, result, branch id} | {absent} | {state} | {name} | {stale} | {uncertain};
--            anything but ok changed nothing.
-- Indexes are derived from prefixes: the read-set of the shadow is known only here.

local id = ARGV[1]
local fill = load_fill(id)
if not fill.state then return { "absent" } end
if fill.state == ARGV[3] and fill.call == ARGV[7] then return { "ok", fill.result, fill.branch } end
if fill.state ~= ARGV[2] then return { "state" } end
if fill.name ~= ARGV[4] then return { "name" } end
if tonumber(redis.call("ZSCORE", key.expiry, id)) <= tonumber(ARGV[5]) then return { "state" } end
local verdict = freshness(cjson.decode(fill.reads))
if verdict ~= "ok" then return { verdict } end
end_fill(id, fill, ARGV[3], ARGV[7])
if ARGV[6] ~= "0" then put_entry(fill.name, fill.result, fill.reads, id, ARGV[5], ARGV[6]) end
return { "ok", fill.result, fill.branch }
