-- probe_entry: read a confirmed entry, if it is fresh, and mark it used.
-- Uses: _freshness, _entries
--
-- ARGV[1]    reuse name    ARGV[2]  now_ms    ARGV[3]  time to live of an unused entry, ms
-- Returns    {ok, result, producer} | {absent} | {stale} | {uncertain}
-- Readers' keys are derived from a prefix: the read-set of an entry that must go is known only here.

local name, now_ms = ARGV[1], tonumber(ARGV[2])
local entry = redis.call("HMGET", key.entry .. name, "result", "producer", "reads")
if not entry[1] then return { "absent" } end
if tonumber(redis.call("ZSCORE", key.used, name)) + tonumber(ARGV[3]) <= now_ms then
  drop_entry(name)
  return { "absent" }
end
local verdict = freshness(cjson.decode(entry[3]))
if verdict ~= "ok" then return { verdict } end
redis.call("ZADD", key.used, "GT", ARGV[2], name)
return { "ok", entry[1], entry[2] }
