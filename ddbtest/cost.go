package ddbtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Cost is what requests used. Each attempt of a call is a request.
type Cost struct {
	Requests   map[string]int   // by operation
	Errors     map[string]int   // by code
	Tables     map[string]Units // by table, as "orders", and by index, as "orders/byDate"
	ReadUnits  float64
	WriteUnits float64

	Pages     int // requests of Query and Scan
	Filtered  int // pages with a filter
	Evaluated int // items, be they missing, that reads paid for,
	Returned  int // and those of them that were returned
}

// Units is capacity.
type Units struct{ Read, Write float64 }

// Cost returns what all requests so far have used, those that failed and late ones included.
func (db *DB) Cost() Cost {
	db.catchUp()
	db.journal.mu.Lock()
	defer db.journal.mu.Unlock()
	return db.journal.cost.clone()
}

// Measure returns what was used while f ran.
func Measure(db *DB, f func()) Cost {
	before := db.Cost()
	f()
	return db.Cost().Minus(before)
}

// Total is the number of requests of these operations, or of all where none is named.
func (c Cost) Total(operations ...string) int {
	n := 0
	for operation, count := range c.Requests {
		if len(operations) == 0 || slices.Contains(operations, operation) {
			n += count
		}
	}
	return n
}

// Minus is what was used since an earlier cost.
func (c Cost) Minus(earlier Cost) Cost {
	since := c.clone()
	subtract(since.Requests, earlier.Requests)
	subtract(since.Errors, earlier.Errors)
	for name, u := range earlier.Tables {
		left := Units{since.Tables[name].Read - u.Read, since.Tables[name].Write - u.Write}
		if since.Tables[name] = left; left == (Units{}) {
			delete(since.Tables, name)
		}
	}
	since.ReadUnits -= earlier.ReadUnits
	since.WriteUnits -= earlier.WriteUnits
	since.Pages -= earlier.Pages
	since.Filtered -= earlier.Filtered
	since.Evaluated -= earlier.Evaluated
	since.Returned -= earlier.Returned
	return since
}

func subtract(from, counts map[string]int) {
	for name, n := range counts {
		if from[name] -= n; from[name] == 0 {
			delete(from, name)
		}
	}
}

func (c Cost) clone() Cost {
	c.Requests, c.Errors, c.Tables = orEmpty(c.Requests), orEmpty(c.Errors), orEmpty(c.Tables)
	return c
}

func orEmpty[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}

// add counts a request. One that came too late was counted when it came.
func (c *Cost) add(r *Request, uses []capacity.Use) {
	if c.Requests == nil {
		*c = c.clone()
	}
	if !r.Late {
		c.Requests[r.Operation]++
		if fault.IsPage(r.Operation) {
			c.Pages++
		}
	}
	if r.ErrorCode != "" {
		c.Errors[r.ErrorCode]++
	}
	if r.Filtered {
		c.Filtered++
	}
	c.Evaluated += r.Evaluated
	c.Returned += r.Returned
	c.ReadUnits += r.ReadUnits
	c.WriteUnits += r.WriteUnits
	for _, u := range uses {
		if u.Read+u.Write == 0 {
			continue
		}
		name := resource(u)
		sum := c.Tables[name]
		c.Tables[name] = Units{sum.Read + u.Read, sum.Write + u.Write}
	}
}

// resource names a table, or an index of it.
func resource(u capacity.Use) string {
	if u.Index == "" {
		return u.Table
	}
	return u.Table + "/" + u.Index
}

// String is a small table.
func (c Cost) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s\n", plural(float64(c.Total()), "request"), plural(c.ReadUnits, "read unit"), plural(c.WriteUnits, "write unit"))
	for _, operation := range slices.Sorted(maps.Keys(c.Requests)) {
		fmt.Fprintf(&b, "  %-20s %d\n", operation, c.Requests[operation])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tables)) {
		fmt.Fprintf(&b, "  %-20s %g read, %g written\n", name, c.Tables[name].Read, c.Tables[name].Write)
	}
	if c.Pages > 0 {
		fmt.Fprintf(&b, "  %s: %s of %d, %d filtered\n", plural(float64(c.Pages), "page"), plural(float64(c.Returned), "item"), c.Evaluated, c.Filtered)
	}
	return b.String()
}
