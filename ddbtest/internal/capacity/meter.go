package capacity

import (
	"cmp"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
)

// Use is the units that one step of an operation took of a table or of an index.
type Use struct {
	Table     string
	Index     string // "" for the table itself
	Local     bool   // the index is a local one
	Partition string // the partition's place: whose heat it is
	Read      float64
	Write     float64
}

// Meter adds up what one operation uses.
type Meter struct {
	uses   []Use
	called map[string]string // tables by name, where a request calls them otherwise
}

// Call lets the reply call a table as the request does, if it does so by another name: the table's ARN.
func (m *Meter) Call(table, as string) {
	if table == as {
		return
	}
	if m.called == nil {
		m.called = map[string]string{}
	}
	m.called[table] = as
}

// Add takes note of a use. A use of nothing still makes its table known.
func (m *Meter) Add(u Use) { m.uses = append(m.uses, u) }

// Uses returns all that was noted.
func (m *Meter) Uses() []Use { return m.uses }

// Consumed is the reply's member for one table: nil unless mode is TOTAL or INDEXES. Split adds reads and writes apart, as transactions alone
// have them.
func (m *Meter) Consumed(table, mode string, split bool) *api.ConsumedCapacity {
	if mode != "TOTAL" && mode != "INDEXES" {
		return nil
	}
	var all, own units
	locals, globals := map[string]units{}, map[string]units{}
	for _, u := range m.uses {
		if u.Table != table {
			continue
		}
		all.add(u)
		switch {
		case u.Index == "":
			own.add(u)
		case u.Local:
			locals[u.Index] = locals[u.Index].plus(u)
		default:
			globals[u.Index] = globals[u.Index].plus(u)
		}
	}
	total := all.capacity(split)
	c := &api.ConsumedCapacity{
		TableName: cmp.Or(m.called[table], table), CapacityUnits: total.CapacityUnits,
		ReadCapacityUnits: total.ReadCapacityUnits, WriteCapacityUnits: total.WriteCapacityUnits,
	}
	if mode == "INDEXES" {
		t := own.capacity(split)
		c.Table = &t
		c.LocalSecondaryIndexes = byIndex(locals, split)
		c.GlobalSecondaryIndexes = byIndex(globals, split)
	}
	return c
}

// All is the reply's member of an operation on many tables, in the order in which they were first used. Split is as in [Meter.Consumed].
func (m *Meter) All(mode string, split bool) []*api.ConsumedCapacity {
	var tables []string
	for _, u := range m.uses {
		if !slices.Contains(tables, u.Table) {
			tables = append(tables, u.Table)
		}
	}
	var all []*api.ConsumedCapacity
	for _, table := range tables {
		if c := m.Consumed(table, mode, split); c != nil {
			all = append(all, c)
		}
	}
	return all
}

func byIndex(used map[string]units, split bool) map[string]api.Capacity {
	if len(used) == 0 {
		return nil
	}
	c := make(map[string]api.Capacity, len(used))
	for name, u := range used {
		c[name] = u.capacity(split)
	}
	return c
}

type units struct{ read, write float64 }

func (u *units) add(use Use) { u.read, u.write = u.read+use.Read, u.write+use.Write }

func (u units) plus(use Use) units {
	u.add(use)
	return u
}

func (u units) capacity(split bool) api.Capacity {
	sum := u.read + u.write
	c := api.Capacity{CapacityUnits: &sum}
	if split && u.read > 0 {
		c.ReadCapacityUnits = &u.read
	}
	if split && u.write > 0 {
		c.WriteCapacityUnits = &u.write
	}
	return c
}
