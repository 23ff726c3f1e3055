package store

import (
	"fmt"
	"time"
)

// shardLife is how long a shard takes records.
const shardLife = 4 * time.Hour

// Shard is a part of a stream: the records from its first number on, to its last.
type Shard struct {
	ID       string
	Parent   string
	Start    uint64
	End      uint64 // 0 while it takes records
	Created  time.Time
	ClosedAt time.Time
}

// openShard begins a shard, the child of the one before.
func (s *State) openShard(st *Stream) {
	sh := Shard{Start: s.Next(), Created: s.Now}
	millis := s.Now.UnixMilli()
	if n := len(st.Shards); n > 0 {
		// in the order of their IDs a parent comes before its child, even where the clock was set back between them
		sh.Parent = st.Shards[n-1].ID
		millis = max(millis, shardMillis(sh.Parent)+1)
	}
	sh.ID = fmt.Sprintf("%s%020d-%08x", shardPrefix, millis, uint32(mix(sh.Start)))
	st.Shards = append(st.Shards[:len(st.Shards):len(st.Shards)], sh)
	s.due.by(sh.Created.Add(shardLife))
}

// closeShard ends the stream's open shard.
func (s *State) closeShard(st *Stream) {
	shards := append([]Shard(nil), st.Shards...)
	last := &shards[len(shards)-1]
	last.End, last.ClosedAt = s.Next(), s.Now
	st.Shards = shards
}

const shardPrefix = "shardId-"

// shardMillis is the time that a shard's ID holds.
func shardMillis(id string) int64 {
	var millis int64
	_, _ = fmt.Sscanf(id, shardPrefix+"%020d", &millis)
	return millis
}
