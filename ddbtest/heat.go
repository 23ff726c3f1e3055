package ddbtest

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// PartitionLimit returns the limit of one partition of the service, in units per second.
func PartitionLimit() Units { return Units{Read: 3000, Write: 1000} }

// Hot is the peak load of one partition within one second of the database's clock. A partition
// holds the items of a table, or the entries of an index, with one partition key. The load of a
// local index counts for the table's partitions.
type Hot struct {
	Table, Index string
	Key          map[string]types.AttributeValue // nil if the partition is empty now
	Read, Write  float64
}

// Heat returns the n partitions with the highest load, the highest first. It ignores scans, because
// they load all partitions alike.
func (db *DB) Heat(n int) []Hot {
	db.catchUp()
	spots := db.heat.hottest(n)
	hot := make([]Hot, len(spots))
	_ = db.store.View(func(s *store.State) error {
		for i, h := range spots {
			hot[i] = Hot{Table: h.table, Index: h.index, Key: partitionKey(s, h.spot), Read: h.units.Read, Write: h.units.Write}
		}
		return nil
	})
	return hot
}

// partitionKey returns the partition key of an item or entry in the partition, or nil.
func partitionKey(s *store.State, at spot) map[string]types.AttributeValue {
	t := s.Tables[at.table]
	if t == nil {
		return nil
	}
	key, items := t.Key, s.Items(t, s.Now, true)
	if at.index != "" {
		ix := t.Index(at.index)
		if ix == nil {
			return nil
		}
		key, items = ix.Key, s.Entries(t, ix, s.Now, true)
	}
	for place, item := range items.From(at.partition) {
		if !strings.HasPrefix(place, at.partition) {
			break
		}
		var picked []value.Attribute
		for _, a := range key.Partition {
			picked = append(picked, value.Attribute{Name: a.Name, Value: item.Get(a.Name)})
		}
		return attributesOf(value.MapOf(picked...))
	}
	return nil
}

// spot identifies a partition.
type spot struct{ table, index, partition string }

// spotOf returns the partition of a use.
func spotOf(u *capacity.Use) spot {
	if u.Local {
		return spot{u.Table, "", u.Partition}
	}
	return spot{u.Table, u.Index, u.Partition}
}

// heated is a partition and its load.
type heated struct {
	spot
	units Units
}

// share returns the load as a fraction of the service's limit.
func (h heated) share() float64 {
	limit := PartitionLimit()
	return max(h.units.Read/limit.Read, h.units.Write/limit.Write)
}

const (
	maxSpots = 1 << 16 // partitions counted within one second; further ones are ignored
	maxPeaks = 1 << 10 // peaks kept from earlier seconds
)

// heat counts the load of each partition.
type heat struct {
	limit atomic.Pointer[Units] // nil means no limit

	mu      sync.Mutex
	second  int64
	current map[spot]Units
	peaks   map[spot]Units
	buckets map[spot]*bucket
}

// add counts what a request used.
func (h *heat) add(now time.Time, uses []capacity.Use) {
	if len(uses) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if second := now.Unix(); second != h.second {
		h.fold()
		h.second = second
	}
	for i := range uses {
		if uses[i].Partition == "" {
			continue
		}
		at := spotOf(&uses[i])
		sum, known := h.current[at]
		if known || len(h.current) < maxSpots {
			h.current[at] = Units{sum.Read + uses[i].Read, sum.Write + uses[i].Write}
		}
		h.debit(at, &uses[i], now)
	}
}

// fold updates the peaks when a second is over.
func (h *heat) fold() {
	if h.peaks == nil {
		h.current, h.peaks = map[spot]Units{}, map[spot]Units{}
		return
	}
	for at, u := range h.current {
		peak := h.peaks[at]
		h.peaks[at] = Units{max(peak.Read, u.Read), max(peak.Write, u.Write)}
	}
	clear(h.current)
	if len(h.peaks) > maxPeaks {
		kept := sorted(h.peaks)[:maxPeaks/2]
		clear(h.peaks)
		for _, k := range kept {
			h.peaks[k.spot] = k.units
		}
	}
}

// hottest returns the n partitions with the highest load.
func (h *heat) hottest(n int) []heated {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fold()
	all := sorted(h.peaks)
	return all[:min(max(n, 0), len(all))]
}

// sorted returns the partitions, the highest load first.
func sorted(units map[spot]Units) []heated {
	all := make([]heated, 0, len(units))
	for at, u := range units {
		all = append(all, heated{at, u})
	}
	slices.SortFunc(all, func(a, b heated) int {
		return cmp.Or(cmp.Compare(b.share(), a.share()), cmp.Compare(a.table, b.table), cmp.Compare(a.index, b.index),
			cmp.Compare(a.partition, b.partition))
	})
	return all
}
