-- orphans: reserved fills that nobody took in time, and running fills whose owner is dead.
-- Keys: reserved, owners, owned:
--
-- ARGV[1]    now_ms    ARGV[2]  most fills to return
-- Returns    fill ids. A dead owner without fills is forgotten.
-- Owners' sets are derived from a prefix: who is dead is known only here.

local limit = tonumber(ARGV[2])
local found = redis.call("ZRANGEBYSCORE", key.reserved, "-inf", ARGV[1], "LIMIT", 0, ARGV[2])
for _, owner in ipairs(redis.call("ZRANGEBYSCORE", key.owners, "-inf", ARGV[1])) do
  if #found >= limit then break end
  local fills = redis.call("SMEMBERS", key.owned .. owner)
  if #fills == 0 then redis.call("ZREM", key.owners, owner) end
  for _, id in ipairs(fills) do
    if #found >= limit then break end
    table.insert(found, id)
  end
end
return found
