-- observe_history: count one selection in each context that it was made in.
-- Keys: after:, contexts, observed
--
-- ARGV[1]     observation id    ARGV[2]  choice    ARGV[3]  at_ms    ARGV[4..5]  half-lives of lasting and recent, ms
-- ARGV[6]     kept after the last selection, ms
-- ARGV[7..9]  most choices of a context, contexts, observations remembered
-- ARGV[10..]  context ids
-- Returns     1 | 0 this observation was counted before; nothing changed
-- The sums do not depend on the order of the calls, but for rounding.

local choice, at = ARGV[2], tonumber(ARGV[3])
local lasting_ms, recent_ms = tonumber(ARGV[4]), tonumber(ARGV[5])

local function tally(text)
  local lasting, recent, at_ms = string.match(text, "^(%S+) (%S+) (%S+)$")
  return tonumber(lasting), tonumber(recent), tonumber(at_ms)
end

local function sum(mine, my_at, half_life_ms)
  local now = math.max(my_at, at)
  return mine * 2 ^ (-(now - my_at) / half_life_ms) + 2 ^ (-(now - at) / half_life_ms)
end

-- The choice of least lasting count, seen from one moment; never the one that was just counted.
local function drop_least(hash)
  local least, held = nil, redis.call("HGETALL", hash)
  local lowest = math.huge
  for i = 1, #held, 2 do
    local lasting, _, at_ms = tally(held[i + 1])
    local height = math.log(lasting) / math.log(2) + at_ms / lasting_ms
    if held[i] ~= choice and height < lowest then least, lowest = held[i], height end
  end
  if least then redis.call("HDEL", hash, least) end
end

if redis.call("ZADD", key.observed, "NX", ARGV[3], ARGV[1]) == 0 then return 0 end
redis.call("ZREMRANGEBYRANK", key.observed, 0, -1 - tonumber(ARGV[9]))
redis.call("PEXPIRE", key.observed, ARGV[6])

for i = 10, #ARGV do
  local hash = key.after .. ARGV[i]
  local lasting, recent, my_at = tally(redis.call("HGET", hash, choice) or "0 0 " .. ARGV[3])
  redis.call("HSET", hash, choice, string.format("%.17g %.17g %.0f",
    sum(lasting, my_at, lasting_ms), sum(recent, my_at, recent_ms), math.max(my_at, at)))
  if redis.call("HLEN", hash) > tonumber(ARGV[7]) then drop_least(hash) end
  redis.call("PEXPIRE", hash, ARGV[6])
  redis.call("ZADD", key.contexts, "GT", ARGV[3], ARGV[i])
end
redis.call("PEXPIRE", key.contexts, ARGV[6])

local excess = redis.call("ZCARD", key.contexts) - tonumber(ARGV[8])
if excess > 0 then
  for _, context in ipairs(redis.call("ZRANGE", key.contexts, 0, excess - 1)) do
    redis.call("DEL", key.after .. context)
    redis.call("ZREM", key.contexts, context)
  end
end
return 1
