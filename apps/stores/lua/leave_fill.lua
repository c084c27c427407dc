-- leave_fill: end a fill by losing, failing, expiring or a write.
-- Uses: _fills
--
-- ARGV[1]    fill id    ARGV[2]  this call's token
-- ARGV[3..]  state to leave, state to enter, state to leave, state to enter, … (the Python table's moves)
-- Returns    the state that was left; false if the event did not apply
-- Indexes are derived from prefixes: the fill's name and reads are known only here.

local id = ARGV[1]
local fill = load_fill(id)
if not fill.state then return false end
if fill.call == ARGV[2] then return fill.left end
for place = 3, #ARGV, 2 do
  if fill.state == ARGV[place] then
    end_fill(id, fill, ARGV[place + 1], ARGV[2])
    settle()
    return fill.state
  end
end
return false
