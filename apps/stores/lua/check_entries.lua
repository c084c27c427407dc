-- check_entries: whether entries are whole, in every order and in every index.
-- Uses: _check, _entries
--
-- ARGV[1..2] as in _check    ARGV[3..]  reuse names
-- Returns    what is wrong, in words
-- Keys are derived from prefixes: whom an entry touches is known only here.

local FIELDS = { "result", "producer", "stage", "kept_at", "engine_ms", "uses", "bytes" }

local function remove(name, node)
  redis.call("DEL", key.entry .. name)
  out_of_orders(name)
  if not node then return end
  book.bytes = book.bytes - node.bytes
  condemn(node)
end

local function check_fields(what, name, stored)
  for place, field in ipairs(FIELDS) do
    if not stored[place] then
      if wrong(what, " has no ", field) then remove(name) end
      return false
    end
  end
  return true
end

local function check_orders(what, name, stored)
  if not redis.call("ZSCORE", key.used, name) and wrong(what, " is not in the order of use") then
    redis.call("ZADD", key.used, stored[4], name)
  end
  if not redis.call("ZSCORE", key.worth, name) and wrong(what, " is not in the order of worth") then
    local clock = redis.call("HGET", key.totals, "clock")
    redis.call("ZADD", key.worth, worth_of(clock, stored[6], stored[5], stored[7]), name)
  end
  if redis.call("ZSCORE", key.names, name) ~= "0" and wrong(what, " is not in the order of names") then
    redis.call("ZADD", key.names, 0, name)
  end
end

local function check_bytes(what, node, result)
  local bytes = node_bytes(node, #result)
  if bytes ~= node.bytes and wrong(what, " holds ", bytes, " bytes and says ", node.bytes) then
    redis.call("HSET", key.entry .. node.name, "bytes", bytes)
    book.bytes = book.bytes + bytes - node.bytes
  end
end

local function check(name)
  local hash, what = key.entry .. name, "entry " .. name
  if redis.call("EXISTS", hash) == 0 then return end
  local stored = redis.call("HMGET", hash, unpack(FIELDS))
  if not check_fields(what, name, stored) then return end
  local readable, node = pcall(kept_node, "e|" .. name, hash)
  if not readable then
    if wrong(what, " has reads or provenances that cannot be read") then remove(name) end
    return
  end
  if misplaced(what, node) then return remove(name, node) end
  check_bytes(what, node, stored[1])
  check_orders(what, name, stored)
end

for place = 3, #ARGV do check(ARGV[place]) end
settle()
return found
