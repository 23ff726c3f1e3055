package capacity

import (
	"cmp"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
)

// Use is the units that one step of an operation consumes from a table or an index.
type Use struct {
	Table     string
	Index     string // "" is the table itself
	Local     bool   // the index is a local secondary index
	Partition string // encoded partition key; its load is counted
	Read      float64
	Write     float64
}

// Units returns the units of the use.
func (u *Use) Units() Units { return Units{u.Read, u.Write} }

// Units are read and write units.
type Units struct{ Read, Write float64 }

// Plus returns the sum.
func (u Units) Plus(other Units) Units { return Units{u.Read + other.Read, u.Write + other.Write} }

// Meter sums the units that one operation consumes. It must not be copied.
type Meter struct {
	uses  []Use
	first [1]Use            // uses begins here
	names map[string]string // what the request calls a table, by table name, if it differs
}

// SetName sets the name that the reply uses for a table, if the request uses another one: the ARN.
func (m *Meter) SetName(table, as string) {
	if table == as {
		return
	}
	if m.names == nil {
		m.names = map[string]string{}
	}
	m.names[table] = as
}

// Add records a use. A use of 0 units still includes its table in the reply.
func (m *Meter) Add(u Use) {
	if m.uses == nil {
		m.uses = m.first[:0]
	}
	m.uses = append(m.uses, u)
}

// Uses returns all recorded uses.
func (m *Meter) Uses() []Use { return m.uses }

// Consumed returns the ConsumedCapacity member for one table. It is nil unless mode is TOTAL or
// INDEXES. If split is true, it also reports read and write units separately, as only transactions
// do.
func (m *Meter) Consumed(table, mode string, split bool) *api.ConsumedCapacity {
	if mode != "TOTAL" && mode != "INDEXES" {
		return nil
	}
	var all, own Units
	locals, globals := map[string]Units{}, map[string]Units{}
	for _, u := range m.uses {
		if u.Table != table {
			continue
		}
		all = all.Plus(u.Units())
		switch {
		case u.Index == "":
			own = own.Plus(u.Units())
		case u.Local:
			locals[u.Index] = locals[u.Index].Plus(u.Units())
		default:
			globals[u.Index] = globals[u.Index].Plus(u.Units())
		}
	}
	total := all.capacity(split)
	c := &api.ConsumedCapacity{
		TableName: cmp.Or(m.names[table], table), CapacityUnits: total.CapacityUnits,
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

// All returns the ConsumedCapacity members of an operation on several tables, in the order of first
// use. See [Meter.Consumed] for split.
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

func byIndex(used map[string]Units, split bool) map[string]api.Capacity {
	if len(used) == 0 {
		return nil
	}
	c := make(map[string]api.Capacity, len(used))
	for name, u := range used {
		c[name] = u.capacity(split)
	}
	return c
}

func (u Units) capacity(split bool) api.Capacity {
	sum := u.Read + u.Write
	c := api.Capacity{CapacityUnits: &sum}
	if split && u.Read > 0 {
		c.ReadCapacityUnits = &u.Read
	}
	if split && u.Write > 0 {
		c.WriteCapacityUnits = &u.Write
	}
	return c
}
