-- check_work: whether a cascade will look at every work set, and has one for everything that it will look at.
-- Uses: _check
--
-- ARGV[1..2] as in _check    ARGV[3..]  what work sets are called
-- Returns    what is wrong, in words

for place = 3, #ARGV do
  local work = ARGV[place]
  if redis.call("EXISTS", key.work .. work) == 1 and not redis.call("LPOS", key.cascading, work)
    and wrong("work ", work, " is in no cascade") then
    redis.call("RPUSH", key.cascading, work)
  end
end
for _, work in ipairs(redis.call("LRANGE", key.cascading, 0, -1)) do
  if redis.call("EXISTS", key.work .. work) == 0 and wrong("the cascade has ", work, ", which has no nodes") then
    redis.call("LREM", key.cascading, 0, work)
  end
end
return found
