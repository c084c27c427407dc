-- complete_fill: a running fill becomes a shadow if every record that it read is fresh, and stale otherwise.
-- Uses: _freshness, _fills
--
-- ARGV[1]    fill id          ARGV[2..3]  state to leave, state to enter    ARGV[4]  state if not fresh
-- ARGV[5]    result, JSON     ARGV[6]  reads, JSON {record: version}        ARGV[7]  expires_at_ms
-- ARGV[8]    this call's token
-- Returns    ok | absent | state | stale | uncertain
-- The name index and the readers are derived from prefixes: the fill's name is known only here.

local id = ARGV[1]
local fill = load_fill(id)
if not fill.state then return "absent" end
if fill.state ~= ARGV[2] then return fill.call == ARGV[8] and fill.state == ARGV[3] and "ok" or "state" end
local reads = cjson.decode(ARGV[6])
local verdict = freshness(reads)
redis.call("HSET", key.fill .. id, "result", ARGV[5], "reads", ARGV[6])
if verdict ~= "ok" then
  end_fill(id, fill, ARGV[4], ARGV[8])
  return verdict
end
enter_state(id, fill, ARGV[3], ARGV[8])
leave_worker(id, fill)
index_reads("f|" .. id, reads)
redis.call("ZADD", key.expiry, ARGV[7], id)
redis.call("ZADD", key.named .. fill.name, "-" .. ARGV[7], id)
return "ok"
