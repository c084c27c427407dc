-- sweep_branches: forget branches that settled long ago, with their chains and fills.
-- Keys: branch:, chains:, chain:, fill:, retired, reserved, running, expiry
--
-- ARGV[1]    time of settling, ms, at or before which a branch goes    ARGV[2]  most branches to look at
-- ARGV[3]    now_ms
-- Returns    how many branches were removed
-- A branch with a fill that has not ended is looked at again later: its shadow may still be promoted.
-- Keys are derived from prefixes: a branch leads to its chains, a chain to its fills.

local function lives(fill_id)
  return redis.call("ZSCORE", key.reserved, fill_id) or redis.call("ZSCORE", key.running, fill_id)
    or redis.call("ZSCORE", key.expiry, fill_id)
end

local function family(branch_id)
  local gone = { key.branch .. branch_id, key.chains .. branch_id }
  for _, chain_id in ipairs(redis.call("LRANGE", key.chains .. branch_id, 0, -1)) do
    table.insert(gone, key.chain .. chain_id)
    for _, fill_id in ipairs(cjson.decode(redis.call("HGET", key.chain .. chain_id, "fills"))) do
      if lives(fill_id) then return nil end
      table.insert(gone, key.fill .. fill_id)
    end
  end
  return gone
end

local removed = 0
for _, branch_id in ipairs(redis.call("ZRANGEBYSCORE", key.retired, "-inf", ARGV[1], "LIMIT", 0, ARGV[2])) do
  local gone = family(branch_id)
  if gone then
    for _, name in ipairs(gone) do redis.call("DEL", name) end
    redis.call("ZREM", key.retired, branch_id)
    removed = removed + 1
  else
    redis.call("ZADD", key.retired, ARGV[3], branch_id)
  end
end
return removed
