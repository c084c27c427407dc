-- Keys: meta, events

-- The stream's epoch and number; a new stream gets the epoch offered. keep_ms 0: never expires.
local function stream_meta(offered_epoch, keep_ms)
  local meta = redis.call("HMGET", key.meta, "epoch", "seq", "calls")
  if meta[1] then return { epoch = meta[1], seq = tonumber(meta[2]), calls = meta[3] } end
  redis.call("DEL", key.events)
  redis.call("HSET", key.meta, "epoch", offered_epoch, "seq", 0, "calls", "")
  if keep_ms ~= "0" then redis.call("PEXPIRE", key.meta, keep_ms) end
  return { epoch = offered_epoch, seq = 0, calls = "" }
end
