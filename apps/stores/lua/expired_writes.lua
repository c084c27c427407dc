-- expired_writes: what the reconciler must read from the database.
-- Keys: leases, unknown
--
-- ARGV[1]    now_ms    ARGV[2]  most records to return
-- Returns    records whose write lease ran out, then records without a known version. The latter go to the
--            back of their queue, so that one that can never be answered does not hide the others.

local found = redis.call("ZRANGEBYSCORE", key.leases, "-inf", ARGV[1], "LIMIT", 0, ARGV[2])
local seen = {}
for _, record in ipairs(found) do seen[record] = true end
for _, record in ipairs(redis.call("ZRANGE", key.unknown, 0, ARGV[2] - 1)) do
  if #found >= tonumber(ARGV[2]) then break end
  redis.call("ZADD", key.unknown, ARGV[1], record)
  if not seen[record] then table.insert(found, record) end
end
return found
