-- Keys: versions, writing, unknown

-- ok | stale | uncertain for a table record -> version read. A version that is not known is uncertain, and is
-- remembered so that the reconciler asks the database for it.
local function freshness(reads)
  local verdict = "ok"
  for record, version in pairs(reads) do
    local current = redis.call("HGET", key.versions, record)
    if not current then redis.call("ZADD", key.unknown, "NX", 0, record) end
    if not current or redis.call("HEXISTS", key.writing, record) == 1 then
      if verdict == "ok" then verdict = "uncertain" end
    elseif tonumber(current) ~= tonumber(version) then
      verdict = "stale"
    end
  end
  return verdict
end
