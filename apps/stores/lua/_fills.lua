-- Keys: fill:, named:, reserved, running, owned:, expiry
-- Uses: _index

local FILL_FIELDS = { "state", "name", "reads", "owner", "call", "left", "result", "branch" }

local function load_fill(fill_id)
  local values = redis.call("HMGET", key.fill .. fill_id, unpack(FILL_FIELDS))
  local fill = {}
  for place, field in ipairs(FILL_FIELDS) do fill[field] = values[place] end
  return fill
end

-- Enters `state` and keeps which call did it and from where, so that a call that is sent twice because its
-- reply was lost gets the same answer the second time.
local function enter_state(fill_id, fill, state, call)
  redis.call("HSET", key.fill .. fill_id, "state", state, "left", fill.state, "call", call)
end

local function leave_worker(fill_id, fill)
  redis.call("ZREM", key.running, fill_id)
  if fill.owner then redis.call("SREM", key.owned .. fill.owner, fill_id) end
end

-- Ends a fill: out of every index, so that nothing can find it.
local function end_fill(fill_id, fill, state, call)
  enter_state(fill_id, fill, state, call)
  redis.call("ZREM", key.reserved, fill_id)
  redis.call("ZREM", key.expiry, fill_id)
  leave_worker(fill_id, fill)
  if fill.name then redis.call("ZREM", key.named .. fill.name, fill_id) end
  if fill.reads then unindex_reads("f|" .. fill_id, cjson.decode(fill.reads)) end
end
