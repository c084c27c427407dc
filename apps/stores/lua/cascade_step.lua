-- cascade_step: go on with the cascades that are open, whoever began them.
-- Uses: _cascade
--
-- ARGV[1]    most nodes to look at    ARGV[2]  state of a fill that a write ended    ARGV[3]  this call's token
-- Returns    {entries (reuse names), shadows, running fills that ended, 1 if more is left to look at}

return cascade(ARGV[1], ARGV[2], ARGV[3])
