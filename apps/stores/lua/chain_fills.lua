-- chain_fills: all fills of one chain.
-- Keys: chain:, fill:
--
-- ARGV[1]    chain id
-- Returns    {fill id, fields, fill id, fields, …}; empty for an unknown chain
-- Fills' keys are derived from a prefix: the chain names its fills.

local ids = redis.call("HGET", key.chain .. ARGV[1], "fills")
local found = {}
for _, fill_id in ipairs(cjson.decode(ids or "[]")) do
  table.insert(found, fill_id)
  table.insert(found, redis.call("HGETALL", key.fill .. fill_id))
end
return found
