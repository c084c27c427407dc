-- Keys: entry:, used, worth, names, totals
-- Uses: _graph, _worth
-- Constants: MAX_PROVENANCES, MAX_EVICTED

local LOOKED_PER_EVICTED = 10 -- entries of which some were only to be put in their right place

local function out_of_orders(...)
  for _, order in ipairs({ key.used, key.worth, key.names }) do redis.call("ZREM", order, ...) end
end

-- When the entry was last used, ms; nil when it is not there. Its place in the order of use may be an earlier one.
local function used_at(name)
  local at = redis.call("HMGET", key.entry .. name, "used", "kept_at")
  return tonumber(at[1] or at[2] or nil)
end

-- An entry goes by any way but a write; 1 if it was there.
local function drop_entry(name)
  local node = kept_node("e|" .. name, key.entry .. name)
  if not node then return 0 end
  redis.call("DEL", key.entry .. name)
  out_of_orders(name)
  book.bytes = book.bytes - node.bytes
  take(node, true)
  return 1
end

-- The provenances of an entry recorded again; those of one that was not whole are not believed.
local function joined(old, provenances)
  if old.partial or #provenances == 0 then return provenances end
  if #old.provenances == 0 then return {} end
  local new, all = table.concat(provenances[1], "\n"), {}
  for _, provenance in ipairs(old.provenances) do
    if table.concat(provenance, "\n") ~= new then all[#all + 1] = provenance end
  end
  all[#all + 1] = provenances[1]
  while #all > MAX_PROVENANCES do table.remove(all, 1) end
  return all
end

-- Least worth first, until all is within bounds, or so much was done that the next entry may go on with it.
-- `bytes`: of the library when the script began. How many were evicted.
local function make_room(cap, cap_bytes, bytes)
  local entries, evicted = redis.call("ZCARD", key.used), 0
  for _ = 1, LOOKED_PER_EVICTED * MAX_EVICTED do
    if entries <= cap and bytes + book.bytes <= cap_bytes or entries == 0 or evicted == MAX_EVICTED then break end
    local name, worth = unpack(redis.call("ZRANGE", key.worth, 0, 0, "WITHSCORES"))
    local now_worth = redis.call("HGET", key.entry .. name, "worth")
    if now_worth and tonumber(now_worth) > tonumber(worth) then
      -- It was used since. Worth never falls, so the first whose place is right is the least of all.
      redis.call("ZADD", key.worth, now_worth, name)
    else
      redis.call("HSET", key.totals, "clock", worth)
      entries, evicted = entries - drop_entry(name), evicted + 1
    end
  end
  return evicted
end

-- Takes what is stored of an entry that is recorded again; how often it was used.
local function replace(old, hash)
  local uses = tonumber(redis.call("HGET", hash, "uses") or 0)
  redis.call("DEL", hash)
  unlink(old)
  book.bytes = book.bytes - old.bytes
  return uses
end

-- Confirms `node` as the entry of its name, joined with an earlier one, and makes room.
-- Whether it is there now as `node` was, and nothing else has changed.
-- `made`: result, producer, stage, engine_ms, now_ms.
local function put_entry(node, made, cap, cap_bytes)
  local name, hash = node.name, key.entry .. node.name
  -- A name that is new in their order has no entry yet.
  local old = redis.call("ZADD", key.names, 0, name) == 0 and kept_node("e|" .. name, hash) or nil
  local entry = { member = "e|" .. name, name = name, reads = node.reads, partial = node.partial,
    provenances = old and joined(old, node.provenances) or node.provenances }
  local bytes = node_bytes(entry, #made.result)
  if bytes > cap_bytes then
    if drop_entry(name) == 0 then redis.call("ZREM", key.names, name) end
    return false
  end
  local uses = old and replace(old, hash) or 0
  local totals = redis.call("HMGET", key.totals, "clock", "bytes")
  redis.call("HSET", hash, unpack(with_fields(entry, "result", made.result, "producer", made.producer,
    "stage", made.stage, "kept_at", made.now_ms, "engine_ms", made.engine_ms, "bytes", bytes, "uses", uses)))
  link(entry)
  redis.call("ZADD", key.used, made.now_ms, name)
  redis.call("ZADD", key.worth, worth_of(totals[1], uses, made.engine_ms, bytes), name)
  book.bytes = book.bytes + bytes
  if old then release(upstream_of(old.provenances)) end
  return make_room(cap, cap_bytes, tonumber(totals[2] or 0)) == 0 and not old
end
