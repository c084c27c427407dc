-- Keys: readers:, children:, cascading, work:, entry:, ghost:, named:, totals
-- Uses: _freshness
-- State: book = { bytes = 0, ghosts = 0 }
-- Constants: ENTRY_BYTES, NAME_COPIES, MEMBER_BYTES
--
-- A node as a table: member (e|<name>, g|<name>, f|<fill id>), name, reads {record, version, …}, provenances
-- {{name, …}, …} (none for a root), partial ("1": a name upstream was not held), bytes (of an entry or ghost).
-- Keys are derived from prefixes: whom a node touches is known only once it is read.

-- `book`: changes of the totals, written by `settle`, with which a script that changes nodes ends.

local function settle()
  for field, by in pairs(book) do
    if by ~= 0 then redis.call("HINCRBY", key.totals, field, by) end
    book[field] = 0
  end
end

-- entry_bytes of serving/library/eviction.py.
local function node_bytes(node, result_chars)
  local bytes = ENTRY_BYTES + NAME_COPIES * #node.name + result_chars
  for place = 1, #node.reads, 2 do bytes = bytes + 2 * #node.reads[place] + #node.name + MEMBER_BYTES end
  for _, provenance in ipairs(node.provenances) do
    for _, name in ipairs(provenance) do bytes = bytes + 2 * #name + #node.name + MEMBER_BYTES end
  end
  return bytes
end

-- The node as a table, from its stored fields.
local function as_node(member, name, reads, provenances, partial, bytes)
  return { member = member, name = name, reads = decode_reads(reads), partial = partial, bytes = tonumber(bytes),
    provenances = provenances and cjson.decode(provenances) or {} }
end

-- An entry or ghost by its member; nil when there is none.
local function kept_node(member, hash)
  local stored = redis.call("HMGET", hash, "reads", "provenances", "partial", "bytes")
  return stored[4] and as_node(member, string.sub(member, 3), unpack(stored, 1, 4)) or nil
end

-- The fields and values given, and those that a node has; what is trivial has no field.
local function with_fields(node, ...)
  local fields = { ... }
  local function add(field, value)
    fields[#fields + 1] = field
    fields[#fields + 1] = value
  end
  if #node.reads > 0 then add("reads", cjson.encode(node.reads)) end
  if #node.provenances > 0 then add("provenances", cjson.encode(node.provenances)) end
  if node.partial then add("partial", "1") end
  return fields
end

local function store_node(hash, node)
  local fields = with_fields(node)
  if #fields > 0 then redis.call("HSET", hash, unpack(fields)) end
end

-- Every name in the provenances, once.
local function upstream_of(provenances)
  local seen, names = {}, {}
  for _, provenance in ipairs(provenances) do
    for _, name in ipairs(provenance) do
      if not seen[name] then names[#names + 1] = name end
      seen[name] = true
    end
  end
  return names, seen
end

local function link(node)
  for place = 1, #node.reads, 2 do redis.call("SADD", key.readers .. node.reads[place], node.member) end
  for _, name in ipairs(upstream_of(node.provenances)) do redis.call("SADD", key.children .. name, node.member) end
end

-- `written`: a record whose readers are set aside already.
local function unlink(node, written)
  for place = 1, #node.reads, 2 do
    local record = node.reads[place]
    if record ~= written then redis.call("SREM", key.readers .. record, node.member) end
  end
  for _, name in ipairs(upstream_of(node.provenances)) do redis.call("SREM", key.children .. name, node.member) end
end

-- Whether an entry, a ghost or a shadow of the name is there (shadows are scored below 0 among its fills).
local function held(name)
  return redis.call("EXISTS", key.entry .. name, key.ghost .. name) > 0
    or redis.call("ZCOUNT", key.named .. name, "-inf", "(0") > 0
end

-- What a result names upstream, as its provenances; the second value is "1" when one of them is not held.
-- `upstream`: JSON [name, …], sorted, each once; "" for none.
local function provenances_of(name, upstream)
  local provenance, partial = {}, nil
  for _, above in ipairs(upstream == "" and {} or cjson.decode(upstream)) do
    if above ~= name then
      if held(above) then provenance[#provenance + 1] = above else partial = "1" end
    end
  end
  return #provenance > 0 and { provenance } or {}, partial
end

-- Ghosts among `names` that have no child any more go, and those above them.
local function release(names)
  while #names > 0 do
    local name = table.remove(names)
    if redis.call("EXISTS", key.children .. name) == 0 then
      local ghost = kept_node("g|" .. name, key.ghost .. name)
      if ghost then
        redis.call("DEL", key.ghost .. name)
        unlink(ghost)
        book.bytes, book.ghosts = book.bytes - ghost.bytes, book.ghosts - 1
        for _, above in ipairs(upstream_of(ghost.provenances)) do names[#names + 1] = above end
      end
    end
  end
end

-- The name has lost its last holder to a write: its children are set aside for the cascade.
local function lose(name)
  local work = "n|" .. name
  if redis.call("EXISTS", key.work .. work) == 1 then
    -- Lost, held anew and lost again within one cascade: only fills that were started meanwhile come to this.
    redis.call("SUNIONSTORE", key.work .. work, key.work .. work, key.children .. name)
    redis.call("DEL", key.children .. name)
  else
    redis.call("RENAME", key.children .. name, key.work .. work)
    redis.call("RPUSH", key.cascading, work)
  end
end

-- What is gone but was the last of its name, which something else was made from, stays known. `above`: its upstream.
local function leave_ghost(node, above)
  local ghost = as_node("g|" .. node.name, node.name, nil, nil, node.partial)
  ghost.reads, ghost.provenances = node.reads, node.provenances
  if redis.call("EXISTS", key.cascading) == 1 then
    -- Its record was written, and the cascade would have come to it: it ends as that would have ended it.
    if freshness(node.reads, false) == "stale" then
      lose(node.name)
      return release(above)
    end
    for _, name in ipairs(above) do
      if redis.call("SREM", key.work .. "n|" .. name, node.member) == 1 then
        redis.call("SADD", key.work .. "n|" .. name, ghost.member)
      end
    end
  end
  local bytes = node_bytes(ghost, 0)
  redis.call("HSET", key.ghost .. node.name, "bytes", bytes)
  store_node(key.ghost .. node.name, ghost)
  link(ghost)
  book.bytes, book.ghosts = book.bytes + bytes, book.ghosts + 1
end

-- A node whose own key or state is gone already goes, though no write ended it. `holds`: it kept a result.
local function take(node, holds)
  unlink(node)
  local above = upstream_of(node.provenances)
  if not holds or redis.call("EXISTS", key.children .. node.name) == 0 or held(node.name) then
    release(above)
  else
    leave_ghost(node, above)
  end
end
