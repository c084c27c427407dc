-- start_fill: a worker takes a reserved fill; from now on its name finds it, and so does a cascade.
-- Keys: owners
-- Uses: _fills
--
-- ARGV[1]    fill id       ARGV[2..3]  state to leave, state to enter    ARGV[4]  reuse name
-- ARGV[5]    owner         ARGV[6]  now_ms    ARGV[7]  the owner is alive at least until, ms
-- ARGV[8]    this call's token                ARGV[9]  upstream, JSON [name, …]; "" for none
-- Returns    ok | absent | state

local id = ARGV[1]
local fill = load_fill(id)
if not fill.state then return "absent" end
if fill.state ~= ARGV[2] then return fill.call == ARGV[8] and "ok" or "state" end
enter_state(id, fill, ARGV[3], ARGV[8])
redis.call("HSET", key.fill .. id, "name", ARGV[4], "owner", ARGV[5])
local node = { member = "f|" .. id, name = ARGV[4], reads = {}, provenances = provenances_of(ARGV[4], ARGV[9]) }
store_node(key.fill .. id, node)
link(node)
redis.call("ZREM", key.reserved, id)
redis.call("ZADD", key.running, ARGV[6], id)
redis.call("ZADD", key.named .. ARGV[4], 1, id)
redis.call("SADD", key.owned .. ARGV[5], id)
redis.call("ZADD", key.owners, "GT", ARGV[7], ARGV[5])
return "ok"
