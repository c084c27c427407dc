-- check_branches: whether branches are in the list of their state, and their chains are there.
-- Keys: branch:, chains:, chain:, unsettled, retired
-- Uses: _check
--
-- ARGV[1..2] as in _check    ARGV[3]  now_ms    ARGV[4..]  branch ids
-- Returns    what is wrong, in words
-- Keys are derived from prefixes: a branch leads to its chains.

local function check_list(what, id, list, wanted)
  local has = redis.call("ZSCORE", key[list], id)
  if wanted and not has and wrong(what, " is not in ", list) then redis.call("ZADD", key[list], ARGV[3], id) end
  if has and not wanted and wrong(what, " is still in ", list) then redis.call("ZREM", key[list], id) end
end

local function check(id)
  local state, what = redis.call("HGET", key.branch .. id, "state"), "branch " .. id
  if state then
    check_list(what, id, "unsettled", state ~= S.settled)
    check_list(what, id, "retired", state == S.settled)
  elseif redis.call("EXISTS", key.chains .. id) == 1 and wrong("chains of branch ", id, ", which is not there") then
    redis.call("DEL", key.chains .. id)
  end
  for _, chain_id in ipairs(redis.call("LRANGE", key.chains .. id, 0, -1)) do
    if redis.call("EXISTS", key.chain .. chain_id) == 0 and wrong(what, " lists chain ", chain_id, ", which is not there") then
      redis.call("LREM", key.chains .. id, 0, chain_id)
    end
  end
end

for place = 4, #ARGV do check(ARGV[place]) end
return found
