package exec

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// writes counts the writes of the program whose requests have ended. Items share counters by the
// hash of their key.
var writes = struct {
	counted atomic.Bool // CountWrites was called
	seed    maphash.Seed
	items   [256]atomic.Uint64
	all     atomic.Uint64 // writes whose items are not known
}{seed: maphash.MakeSeed()}

// CountWrites makes the program count its writes from now on.
func CountWrites() { writes.counted.Store(true) }

// WritesOf returns a number that changes with every write of an item that ends, and sometimes with
// another write.
func WritesOf(table string, s *core.Schema, key op.Item) uint64 {
	return counterOf(table, s, key).Load() + writes.all.Load()
}

func counterOf(table string, s *core.Schema, key op.Item) *atomic.Uint64 {
	if _, name, ok := strings.Cut(table, ":table/"); ok { // an ARN
		table = name
	}
	h := maphash.String(writes.seed, s.IdentityIn(table, core.NewRow(key)))
	return &writes.items[h%uint64(len(writes.items))]
}

// wrote counts an action that has ended, before the caller gets its result.
func (c *Config) wrote(a *op.Action) {
	if !writes.counted.Load() || a.Verb == op.Get || a.Verb == op.Check {
		return
	}
	if a.Plan == nil || a.Plan.Schema == nil {
		writes.all.Add(1)
		return
	}
	counterOf(a.TableOr(c.Table), a.Plan.Schema, keyOf(a)).Add(1)
}

// wroteAll counts the actions of a transaction.
func (c *Config) wroteAll(actions []op.Action) {
	for i := range actions {
		c.wrote(&actions[i])
	}
}

// wroteBatch counts the writes of a batch.
func wroteBatch() {
	if writes.counted.Load() {
		writes.all.Add(1)
	}
}
