-- Keys: fill:, named:, reserved, running, owned:, expiry
-- Uses: _graph

local FILL_FIELDS = { "state", "name", "owner", "call", "left", "result", "branch", "kept_as", "engine_ms", "until",
  "reads", "provenances", "partial" }

local function load_fill(fill_id)
  local values = redis.call("HMGET", key.fill .. fill_id, unpack(FILL_FIELDS))
  local fill = {}
  for place, field in ipairs(FILL_FIELDS) do fill[field] = values[place] end
  return fill
end

local function node_of(fill_id, fill)
  return as_node("f|" .. fill_id, fill.name, fill.reads, fill.provenances, fill.partial)
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

-- Ends a fill, so that no list of fills has it; whether it was a shadow. What reads and edges it has is as before.
local function leave_lists(fill_id, fill, state, call)
  enter_state(fill_id, fill, state, call)
  leave_worker(fill_id, fill)
  if fill.name then
    redis.call("ZREM", key.named .. fill.name, fill_id)
  else
    redis.call("ZREM", key.reserved, fill_id)
  end
  return redis.call("ZREM", key.expiry, fill_id) == 1
end

-- Ends a fill, though no write ended it: out of every index, so that nothing can find it.
local function end_fill(fill_id, fill, state, call)
  local was_shadow = leave_lists(fill_id, fill, state, call)
  if fill.name then take(node_of(fill_id, fill), was_shadow) end
end
