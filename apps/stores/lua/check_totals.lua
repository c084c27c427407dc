-- check_totals: whether the totals are the sums of what is there. Costs a few microseconds an entry, all in one step.
-- Keys: used, running, expiry, entry:, ghost:, fill:, totals
-- Uses: _check
--
-- ARGV[1..2] as in _check
-- Returns    what is wrong, in words
-- Every ghost has a child, so that all are found upwards from what is listed.

local sums, seen = { bytes = 0, ghosts = 0 }, {}
local above = {}

local function climb(provenances)
  local readable, names = pcall(function() return upstream_of(provenances and cjson.decode(provenances) or {}) end)
  for _, name in ipairs(readable and names or {}) do
    if not seen[name] then above[#above + 1] = name end
    seen[name] = true
  end
end

local function add(hash)
  local stored = redis.call("HMGET", hash, "bytes", "provenances")
  sums.bytes = sums.bytes + tonumber(stored[1] or 0)
  climb(stored[2])
  return stored[1]
end

for _, name in ipairs(redis.call("ZRANGE", key.used, 0, -1)) do add(key.entry .. name) end
for _, list in ipairs({ key.running, key.expiry }) do
  for _, id in ipairs(redis.call("ZRANGE", list, 0, -1)) do climb(redis.call("HGET", key.fill .. id, "provenances")) end
end
while #above > 0 do
  if add(key.ghost .. table.remove(above)) then sums.ghosts = sums.ghosts + 1 end
end
for field, sum in pairs(sums) do
  local said = redis.call("HGET", key.totals, field) or "0"
  if tonumber(said) ~= sum and wrong("totals say ", said, " ", field, ", and there are ", sum) then
    redis.call("HSET", key.totals, field, sum)
  end
end
return found
