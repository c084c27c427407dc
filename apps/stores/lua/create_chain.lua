-- create_chain: store an admitted chain with its reserved fills, under an open branch.
-- Keys: branch:, chains:, chain:, fill:, reserved
--
-- ARGV[1]    branch id              ARGV[2]  state that the branch must be in
-- ARGV[3]    chain id               ARGV[4]  record, JSON
-- ARGV[5]    expires_at_ms          ARGV[6]  this call's token
-- ARGV[7]    fills, JSON [{fill_id, position, stage, request_id, state}, …]
-- Returns    ok | absent | state

local branch_state, workflow = unpack(redis.call("HMGET", key.branch .. ARGV[1], "state", "workflow"))
if not branch_state then return "absent" end
local made_by = redis.call("HGET", key.chain .. ARGV[3], "call")
if made_by then return made_by == ARGV[6] and "ok" or "state" end
if branch_state ~= ARGV[2] then return "state" end
local ids = {}
for place, fill in ipairs(cjson.decode(ARGV[7])) do
  ids[place] = fill.fill_id
  redis.call("HSET", key.fill .. fill.fill_id, "chain", ARGV[3], "branch", ARGV[1], "position", fill.position,
    "stage", fill.stage, "request_id", fill.request_id, "state", fill.state, "kept_as", workflow .. "/" .. fill.stage)
  redis.call("ZADD", key.reserved, ARGV[5], fill.fill_id)
end
-- An empty Lua table would be encoded as an object.
local fills = #ids > 0 and cjson.encode(ids) or "[]"
redis.call("HSET", key.chain .. ARGV[3], "record", ARGV[4], "fills", fills, "call", ARGV[6])
redis.call("RPUSH", key.chains .. ARGV[1], ARGV[3])
return "ok"
