-- complete_fill: a running fill becomes a shadow if all that it read or inherits is fresh, and stale otherwise.
-- Keys: displaced
-- Uses: _keeping, _fills
--
-- ARGV[1]    fill id          ARGV[2..3]  state to leave, state to enter    ARGV[4]  state if not fresh
-- ARGV[5]    result, JSON     ARGV[6]  engine_ms
-- ARGV[7]    its reads, JSON [record, version, …]    ARGV[8]  the same with what it inherits; "" if equal
-- ARGV[9]    upstream, JSON [name, …]; "" for none   ARGV[10]  expires_at_ms    ARGV[11]  this call's token
-- ARGV[12]   most shadows     ARGV[13]  state of one that has to give way
-- Returns    ok | absent | state | stale | uncertain
-- The indexes are derived from prefixes: the fill's name is known only here.

local function keep_shadow(id, fill, node, until_ms)
  local old = node_of(id, fill)
  unlink(old)
  redis.call("HDEL", key.fill .. id, "provenances")
  store_node(key.fill .. id, node)
  link(node)
  redis.call("ZADD", key.expiry, until_ms, id)
  redis.call("ZADD", key.named .. fill.name, "-" .. until_ms, id)
  release(upstream_of(old.provenances))
end

local function displace(cap, state, call)
  for _ = 1, redis.call("ZCARD", key.expiry) - tonumber(cap) do
    local first = redis.call("ZRANGE", key.expiry, 0, 0)[1]
    end_fill(first, load_fill(first), state, call)
    redis.call("RPUSH", key.displaced, first)
  end
end

local id, call = ARGV[1], ARGV[11]
local fill = load_fill(id)
if not fill.state then return "absent" end
if fill.state ~= ARGV[2] then return fill.call == call and fill.state == ARGV[3] and "ok" or "state" end
local own = cjson.decode(ARGV[7])
local all = ARGV[8] == "" and own or cjson.decode(ARGV[8])
local verdict = keepable(fill.name, all, ARGV[9])
redis.call("HSET", key.fill .. id, "result", ARGV[5], "engine_ms", ARGV[6], "until", ARGV[10])
if verdict == "ok" then
  enter_state(id, fill, ARGV[3], call)
  leave_worker(id, fill)
  keep_shadow(id, fill, made_node("f|" .. id, fill.name, own, all, ARGV[9]), ARGV[10])
  displace(ARGV[12], ARGV[13], call)
else
  end_fill(id, fill, ARGV[4], call)
end
settle()
return verdict
