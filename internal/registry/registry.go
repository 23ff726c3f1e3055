package registry

import (
	"maps"
	"sync"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

const (
	// Validity is how long a program relies on an entry that it has written.
	Validity = time.Hour
	// margin allows for clocks that differ, and for requests that are retried or arrive late.
	margin = time.Hour
	// maxKnown is the maximum number of partitions that a program remembers.
	maxKnown = 10_000
)

// Registry knows which partitions of a table this program has recorded. A nil Registry records
// nothing. It is safe for concurrent use.
type Registry struct {
	table  string
	schema *core.Schema

	mu    sync.Mutex
	known map[string]time.Time // the time of its entry, by partition key
}

// New returns the registry of a table, or nil if its items have no tenants or it cannot hold
// entries.
func New(s *core.Schema, table string) *Registry {
	if !Possible(s) {
		return nil
	}
	return &Registry{table: table, schema: s, known: map[string]time.Time{}}
}

// Possible reports whether a table can hold entries: its items have tenants, and its sort key is a
// text.
func Possible(s *core.Schema) bool {
	return s.TenantKey(s.Partition.Name) != nil && s.Sort.Name != "" && s.Sort.Type == keys.S
}

// SettledAt returns the time from which on no program relies on an entry any more, and all requests
// of those that did have arrived.
func SettledAt(seen time.Time) time.Time { return seen.Add(Validity + margin) }

// Settled reports whether no program relies on an entry of that time any more.
func Settled(seen, now time.Time) bool { return !now.Before(SettledAt(seen)) }

// knows reports whether the program may rely on the entry of a partition. If the clock was set back
// before the time of the entry, it may not.
func (r *Registry) knows(partition string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen, ok := r.known[partition]
	age := wall(now).Sub(seen)
	return ok && age >= 0 && age < Validity
}

// wall returns a time without the monotonic clock, which stops while a machine is suspended: the
// age of an entry includes that time.
func wall(t time.Time) time.Time { return t.Round(0) }

// Know notes that the entry of a partition is stored, with that time or a later one.
func (r *Registry) Know(partition string, seen time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen = wall(seen)
	if len(r.known) >= maxKnown {
		maps.DeleteFunc(r.known, func(_ string, at time.Time) bool { return seen.Sub(at) >= Validity })
	}
	if len(r.known) >= maxKnown {
		clear(r.known)
	}
	r.known[partition] = seen
}
