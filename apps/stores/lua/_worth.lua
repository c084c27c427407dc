-- worth of serving/library/eviction.py, as text that gives the same number back.
local function worth_of(clock, uses, engine_ms, bytes)
  return string.format("%.17g", tonumber(clock or 0) + (uses + 1) * math.max(tonumber(engine_ms), 0.001) / bytes)
end
