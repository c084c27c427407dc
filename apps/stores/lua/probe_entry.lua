-- probe_entry: read a confirmed entry, if it is fresh, and mark it used; count the answer.
-- Keys: entry:, totals, counts:
-- Uses: _freshness, _worth
--
-- ARGV[1]    reuse name    ARGV[2]  its namespace    ARGV[3]  now_ms
-- ARGV[4]    last use, ms, at or before which an entry is gone
-- ARGV[5]    oldest confirmation that serves, ms; absent: any
-- Returns    {ok, result, producer, kept_at_ms} | {absent} | {stale} | {uncertain} | {too old}
--            | {expired}: it is still to be removed, which is another script's, since it needs many more keys
-- A use is noted in the entry alone. The orders of use and of worth have where it stood before, which is never after
-- where it stands: whoever comes to it there puts it right (_entries). A hit would wait longest for moving in them.

local function answer(name, now_ms, gone_ms, oldest_ms)
  local hash = key.entry .. name
  local entry = redis.call("HMGET", hash, "result", "producer", "kept_at", "reads", "provenances", "engine_ms", "bytes",
    "uses", "used")
  if not entry[1] then return { "absent" } end
  local used_ms = tonumber(entry[9] or entry[3])
  if used_ms <= tonumber(gone_ms) then return { "expired" } end
  local verdict = servable(decode_reads(entry[4]), entry[5])
  if verdict ~= "ok" then return { verdict } end
  if oldest_ms and tonumber(entry[3]) < tonumber(oldest_ms) then return { "too old" } end
  local uses, clock = entry[8] + 1, redis.call("HGET", key.totals, "clock")
  if used_ms > tonumber(now_ms) then now_ms = used_ms end
  redis.call("HSET", hash, "uses", uses, "used", now_ms, "worth", worth_of(clock, uses, entry[6], entry[7]))
  return { "ok", entry[1], entry[2], entry[3] }
end

local found = answer(ARGV[1], ARGV[3], ARGV[4], ARGV[5])
redis.call("HINCRBY", key.counts .. ARGV[2], found[1] == "ok" and "hits" or "misses", 1)
return found
