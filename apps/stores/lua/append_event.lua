-- append_event: give an event the next number of its stream.
-- Uses: _stream
--
-- ARGV[1]    epoch, if the stream is new    ARGV[2]  kept after the last append, ms; 0: for ever
-- ARGV[3]    kind    ARGV[4]  data, JSON    ARGV[5]  at_ms    ARGV[6]  most events kept
-- ARGV[7]    this call's token    ARGV[8]  how many characters of tokens are remembered
-- Returns    the number. A call sent twice because its reply was lost gets its first number again.

local meta = stream_meta(ARGV[1], ARGV[2])
local sent = string.match(meta.calls, ARGV[7] .. "=(%d+);")
if sent then return tonumber(sent) end
local seq = meta.seq + 1
local calls = string.sub(meta.calls .. ARGV[7] .. "=" .. string.format("%.0f", seq) .. ";", -tonumber(ARGV[8]))
redis.call("HSET", key.meta, "seq", string.format("%.0f", seq), "calls", calls)
redis.call("XADD", key.events, "MAXLEN", "=", ARGV[6], string.format("%.0f-0", seq),
  "kind", ARGV[3], "data", ARGV[4], "at_ms", ARGV[5])
if ARGV[2] ~= "0" then
  redis.call("PEXPIRE", key.meta, ARGV[2])
  redis.call("PEXPIRE", key.events, ARGV[2])
end
return seq
