-- check_fills: whether fills are in exactly the lists and indexes that their state asks for, and in their chain.
-- Keys: chain:
-- Uses: _check, _fills
--
-- ARGV[1..2] as in _check    ARGV[3]  this call's token    ARGV[4..]  fill ids
-- Returns    what is wrong, in words
-- Keys are derived from prefixes: whom a fill touches is known only here.

local LISTS = { "reserved", "running", "expiry", "named", "owned" }
local WANTED = {
  [S.reserved] = { reserved = true },
  [S.running] = { running = true, named = true, owned = true },
  [S.shadow] = { expiry = true, named = true },
}

local function places(id, fill)
  return {
    reserved = redis.call("ZSCORE", key.reserved, id),
    running = redis.call("ZSCORE", key.running, id),
    expiry = redis.call("ZSCORE", key.expiry, id),
    named = fill.name and redis.call("ZSCORE", key.named .. fill.name, id),
    owned = fill.owner and redis.call("SISMEMBER", key.owned .. fill.owner, id) == 1,
  }
end

local function check_lists(what, id, fill)
  local has, wanted = places(id, fill), WANTED[fill.state] or {}
  for _, list in ipairs(LISTS) do
    if wanted[list] and not has[list] then wrong(what, " is ", fill.state, " and not in ", list) end
    if has[list] and not wanted[list] then wrong(what, " is ", fill.state, " and still in ", list) end
  end
  if fill.state == S.running and has.named and has.named ~= "1" then wrong(what, " is named as a shadow") end
  if fill.state == S.shadow and has.named and has.expiry and tonumber(has.named) ~= -tonumber(has.expiry) then
    wrong(what, " is named with another expiry than it has")
  end
end

-- Ends a fill of which something is wrong: by a state that it may enter, and out of every list and index.
local function remove(id, fill)
  local lives = WANTED[fill.state]
  leave_lists(id, fill, not lives and fill.state or fill.state == S.shadow and S.stale or S.failed, ARGV[3])
  redis.call("ZREM", key.reserved, id)
  if not fill.name then return end
  local readable, node = pcall(node_of, id, fill)
  if readable and lives then condemn(node) end
end

local function check(id)
  local what, fill, count = "fill " .. id, load_fill(id), #found
  if not fill.state then return end
  check_lists(what, id, fill)
  if WANTED[fill.state] and fill.name then
    local readable, node = pcall(node_of, id, fill)
    if readable then misplaced(what, node) else wrong(what, " has reads or provenances that cannot be read") end
  end
  if fill.state == S.shadow and not fill.result then wrong(what, " is a shadow without a result") end
  if #found > count and mends then remove(id, fill) end
  local chain = redis.call("HGET", key.fill .. id, "chain")
  local fills = chain and redis.call("HGET", key.chain .. chain, "fills") or ""
  if not string.find(fills, '"' .. id .. '"', 1, true) and wrong(what, " is in no chain") then
    remove(id, load_fill(id))
    redis.call("DEL", key.fill .. id)
  end
end

for place = 4, #ARGV do check(ARGV[place]) end
settle()
return found
