package store

import (
	"fmt"
	"time"
)

// shardLife is how long a shard takes records.
const shardLife = 4 * time.Hour

// Shard is a part of a stream: the records from sequence number Start to End.
type Shard struct {
	ID       string
	Parent   string
	Start    uint64
	End      uint64 // 0 while it takes records
	Created  time.Time
	ClosedAt time.Time
}

// openShard opens a shard, as the child of the previous one.
func (s *State) openShard(st *Stream) {
	sh := Shard{Start: s.Next(), Created: s.Now}
	millis := s.Now.UnixMilli()
	if n := len(st.Shards); n > 0 {
		// IDs sort parents before their children, even if the clock was set back between them
		sh.Parent = st.Shards[n-1].ID
		millis = max(millis, shardMillis(sh.Parent)+1)
	}
	sh.ID = fmt.Sprintf("%s%020d-%08x", shardPrefix, millis, uint32(mix(sh.Start)))
	st.Shards = append(st.Shards[:len(st.Shards):len(st.Shards)], sh)
	s.due.add(sh.Created.Add(shardLife))
}

// closeShard closes the open shard of the stream.
func (s *State) closeShard(st *Stream) {
	shards := append([]Shard(nil), st.Shards...)
	last := &shards[len(shards)-1]
	last.End, last.ClosedAt = s.Next(), s.Now
	st.Shards = shards
}

const shardPrefix = "shardId-"

// shardMillis returns the time in the ID of a shard.
func shardMillis(id string) int64 {
	var millis int64
	_, _ = fmt.Sscanf(id, shardPrefix+"%020d", &millis)
	return millis
}
