-- check_chains: whether chains are in their branch, and their fills are there.
-- Keys: branch:, chains:, chain:, fill:
-- Uses: _check
--
-- ARGV[1..2] as in _check    ARGV[3..]  chain ids
-- Returns    what is wrong, in words
-- Keys are derived from prefixes: a chain leads to its branch and its fills.

local function check_fills_of(what, id, fills)
  local left = {}
  for _, fill_id in ipairs(fills) do
    if redis.call("HGET", key.fill .. fill_id, "chain") == id then
      left[#left + 1] = fill_id
    else
      wrong(what, " lists fill ", fill_id, ", which is not there")
    end
  end
  if mends and #left < #fills then
    -- An empty Lua table would be encoded as an object.
    redis.call("HSET", key.chain .. id, "fills", #left > 0 and cjson.encode(left) or "[]")
  end
end

local function check(id)
  local stored, what = redis.call("HMGET", key.chain .. id, "record", "fills"), "chain " .. id
  if not stored[1] and not stored[2] then return end
  local readable, record, fills = pcall(function() return cjson.decode(stored[1]), cjson.decode(stored[2]) end)
  local branch = readable and record.branch_id
  if not branch or redis.call("EXISTS", key.branch .. branch) == 0 then
    if wrong(what, " has no branch") then redis.call("DEL", key.chain .. id) end
    return
  end
  if not redis.call("LPOS", key.chains .. branch, id) and wrong(what, " is not in its branch") then
    redis.call("RPUSH", key.chains .. branch, id)
  end
  check_fills_of(what, id, fills)
end

for place = 3, #ARGV do check(ARGV[place]) end
return found
