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

// PartitionLimit is what one partition of the service serves in a second.
func PartitionLimit() Units { return Units{Read: 3000, Write: 1000} }

// Hot is the most that one partition was asked for within a second of the database's clock: the items of a table, or the entries of an index,
// with one partition key. A table's local indexes are in its own partitions.
type Hot struct {
	Table, Index string
	Key          map[string]types.AttributeValue // nil where nothing with that partition key is left
	Read, Write  float64
}

// Heat returns the partitions that were asked for most, the hottest first: up to so many. A scan heats all partitions alike, and is not counted.
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

// partitionKey reads the partition's key off something that is there.
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

// spot is a partition.
type spot struct{ table, index, partition string }

// spotOf is where a use took place.
func spotOf(u *capacity.Use) spot {
	if u.Local {
		return spot{u.Table, "", u.Partition}
	}
	return spot{u.Table, u.Index, u.Partition}
}

// heated is a spot with its units.
type heated struct {
	spot
	units Units
}

// share is how much of the service's limit it is.
func (h heated) share() float64 {
	limit := PartitionLimit()
	return max(h.units.Read/limit.Read, h.units.Write/limit.Write)
}

const (
	maxSpots = 1 << 16 // counted within a second; what comes after them in that second is not
	maxPeaks = 1 << 10 // remembered of earlier seconds
)

// heat counts what each partition is asked for.
type heat struct {
	limit atomic.Pointer[Units] // nil is none

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

// fold makes peaks of a second that is over.
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

// hottest returns up to n spots.
func (h *heat) hottest(n int) []heated {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fold()
	all := sorted(h.peaks)
	return all[:min(max(n, 0), len(all))]
}

// sorted is the spots, the hottest first.
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
