-- promote_shadow: answer a demand from a shadow, exactly once, if it is exactly what was demanded; count it.
-- Keys: counts:
-- Uses: _freshness, _entries, _fills
--
-- ARGV[1]    fill id    ARGV[2..3]  state to leave, state to enter    ARGV[4]  the reuse name demanded
-- ARGV[5]    its namespace          ARGV[6]  now_ms                   ARGV[7]  this call's token
-- ARGV[8..9] most entries, most bytes kept; absent: the result serves this demand and is not kept
-- Returns    {ok, result, branch id} | {absent} | {state} | {name} | {stale} | {uncertain};
--            anything but ok changed nothing.
-- Indexes are derived from prefixes: the read-set of the shadow is known only here.

-- Whether an entry took the place of the shadow in every respect.
local function keep(id, fill, node)
  return ARGV[8] and put_entry(node, { result = fill.result, producer = id, stage = fill.kept_as,
    engine_ms = fill.engine_ms, now_ms = ARGV[6] }, tonumber(ARGV[8]), tonumber(ARGV[9]))
end

-- It has left its worker before. `replaced`: what was made from it has an entry now, and so has what it was made from.
local function leave(id, fill, node, replaced)
  enter_state(id, fill, ARGV[3], ARGV[7])
  redis.call("ZREM", key.expiry, id)
  redis.call("ZREM", key.named .. fill.name, id)
  if replaced then unlink(node) else take(node, true) end
end

local id = ARGV[1]
local fill = load_fill(id)
if not fill.state then return { "absent" } end
if fill.state == ARGV[3] and fill.call == ARGV[7] then return { "ok", fill.result, fill.branch } end
if fill.state ~= ARGV[2] then return { "state" } end
if fill.name ~= ARGV[4] then return { "name" } end
if tonumber(fill["until"]) <= tonumber(ARGV[6]) then return { "state" } end
local node = node_of(id, fill)
local verdict = servable(node.reads, fill.provenances)
if verdict ~= "ok" then return { verdict } end
-- The entry comes before the shadow goes: so the name is held throughout, and no ghost is needed.
leave(id, fill, node, keep(id, fill, node))
settle()
redis.call("HINCRBY", key.counts .. ARGV[5], "promotions", 1)
return { "ok", fill.result, fill.branch }
