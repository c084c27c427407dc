-- Keys: versions, unknown
-- Uses: _graph, _entries, _fills

local POPPED = 512 -- most members of a set of work that are popped, not scanned

local ended -- { entries = {name, …}, shadows = {fill id, …}, running = {fill id, …} } of this step

-- Publishes a committed version, never lowering one. Readers of one that changed are set aside, in O(1).
local function publish_version(record, version)
  local current = redis.call("HGET", key.versions, record)
  if current and tonumber(current) >= tonumber(version) then return end
  redis.call("HSET", key.versions, record, version)
  redis.call("ZREM", key.unknown, record)
  if redis.call("EXISTS", key.readers .. record) == 0 then return end
  -- Numbered: the record may be written again before this is looked through.
  local work = string.format("r%d|%s", redis.call("HINCRBY", key.totals, "writes", 1), record)
  redis.call("RENAME", key.readers .. record, key.work .. work)
  redis.call("RPUSH", key.cascading, work)
end

-- The node of a member, with the hash that holds it; nil when it has ended on another way.
local function node_at(member)
  local kind, id = string.sub(member, 1, 1), string.sub(member, 3)
  if kind ~= "f" then
    local hash = (kind == "e" and key.entry or key.ghost) .. id
    local node = kept_node(member, hash)
    if node then node.hash = hash end
    return node
  end
  if not (redis.call("ZSCORE", key.expiry, id) or redis.call("ZSCORE", key.running, id)) then return nil end
  local fill = load_fill(id)
  local node = node_of(id, fill)
  node.fill_id, node.fill, node.hash = id, fill, key.fill .. id
  return node
end

-- Notes a node that a write ends, and takes it out of the lists of fills; its hash, if that has to go too.
local function note_end(node, hash, stale, call)
  if node.fill then
    node.holds = leave_lists(node.fill_id, node.fill, stale, call)
    table.insert(node.holds and ended.shadows or ended.running, node.fill_id)
    return nil
  end
  node.holds = true
  book.bytes = book.bytes - node.bytes
  if string.sub(node.member, 1, 1) == "g" then
    book.ghosts = book.ghosts - 1
  else
    ended.entries[#ended.entries + 1] = node.name
  end
  return hash
end

-- Whether something was made from one of the nodes. Most often nothing was, and one command says so for all.
local function any_child(nodes)
  local children = {}
  for place, node in ipairs(nodes) do children[place] = key.children .. node.name end
  return #children > 0 and redis.call("EXISTS", unpack(children)) > 0
end

-- Ends nodes, all of them at once: which of their names nothing holds any more is asked when all of them are gone.
-- `written`: the record whose readers they were, if that ends them.
local function end_nodes(nodes, written, stale, call)
  local gone = {}
  for _, node in ipairs(nodes) do gone[#gone + 1] = note_end(node, node.hash, stale, call) end
  if #gone > 0 then redis.call("DEL", unpack(gone)) end
  local parents = any_child(nodes)
  for _, node in ipairs(nodes) do
    unlink(node, written)
    if parents and node.holds and redis.call("EXISTS", key.children .. node.name) == 1 and not held(node.name) then
      lose(node.name)
    end
  end
  for _, node in ipairs(nodes) do
    if #node.provenances > 0 then release(upstream_of(node.provenances)) end
  end
end

-- The node lives on `left`, which is not empty.
local function lose_provenances(node, hash, left)
  local names, freed = upstream_of(node.provenances), {}
  local _, stay = upstream_of(left)
  for _, name in ipairs(names) do
    if not stay[name] then
      redis.call("SREM", key.children .. name, node.member)
      freed[#freed + 1] = name
    end
  end
  redis.call("HSET", hash, "provenances", cjson.encode(left))
  if node.bytes then
    local before = node_bytes(node, 0)
    node.provenances = left
    local less = before - node_bytes(node, 0)
    redis.call("HINCRBY", hash, "bytes", -less)
    book.bytes = book.bytes - less
  end
  release(freed)
end

local function without(provenances, lost)
  local left = {}
  for _, provenance in ipairs(provenances) do
    local _, names = upstream_of({ provenance })
    if not names[lost] then left[#left + 1] = provenance end
  end
  return left
end

-- Whether the node read the record in another version. It may have been recorded anew meanwhile.
local function read_another(node, record, version)
  for place = 1, #node.reads, 2 do
    if node.reads[place] == record and node.reads[place + 1] ~= version then return true end
  end
  return false
end

-- The record of the members was written: those end that read it in another version.
local function end_for_write(members, record, stale, call)
  local version, nodes = redis.call("HGET", key.versions, record), {}
  for _, member in ipairs(members) do
    local node = node_at(member)
    if node and read_another(node, record, version) then nodes[#nodes + 1] = node end
  end
  end_nodes(nodes, record, stale, call)
end

-- A name upstream of the members was lost: those end that were made from it on every way.
local function end_for_loss(members, name, stale, call)
  local nodes, survivors = {}, {}
  for _, member in ipairs(members) do
    local node = node_at(member)
    local left = node and #without(node.provenances, name)
    if left == 0 and #node.provenances > 0 then
      nodes[#nodes + 1] = node
    elseif left and left < #node.provenances then
      survivors[#survivors + 1] = member
    end
  end
  end_nodes(nodes, nil, stale, call)
  -- Read again: a ghost among them may have gone with its last child.
  for _, member in ipairs(survivors) do
    local node = node_at(member)
    if node then lose_provenances(node, node.hash, without(node.provenances, name)) end
  end
end

-- The next members of a set of work, and whether they were the last. To pop one of a great many takes six times as long
-- as to read it, and sets of readers are never added to: so a scan, which may give a few more than `limit`, meets each.
local function next_members(work, kind, limit)
  local set = key.work .. work
  if kind == "n" or redis.call("SCARD", set) <= POPPED then
    local members = redis.call("SPOP", set, limit)
    return members, #members < limit or redis.call("EXISTS", set) == 0
  end
  local cursor, of = string.match(redis.call("HGET", key.totals, "cursor") or "", "^(%d+) (.*)$")
  local next_cursor, members = unpack(redis.call("SSCAN", set, of == work and cursor or "0", "COUNT", limit))
  local last = next_cursor == "0"
  if last then
    redis.call("UNLINK", set)
    redis.call("HDEL", key.totals, "cursor")
  else
    redis.call("HSET", key.totals, "cursor", next_cursor .. " " .. work)
  end
  return members, last
end

-- Looks at about `limit` nodes of the open cascades. Returns {entries, shadows, running, 1 if more are left}.
local function cascade(limit, stale, call)
  ended = { entries = {}, shadows = {}, running = {} }
  local left = tonumber(limit)
  while left > 0 do
    local work = redis.call("LINDEX", key.cascading, 0)
    if not work then break end
    local kind, cause = string.match(work, "^(%a)%d*|(.*)$")
    local members, last = next_members(work, kind, math.min(left, BATCH))
    if last then redis.call("LPOP", key.cascading) end
    left = left - math.max(#members, 1)
    if kind == "r" then end_for_write(members, cause, stale, call) else end_for_loss(members, cause, stale, call) end
  end
  for first = 1, #ended.entries, BATCH do
    out_of_orders(unpack(ended.entries, first, math.min(first + BATCH - 1, #ended.entries)))
  end
  settle()
  return { ended.entries, ended.shadows, ended.running, redis.call("EXISTS", key.cascading) }
end
