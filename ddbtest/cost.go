package ddbtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Cost is what requests used. Each attempt of a call is a request.
type Cost struct {
	Requests   map[string]int   // by operation
	Errors     map[string]int   // by error code
	Tables     map[string]Units // by table, such as "orders", and by index, such as "orders/byDate"
	ReadUnits  float64
	WriteUnits float64

	Pages     int // requests of Query and Scan, and of PartiQL that run as one
	Filtered  int // pages with a filter
	Evaluated int // items that reads were charged for, including missing ones
	Returned  int // items that reads returned
}

// Units are read and write capacity units.
type Units struct{ Read, Write float64 }

// Cost returns what all requests used so far, including failed and late ones.
func (db *DB) Cost() Cost {
	db.runDue()
	db.usage.mu.Lock()
	defer db.usage.mu.Unlock()
	return db.usage.tally.cost()
}

// Measure returns what was used while f ran.
func (db *DB) Measure(f func()) Cost {
	before := db.Cost()
	f()
	return db.Cost().Minus(before)
}

// Total returns the number of requests of these operations, or of all operations if none is named.
func (c Cost) Total(operations ...string) int {
	n := 0
	for operation, count := range c.Requests {
		if len(operations) == 0 || slices.Contains(operations, operation) {
			n += count
		}
	}
	return n
}

// Minus returns what was used since an earlier cost.
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

// String returns the cost as a small table.
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

// plural returns a number with its unit.
func plural(n float64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%g %ss", n, thing)
}
