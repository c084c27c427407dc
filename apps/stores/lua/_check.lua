-- Keys: versions, readers:, children:, cascading, work:
-- Uses: _graph
-- State: mends = ARGV[1] == "1"
-- State: S = cjson.decode(ARGV[2])
-- State: found = {}
--
-- What the scripts of `library_check` share. Each looks at whole things, of which nothing can change meanwhile, and
-- mends in the same step what it finds. Their first arguments:
--
-- ARGV[1]    "1" to mend what is found
-- ARGV[2]    states of fills and branches, JSON {reserved: …, running: …, …}, from the Python tables

-- Notes what is wrong, in words. Whether to mend it.
local function wrong(...)
  found[#found + 1] = table.concat({ ... })
  return mends
end

-- Whether an open cascade has yet to look at the node. `kind`: r, the record `cause` was written; n, the name was lost.
local function awaited(kind, cause, member)
  for _, work in ipairs(redis.call("LRANGE", key.cascading, 0, -1)) do
    local of, what = string.match(work, "^(%a)%d*|(.*)$")
    if of == kind and what == cause and redis.call("SISMEMBER", key.work .. work, member) == 1 then return true end
  end
  return false
end

local function read_fault(member, record, version)
  local current = redis.call("HGET", key.versions, record)
  if current and current ~= version then
    return not awaited("r", record, member) and " outlived a write of " .. record
  end
  return redis.call("SISMEMBER", key.readers .. record, member) == 0 and " is not among the readers of " .. record
end

local function edge_fault(member, name)
  if awaited("n", name, member) then return false end
  if redis.call("SISMEMBER", key.children .. name, member) == 0 then return " is not among the children of " .. name end
  return not held(name) and " is made from " .. name .. ", which nothing holds"
end

-- Notes where the indexes lack the node; whether to mend it. It may have missed a write, so there is only one way.
local function misplaced(what, node)
  local count = #found
  for place = 1, #node.reads, 2 do
    local fault = read_fault(node.member, node.reads[place], node.reads[place + 1])
    if fault then wrong(what, fault) end
  end
  for _, name in ipairs(upstream_of(node.provenances)) do
    local fault = edge_fault(node.member, name)
    if fault then wrong(what, fault) end
  end
  return mends and #found > count
end

-- Takes a node, whose own key or state is gone already, out of the indexes as a write would: what was made from it goes.
local function condemn(node)
  unlink(node)
  if redis.call("EXISTS", key.children .. node.name) == 1 then lose(node.name) end
  release(upstream_of(node.provenances))
end
