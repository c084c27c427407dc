-- check_ghosts: whether ghosts have something that was made from them, and are in every index.
-- Uses: _check
--
-- ARGV[1..2] as in _check    ARGV[3..]  reuse names
-- Returns    what is wrong, in words
-- Keys are derived from prefixes: whom a ghost touches is known only here.

local function remove(name, node)
  redis.call("DEL", key.ghost .. name)
  if not node then return end
  book.bytes, book.ghosts = book.bytes - node.bytes, book.ghosts - 1
  condemn(node)
end

local function check(name)
  local hash, what = key.ghost .. name, "ghost " .. name
  if redis.call("EXISTS", hash) == 0 then return end
  local readable, node = pcall(kept_node, "g|" .. name, hash)
  if not readable or not node then
    if wrong(what, " cannot be read") then remove(name) end
    return
  end
  if redis.call("EXISTS", key.children .. name, key.work .. "n|" .. name) == 0 and wrong(what, " has no child") then
    return remove(name, node)
  end
  if misplaced(what, node) then return remove(name, node) end
  local bytes = node_bytes(node, 0)
  if bytes ~= node.bytes and wrong(what, " holds ", bytes, " bytes and says ", node.bytes) then
    redis.call("HSET", hash, "bytes", bytes)
    book.bytes = book.bytes + bytes - node.bytes
  end
end

for place = 3, #ARGV do check(ARGV[place]) end
settle()
return found
