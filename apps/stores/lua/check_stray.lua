-- check_stray: whether a key is of the type that its name asks for, or of none.
-- Uses: _check
--
-- ARGV[1..2] as in _check    ARGV[3..]  key, type it must have ("" when nothing is called so), key, type, …
-- Returns    what is wrong, in words
-- The keys carry the tag of all others, and were found by a walk: no table names them.

for place = 3, #ARGV, 2 do
  local name, wanted = ARGV[place], ARGV[place + 1]
  local is = redis.call("TYPE", name).ok
  if is ~= "none" and is ~= wanted and wrong("key ", name, " is a ", is, ", which nothing here is called") then
    redis.call("UNLINK", name)
  end
end
return found
