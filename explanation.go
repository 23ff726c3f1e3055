package trestle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Explanation describes what a call would send and its estimated cost. The methods Explain of
// packages entity and query return it; they send nothing. It shows no values: an operand is a "?".
type Explanation struct {
	Operation  string // "query", "put", …
	Entity     string // type name; empty for an operation on several types
	Table      string // the table's name
	Access     string // access pattern; empty for the table's own key
	Index      string // of a read: the index; empty for the table
	Key        string // the key by its templates, or the key condition
	Partitions string // of a query of several partitions: "16 shards, merged by sort key"
	Condition  string // of a write: the condition expression
	Update     string // of an update: the update expression
	Filter     string // of a read: the filter; dropped items still cost read units
	// Expired describes how expired items are dropped, or what a write does that meets one, at
	// further cost; empty if the type has no time to live, if expired items are shown, and for
	// a write that costs the same. Dropped items still cost read units.
	Expired    string
	Projection string // the returned attributes; empty for all
	// Fetch describes how a query with Fetch reads the items of the entries that the index returns;
	// empty if it reads none. FetchFilter is the filter that is evaluated on these items; Filter is
	// the one on the entries. FetchUnits is the part of Units for them.
	Fetch       string
	FetchFilter string
	FetchUnits  Capacity
	Strong      bool   // the read is strongly consistent, at twice the units
	Descending  bool   // the read starts at the end of the sort key
	Bounds      string // of a query or a scan: its limits, such as "Limit 25, MaxRequests 3"
	// Transaction reports whether the operation is sent as a transaction, at twice the units of the
	// item.
	Transaction bool
	// ReadsFirst reports whether a write first reads the item, strongly consistent, and is planned
	// from that item.
	ReadsFirst bool
	// ReadsAfter reports whether a transaction is followed by a strongly consistent read of the
	// item, which the call returns. DynamoDB returns no items from a transaction.
	ReadsAfter bool
	// Also lists the other items that the same transaction writes, by their keys, such as the
	// guards of unique values.
	Also []string
	// Indexes lists the indexes in which a write changes the entry of its item, and how, such as
	// "GSI1 (an entry moved)". AlsoIndexes lists those of the items in Also.
	Indexes, AlsoIndexes []string

	// Units estimates the cost under the assumptions in Assumed. It assumes that a put and a create
	// find no item, and that an overwrite finds an item with the same index keys. If the index keys
	// differ, DynamoDB also deletes the old entry, which costs its size. It assumes that an update,
	// an upsert and a delete find an item in every index of its type. It does not include retries
	// and conflicts with other writers.
	Units   Capacity
	Assumed Assumption // the assumptions of Units
}

// String returns the explanation as lines of text, for people and for golden files: the operation,
// then one property per line.
func (e Explanation) String() string {
	if e.Operation == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(e.Operation)
	if e.Entity != "" {
		b.WriteString(" " + e.Entity)
	} else {
		b.WriteString(" of any type")
	}
	if e.Access != "" {
		b.WriteString(" " + e.Access)
	}
	b.WriteByte('\n')
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-10s %s\n", name, text)
		}
	}
	line("table", e.Table)
	line("index", e.Index)
	line("key", e.Key)
	line("partitions", e.Partitions)
	line("condition", e.Condition)
	line("update", e.Update)
	line("filter", e.Filter)
	line("expired", e.Expired)
	line("attributes", e.Projection)
	if e.reads() {
		line("reads", e.manner())
		line("bounds", e.Bounds)
		line("fetches", e.Fetch)
		line("filter", e.afterFetch())
	}
	if e.ReadsFirst {
		line("reads", "the item first, strongly consistent")
	}
	if e.ReadsAfter {
		line("reads", "the item afterwards, strongly consistent")
	}
	if e.Transaction {
		line("sent", "as a transaction, at twice the units of the item")
	}
	for _, item := range e.Also {
		line("also", item)
	}
	line("writes", strings.Join(slices.Concat(e.Indexes, e.AlsoIndexes), ", "))
	line("estimate", e.estimate())
	return b.String()
}

// reads reports whether the operation returns items.
func (e Explanation) reads() bool { return e.Units.Write == 0 }

func (e Explanation) manner() string {
	text := "eventually consistent"
	if e.Strong {
		text = "strongly consistent"
	}
	if e.Descending {
		text += ", from the end"
	}
	return text
}

func (e Explanation) afterFetch() string {
	if e.FetchFilter == "" {
		return ""
	}
	return e.FetchFilter + ", on the fetched items"
}

func (e Explanation) estimate() string {
	a := e.Assumed
	size := fmt.Sprintf("%d bytes", a.ItemSize)
	if !a.Exact {
		size += " (assumed)"
	}
	switch {
	case e.ReadsFirst || e.ReadsAfter:
		return fmt.Sprintf("%s and %s for an item of %s", amount(e.Units.Read, "read"), amount(e.Units.Write, "write"), size)
	case !e.reads():
		return fmt.Sprintf("%s for an item of %s", amount(e.Units.Write, "write"), size)
	case a.Items == 0:
		return "nothing"
	case e.Fetch != "":
		return fmt.Sprintf("%s for %d entries of %d bytes, %s for their items of %s",
			amount(e.Units.Read-e.FetchUnits.Read, "read"), a.Items, a.EntrySize, amount(e.FetchUnits.Read, "read"), size)
	case a.Items == 1:
		return fmt.Sprintf("%s for an item of %s", amount(e.Units.Read, "read"), size)
	}
	return fmt.Sprintf("%s for %d items of %s", amount(e.Units.Read, "read"), a.Items, size)
}

// amount returns a number of units as text.
func amount(n float64, kind string) string {
	text := number(n) + " " + kind + " unit"
	if n != 1 {
		text += "s"
	}
	return text
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Assumption is the basis of an estimate of capacity units. A zero field gets its default.
//
// The default of ItemSize is 1,024 bytes. The default of Items is 1 if the key conditions select a
// single item. For other queries it is the Limit. Without a Limit it is PageSize times MaxRequests,
// or PageSize alone without MaxRequests. Without these it is 100, and it is at least 100 for a
// Limit with a filter. For a scan it is 100.
//
// MaxRequests and MaxUnits reduce Items to the number that the read reaches within them. So does a
// Limit without a filter. The estimate of a put, a create and an overwrite uses the size of the
// given item instead.
type Assumption struct {
	Items int // read items, including those that a filter drops; with Fetch: read entries
	// ItemSize is the number of bytes per item, names and values; on an index, of the projected
	// item, but with Fetch of the whole item.
	ItemSize int
	// EntrySize is the size in bytes of an index entry that a write changes, for indexes that do
	// not project all attributes, or that a query with Fetch reads; zero: 1,024, or ItemSize if
	// that is less.
	EntrySize int
	Exact     bool // set by the library: the size is that of the given item
}
