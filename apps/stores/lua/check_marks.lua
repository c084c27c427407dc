-- check_marks: whether records that are being written have the lease that their writes give them.
-- Uses: _check, _marks
--
-- ARGV[1..2] as in _check    ARGV[3..]  records
-- Returns    what is wrong, in words

local function earliest(writes)
  local first = nil
  for _, lease in pairs(writes) do
    if not first or tonumber(lease) < first then first = tonumber(lease) end
  end
  return first
end

local function check(record)
  if redis.call("HEXISTS", key.writing, record) == 0 then return end
  local readable, writes = pcall(open_writes, record)
  if not readable or not earliest(writes) then
    -- Uncertain until it is reconciled: a lease that is over has the reconciler do so.
    if wrong("writes of ", record, " cannot be read") then keep_writes(record, { unreadable = "0" }) end
  elseif tonumber(redis.call("ZSCORE", key.leases, record) or -1) ~= earliest(writes) then
    if wrong("writes of ", record, " have another lease than is listed") then keep_writes(record, writes) end
  end
end

for place = 3, #ARGV do check(ARGV[place]) end
return found
