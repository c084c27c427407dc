-- Keys: versions, unknown
-- Uses: _graph, _entries, _fills

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

-- The node of a member, and the hash that holds it; nil when it has ended on another way.
local function node_at(member)
  local kind, id = string.sub(member, 1, 1), string.sub(member, 3)
  if kind == "e" then return kept_node(member, key.entry .. id), key.entry .. id end
  if kind == "g" then return kept_node(member, key.ghost .. id), key.ghost .. id end
  if not (redis.call("ZSCORE", key.expiry, id) or redis.call("ZSCORE", key.running, id)) then return nil end
  local fill = load_fill(id)
  local node = node_of(id, fill)
  node.fill_id, node.fill = id, fill
  return node, key.fill .. id
end

-- Takes away what is stored of a node that a write ended; whether it held a result.
local function forget(node, hash, stale, call)
  if node.fill then
    local was_shadow = leave_lists(node.fill_id, node.fill, stale, call)
    table.insert(was_shadow and ended.shadows or ended.running, node.fill_id)
    return was_shadow
  end
  redis.call("DEL", hash)
  book.bytes = book.bytes - node.bytes
  if string.sub(node.member, 1, 1) == "g" then
    book.ghosts = book.ghosts - 1
  else
    ended.entries[#ended.entries + 1] = node.name
  end
  return true
end

local function end_node(node, hash, written, stale, call)
  local held_a_result = forget(node, hash, stale, call)
  unlink(node, written)
  if held_a_result and redis.call("EXISTS", key.children .. node.name) == 1 and not held(node.name) then
    lose(node.name)
  end
  if #node.provenances > 0 then release(upstream_of(node.provenances)) end
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

-- A node whose record `cause` was written; a version means that. Or whose upstream name `cause` was lost.
local function look_at(member, cause, version, stale, call)
  local node, hash = node_at(member)
  if not node then return end
  if version then
    for place = 1, #node.reads, 2 do
      -- It may have been recorded anew meanwhile, from what is published.
      if node.reads[place] == cause and node.reads[place + 1] ~= version then
        return end_node(node, hash, cause, stale, call)
      end
    end
    return
  end
  local left = without(node.provenances, cause)
  if #left == #node.provenances then return end
  if #left == 0 then end_node(node, hash, nil, stale, call) else lose_provenances(node, hash, left) end
end

-- Looks at no more than `limit` nodes of the open cascades. Returns {entries, shadows, running, 1 if more are left}.
local function cascade(limit, stale, call)
  ended = { entries = {}, shadows = {}, running = {} }
  local left = tonumber(limit)
  while left > 0 do
    local work = redis.call("LINDEX", key.cascading, 0)
    if not work then break end
    local members = redis.call("SPOP", key.work .. work, left)
    if #members < left or redis.call("EXISTS", key.work .. work) == 0 then redis.call("LPOP", key.cascading) end
    left = left - #members
    local kind, cause = string.match(work, "^(%a)%d*|(.*)$")
    local version = kind == "r" and redis.call("HGET", key.versions, cause)
    for _, member in ipairs(members) do look_at(member, cause, version, stale, call) end
  end
  for first = 1, #ended.entries, BATCH do
    out_of_orders(unpack(ended.entries, first, math.min(first + BATCH - 1, #ended.entries)))
  end
  settle()
  return { ended.entries, ended.shadows, ended.running, redis.call("EXISTS", key.cascading) }
end
