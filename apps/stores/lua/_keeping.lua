-- Uses: _freshness, _graph

-- Whether a result may be kept under its name now: ok | stale | uncertain. `all`: its reads and what it inherits,
-- decoded. While a cascade is open, what that has yet to end must not pass for what is new.
local function keepable(name, all, upstream)
  local verdict = "ok"
  if #all > 0 then verdict = freshness(all, redis.call("EXISTS", key.writing) == 1) end
  if verdict ~= "ok" or redis.call("EXISTS", key.cascading) == 0 then return verdict end
  return (upstream ~= "" or held(name)) and "uncertain" or "ok"
end

-- The node of a result just made. What it names upstream and is not held cannot be lost, so that what it inherits is
-- indexed for it as well. `own`: its reads, decoded.
local function made_node(member, name, own, all, upstream)
  local provenances, partial = provenances_of(name, upstream)
  return { member = member, name = name, reads = partial and all or own, provenances = provenances, partial = partial }
end
