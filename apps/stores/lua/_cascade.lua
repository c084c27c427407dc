-- Keys: versions, unknown, readers:
-- Uses: _entries, _fills

-- Drops every entry and ends every shadow that read `record` in another version; appends their ids to `ended`.
local function invalidate_readers(record, version, stale, call, ended)
  for _, member in ipairs(redis.call("SMEMBERS", key.readers .. record)) do
    local id = string.sub(member, 3)
    local is_entry = string.sub(member, 1, 1) == "e"
    local reads = cjson.decode(redis.call("HGET", (is_entry and key.entry or key.fill) .. id, "reads"))
    if tonumber(reads[record]) ~= tonumber(version) then
      if is_entry then drop_entry(id) else end_fill(id, load_fill(id), stale, call) end
      table.insert(ended, id)
    end
  end
end

-- Publishes a committed version, never lowering one, and cascades.
local function publish_version(record, version, stale, call, ended)
  local current = redis.call("HGET", key.versions, record)
  if current and tonumber(current) > tonumber(version) then version = current end
  redis.call("HSET", key.versions, record, version)
  redis.call("ZREM", key.unknown, record)
  invalidate_readers(record, version, stale, call, ended)
end
