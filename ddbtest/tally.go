package ddbtest

import (
	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// tally counts what requests use. The counts are pointers, so that a request searches each map only
// once.
type tally struct {
	sums     Cost // without its maps
	requests counts[int]
	errors   counts[int]
	tables   counts[Units]
}

// add counts a request. A late request is not counted again in Requests and Pages, because it was
// counted on arrival.
func (t *tally) add(r *Request, uses []capacity.Use) {
	if !r.Late {
		*t.requests.of(r.Operation)++
		if fault.IsPage(r.class()) {
			t.sums.Pages++
		}
	}
	if r.ErrorCode != "" {
		*t.errors.of(r.ErrorCode)++
	}
	if r.Filtered {
		t.sums.Filtered++
	}
	t.sums.Evaluated += r.Evaluated
	t.sums.Returned += r.Returned
	t.sums.ReadUnits += r.ReadUnits
	t.sums.WriteUnits += r.WriteUnits
	for i := range uses {
		u := &uses[i]
		if u.Read+u.Write == 0 {
			continue
		}
		sum := t.tables.of(resource(u))
		sum.Read += u.Read
		sum.Write += u.Write
	}
}

// resource returns the name of a table or of one of its indexes.
func resource(u *capacity.Use) string {
	if u.Index == "" {
		return u.Table
	}
	return u.Table + "/" + u.Index
}

// cost returns a copy of the counts.
func (t *tally) cost() Cost {
	c := t.sums
	c.Requests, c.Errors, c.Tables = t.requests.values(), t.errors.values(), t.tables.values()
	return c
}

// counts holds counts by names.
type counts[V any] map[string]*V

// of returns the count of a name.
func (c *counts[V]) of(name string) *V {
	if v := (*c)[name]; v != nil {
		return v
	}
	if *c == nil {
		*c = counts[V]{}
	}
	v := new(V)
	(*c)[name] = v
	return v
}

// values returns a copy of the counts, which is not nil.
func (c counts[V]) values() map[string]V {
	values := make(map[string]V, len(c))
	for name, v := range c {
		values[name] = *v
	}
	return values
}
