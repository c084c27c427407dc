-- Keys: readers:

local function index_reads(member, reads)
  for record in pairs(reads) do redis.call("SADD", key.readers .. record, member) end
end

local function unindex_reads(member, reads)
  for record in pairs(reads) do redis.call("SREM", key.readers .. record, member) end
end
