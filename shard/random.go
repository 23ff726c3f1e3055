package shard

import "encoding/binary"

// randomShard returns a random shard.
func (c *Counters) randomShard(shards int) (int, error) {
	if shards == 1 {
		return 0, nil
	}
	var b [8]byte
	if _, err := c.exec.Random.Read(b[:]); err != nil {
		return 0, err
	}
	return int(binary.BigEndian.Uint64(b[:]) % uint64(shards)), nil
}
