-- stream_head: epoch and last number of a stream; a new stream gets its epoch here, so that a page that looked
-- before the first event need not start over at it.
-- Uses: _stream
--
-- ARGV[1]    epoch, if the stream is new    ARGV[2]  kept after the last append, ms; 0: for ever
-- Returns    {epoch, seq}

local meta = stream_meta(ARGV[1], ARGV[2])
return { meta.epoch, meta.seq }
