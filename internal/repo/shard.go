package repo

import (
	"encoding/binary"
	"strconv"

	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/spread"
)

// shardChoice chooses the random shard of a new item. A write with a token always has the same
// shard, because a repetition of the write must be the same request.
func shardChoice(random *exec.Random, token string, member int) func(shards int) (int, error) {
	return func(shards int) (int, error) {
		n := spread.Of(token, strconv.Itoa(member))
		if token == "" {
			var b [8]byte
			if _, err := random.Read(b[:]); err != nil {
				return 0, err
			}
			n = binary.BigEndian.Uint64(b[:])
		}
		return int(n % uint64(shards)), nil //nolint:gosec // less than shards
	}
}
