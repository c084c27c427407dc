-- probe_entry: read a confirmed entry, if it is fresh, and mark it used; count the answer.
-- Keys: entry:, used, worth, totals, counts:
-- Uses: _freshness, _worth
--
-- ARGV[1]    reuse name    ARGV[2]  its namespace    ARGV[3]  now_ms
-- ARGV[4]    last use, ms, at or before which an entry is gone
-- ARGV[5]    oldest confirmation that serves, ms; absent: any
-- Returns    {ok, result, producer, kept_at_ms} | {absent} | {stale} | {uncertain} | {too old}
--            | {expired}: it is still to be removed, which is another script's, since it needs many more keys

local function answer(name, now_ms, gone_ms, oldest_ms)
  local hash = key.entry .. name
  local entry = redis.call("HMGET", hash, "result", "producer", "kept_at", "reads", "provenances", "engine_ms", "bytes")
  if not entry[1] then return { "absent" } end
  if tonumber(redis.call("ZSCORE", key.used, name)) <= tonumber(gone_ms) then return { "expired" } end
  local verdict = servable(entry[4], entry[5])
  if verdict ~= "ok" then return { verdict } end
  if oldest_ms and tonumber(entry[3]) < tonumber(oldest_ms) then return { "too old" } end
  local uses, clock = redis.call("HINCRBY", hash, "uses", 1), redis.call("HGET", key.totals, "clock")
  redis.call("ZADD", key.used, "GT", now_ms, name)
  redis.call("ZADD", key.worth, worth_of(clock, uses, entry[6], entry[7]), name)
  return { "ok", entry[1], entry[2], entry[3] }
end

local found = answer(ARGV[1], ARGV[3], ARGV[4], ARGV[5])
redis.call("HINCRBY", key.counts .. ARGV[2], found[1] == "ok" and "hits" or "misses", 1)
return found
