// Package partition counts the load of each partition, and throttles partitions that use more than
// a limit.
package partition

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// id identifies a partition of a table or a global index.
type id struct {
	table, index string
	key          string // encoded partition key
}

// idOf returns the partition of a use. The load of a local index counts for the table's partition.
func idOf(u *capacity.Use) id {
	if u.Local {
		return id{u.Table, "", u.Partition}
	}
	return id{u.Table, u.Index, u.Partition}
}

// Load is a partition and its load.
type Load struct {
	Table, Index string
	Key          value.Map // nil if the partition is empty now
	capacity.Units

	id id
}

// share returns the load as a fraction of the service's limit of a partition.
func (l *Load) share() float64 { return max(l.Read/3000, l.Write/1000) }

const (
	maxCurrent = 1 << 16 // partitions counted within one second; further ones are ignored
	maxPeaks   = 1 << 10 // peaks kept from earlier seconds
)

// Loads counts the load of each partition of a database. All methods are safe for concurrent use.
type Loads struct {
	store  *store.DB
	config *engine.Config

	limit atomic.Pointer[capacity.Units] // nil means no limit

	mu      sync.Mutex
	second  int64
	current map[id]*capacity.Units
	peaks   map[id]capacity.Units
	buckets map[id]*bucket
}

// New returns the loads of a database, without a limit.
func New(db *store.DB, config *engine.Config) *Loads { return &Loads{store: db, config: config} }

// Add counts what a request used, for the second of that time. It counts a request of the second
// before for the current one: of concurrent requests, one may arrive first and run last.
func (l *Loads) Add(uses []capacity.Use, at time.Time) {
	if len(uses) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if second := at.Unix(); second != l.second && second != l.second-1 {
		l.updatePeaks()
		l.second = second
	}
	for i := range uses {
		if uses[i].Partition == "" {
			continue
		}
		p, used := idOf(&uses[i]), uses[i].Units()
		if sum := l.current[p]; sum != nil {
			*sum = sum.Plus(used)
		} else if len(l.current) < maxCurrent {
			first := used // only a new partition needs memory
			l.current[p] = &first
		}
		l.debit(p, used)
	}
}

// updatePeaks updates the peaks when a second is over.
func (l *Loads) updatePeaks() {
	if l.peaks == nil {
		l.current, l.peaks = map[id]*capacity.Units{}, map[id]capacity.Units{}
		return
	}
	for p, u := range l.current {
		peak := l.peaks[p]
		l.peaks[p] = capacity.Units{Read: max(peak.Read, u.Read), Write: max(peak.Write, u.Write)}
	}
	clear(l.current)
	if len(l.peaks) > maxPeaks {
		kept := sorted(l.peaks)[:maxPeaks/2]
		clear(l.peaks)
		for _, k := range kept {
			l.peaks[k.id] = k.Units
		}
	}
}

// Peaks returns the peak loads within one second of the n partitions with the highest load, the
// highest first.
func (l *Loads) Peaks(n int) []Load {
	peaks := l.peaksWithoutKeys(n)
	_ = l.store.View(func(s *store.State) error {
		for i := range peaks {
			peaks[i].Key = keyOf(s, peaks[i].id)
		}
		return nil
	})
	return peaks
}

func (l *Loads) peaksWithoutKeys(n int) []Load {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.updatePeaks()
	all := sorted(l.peaks)
	return all[:min(max(n, 0), len(all))]
}

// sorted returns the partitions, the highest load first.
func sorted(units map[id]capacity.Units) []Load {
	all := make([]Load, 0, len(units))
	for p, u := range units {
		all = append(all, Load{Table: p.table, Index: p.index, Units: u, id: p})
	}
	slices.SortFunc(all, func(a, b Load) int {
		return cmp.Or(cmp.Compare(b.share(), a.share()), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index),
			cmp.Compare(a.id.key, b.id.key))
	})
	return all
}

// keyOf returns the partition key of an item or entry in the partition, or nil.
func keyOf(s *store.State, p id) value.Map {
	t := s.Tables[p.table]
	if t == nil {
		return nil
	}
	key, items := t.Key, s.Items(t, s.Now, true)
	if p.index != "" {
		ix := t.Index(p.index)
		if ix == nil {
			return nil
		}
		key, items = ix.Key, s.Entries(t, ix, s.Now, true)
	}
	for place, item := range items.From(p.key) {
		if !strings.HasPrefix(place, p.key) {
			break
		}
		attributes := make([]value.Attribute, len(key.Partition))
		for i, a := range key.Partition {
			attributes[i] = value.Attribute{Name: a.Name, Value: item.Get(a.Name)}
		}
		return value.MapOf(attributes...)
	}
	return nil
}
