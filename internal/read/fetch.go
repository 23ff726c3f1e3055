package read

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// FetchPage is the maximum number of entries that one request of an index reads if their items are
// fetched, unless the caller sets another: as many as one batch read has keys.
const FetchPage = 100

// Fetch describes how a query reads the whole items of the entries that an index returns.
type Fetch struct {
	Strong     bool              // the items are read strongly consistently
	Projection string            // of the items; empty: all attributes
	Names      map[string]string // of Projection
	// Filter is the filter on the items, which is evaluated after they are read. It has all
	// conditions of the caller, also those on attributes of the index, because the index may lag
	// behind the item.
	Filter       string
	FilterNames  map[string]string
	FilterValues op.Item

	key        []core.Attribute // of the index
	keep       clause.And
	attributes []string // that keep depends on
}

// IsCurrent reports whether an item still has the key of the entry that the index returned.
func (f *Fetch) IsCurrent(entry, item core.Row) bool {
	return !slices.ContainsFunc(f.key, func(a core.Attribute) bool {
		is := item.Attribute(a.Name)
		return is == nil || !core.SameValue(entry.Attribute(a.Name), is)
	})
}

// Keeps reports whether an item fulfills the filter.
func (f *Fetch) Keeps(item core.Row) bool {
	if len(f.keep) == 0 {
		return true
	}
	values := make(op.Item, len(f.attributes))
	for _, name := range f.attributes {
		if av := item.Attribute(name); av != nil {
			values[name] = av
		}
	}
	return f.keep.Holds(values)
}

// fetches reports whether a query that may fetch items needs to: the index lacks attributes of the
// result or of the filter, or the time to live, or has no strongly consistent reads.
func (t target) fetches(q *Query) bool {
	switch {
	case !q.Fetch || q.Count || q.scans() || t.index == nil:
		return false
	case q.Strong && !t.index.StrongReads():
		return true
	case t.index.All():
		return false
	}
	s := q.Plan.Schema
	return q.Collection || !t.hasAll(q) || q.hides() && !t.holdsTTL(s) ||
		slices.ContainsFunc(q.Filter, func(f Filter) bool { return !t.serves(f) })
}

// serves reports whether the target has all attributes of a filter. It is true for a condition that
// cannot be compiled, which is reported elsewhere.
func (t target) serves(f Filter) bool {
	if t.index == nil || f.Cond == nil {
		return true
	}
	names, _ := expr.Attributes(f.Cond, f.Plan)
	return !slices.ContainsFunc(names, func(name string) bool { return !t.index.Projects(f.Plan.Schema, name) })
}

// fetch compiles how the items of the entries are read.
func (c *compiler) fetch(p *Plan) {
	if !c.target.fetch {
		return
	}
	f := &Fetch{Strong: c.query.Strong, key: slices.Concat(c.target.index.Partition, c.target.index.Sort)}
	p.Fetch = f
	c.fetchFilter(f)
	if c.query.Fields != nil {
		c.fetchProjection(f, p.Position)
	}
}

// fetchFilter compiles the filter on the items.
func (c *compiler) fetchFilter(f *Fetch) {
	b := expr.NewBuilder()
	var texts []string
	for _, own := range c.query.Filter {
		if own.Cond == nil {
			continue
		}
		if p, err := expr.Compile(own.Plan, own.Cond); err == nil { // else filter reports it
			f.keep, texts = append(f.keep, p), append(texts, string(p.Render(nil, b)))
			names, _ := expr.Attributes(own.Cond, own.Plan)
			f.attributes = append(f.attributes, names...)
		}
	}
	f.Filter, f.FilterNames, f.FilterValues = allOf(texts), b.Names(), b.Values()
}

// fetchProjection compiles the projection of the items: the attributes of the wanted fields, of the
// keys, of the time to live, and of the filter.
func (c *compiler) fetchProjection(f *Fetch, position []core.Attribute) {
	names := c.wanted(target{}, position)
	for _, own := range c.query.Filter {
		used, _ := expr.Attributes(own.Cond, own.Plan)
		for _, name := range used {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	b := expr.NewBuilder()
	f.Projection = marksOf(b, names)
	f.Names = b.Names()
	c.problems.AddErr("", expr.CheckLength(f.Projection))
}

// marksOf returns a projection of attributes.
func marksOf(b *expr.Builder, names []string) string {
	marks := make([]string, len(names))
	for i, name := range names {
		marks[i] = b.Name(name)
	}
	return strings.Join(marks, ", ")
}

// allOf joins conditions with AND.
func allOf(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	joined := make([]string, len(texts))
	for i, text := range texts {
		joined[i] = "(" + text + ")"
	}
	return strings.Join(joined, " AND ")
}
