-- check_members: whether what an index or a list holds is there, and belongs there.
-- Keys: named:, owned:, owners, used, worth, names, reserved, running, expiry
-- Keys: branch:, unsettled, retired, leases, writing, unknown, versions
-- Uses: _check, _cascade
--
-- ARGV[1..2] as in _check    ARGV[3]  name of the key in `keys.py`    ARGV[4]  the id that follows it, or ""
-- ARGV[5..]  members
-- Returns    what is wrong, in words
-- Keys are derived from prefixes: what a member is is known only here.

-- Whether the node is there and `has` what its index says. One that cannot be read is another script's to find.
local function is_node(has)
  return function(member, id)
    local readable, node = pcall(node_at, member)
    return not readable or node and has(node, id)
  end
end

local function reads(node, record)
  for place = 1, #node.reads, 2 do
    if node.reads[place] == record then return true end
  end
  return false
end

local function names(node, name)
  local _, above = upstream_of(node.provenances)
  return above[name]
end

local function is_entry(name) return redis.call("EXISTS", key.entry .. name) == 1 end

local function fill_in(state)
  return function(id) return redis.call("HGET", key.fill .. id, "state") == state end
end

local function is_named(id, name)
  local fill = load_fill(id)
  return fill.name == name and (fill.state == S.running or fill.state == S.shadow)
end

local function is_owned(id, owner)
  local fill = load_fill(id)
  return fill.owner == owner and fill.state == S.running
end

local function is_unsettled(id)
  local state = redis.call("HGET", key.branch .. id, "state")
  return state and state ~= S.settled
end

local BELONGS = {
  ["readers:"] = is_node(reads),
  ["children:"] = is_node(names),
  ["named:"] = is_named,
  ["owned:"] = is_owned,
  used = is_entry,
  worth = is_entry,
  names = is_entry,
  reserved = fill_in(S.reserved),
  running = fill_in(S.running),
  expiry = fill_in(S.shadow),
  unsettled = is_unsettled,
  retired = function(id) return redis.call("HGET", key.branch .. id, "state") == S.settled end,
  leases = function(record) return redis.call("HEXISTS", key.writing, record) == 1 end,
  unknown = function(record) return redis.call("HEXISTS", key.versions, record) == 0 end,
}

local index, id = ARGV[3], ARGV[4]
local whole = key[string.match(index, "^%a+")] .. id

local function check(set, member)
  local there = set and redis.call("SISMEMBER", whole, member) == 1 or not set and redis.call("ZSCORE", whole, member)
  if not there or BELONGS[index](member, id) then return end
  if wrong(index, id, " has ", member, ", which does not belong there") then
    redis.call(set and "SREM" or "ZREM", whole, member)
  end
end

local set = redis.call("TYPE", whole).ok == "set"
for place = 5, #ARGV do check(set, ARGV[place]) end
if index == "owned:" and redis.call("EXISTS", whole) == 1 and not redis.call("ZSCORE", key.owners, id) then
  -- Dead at once, so that the reaper ends what it ran.
  if wrong("owner ", id, " runs fills and has no heartbeat") then redis.call("ZADD", key.owners, 0, id) end
end
return found
