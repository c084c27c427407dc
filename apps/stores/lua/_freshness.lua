-- Keys: versions, writing, unknown, cascading
-- State: decoded = {}
--
-- `decoded`: reads by their text, since the readers of one record are often readers of nothing else.

local BATCH = 2000 -- of records and versions at once; Lua unpacks no more than some thousand

-- The reads of a node as stored: JSON [record, version, record, version, …], all of it text; none: no field.
local function decode_reads(stored)
  if not stored then return {} end
  local reads = decoded[stored] or cjson.decode(stored)
  decoded[stored] = reads
  return reads
end

-- ok | stale | uncertain for such a list. A version that is not known is uncertain, and is remembered so that the
-- reconciler asks the database for it. `doubt`: some record may be being written.
local function freshness(reads, doubt)
  local verdict = "ok"
  for first = 1, #reads, BATCH do
    local records = {}
    for place = first, math.min(first + BATCH, #reads) - 1, 2 do records[#records + 1] = reads[place] end
    local current = redis.call("HMGET", key.versions, unpack(records))
    local marks = doubt and redis.call("HMGET", key.writing, unpack(records)) or {}
    for place, record in ipairs(records) do
      if not current[place] then redis.call("ZADD", key.unknown, "NX", 0, record) end
      if not current[place] or marks[place] then
        if verdict == "ok" then verdict = "uncertain" end
      elseif current[place] ~= reads[first + 2 * place - 1] then
        verdict = "stale"
      end
    end
  end
  return verdict
end

-- ok | stale | uncertain for a node: its reads, decoded, are fresh and, if it was `made` from others, none is in doubt.
local function servable(reads, made)
  if #reads == 0 and not made then return "ok" end
  local doubt = redis.call("EXISTS", key.writing, key.cascading) > 0
  local verdict = freshness(reads, doubt)
  return verdict == "ok" and made and doubt and "uncertain" or verdict
end
