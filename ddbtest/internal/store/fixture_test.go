package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
)

// epoch is the time at which the tests begin.
var epoch = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// newRand returns a random source and logs its seed.
func newRand(t *testing.T) *rand.Rand {
	t.Helper()
	return testrand.New(t)
}

func attribute(name string, kind value.Kind) KeyAttribute {
	return KeyAttribute{Name: name, Kind: kind}
}

func partition(a ...KeyAttribute) KeySchema { return KeySchema{Partition: a} }

func (k KeySchema) sortedBy(a ...KeyAttribute) KeySchema {
	k.Sort = a
	return k
}

// The attributes of the test table. Items have the key, any of the others, and sometimes a type
// that no index accepts.
var (
	pk = attribute("pk", value.KindString)
	sk = attribute("sk", value.KindNumber)
	a  = attribute("a", value.KindString)
	b  = attribute("b", value.KindNumber)
	c  = attribute("c", value.KindBinary)
)

// newTable returns a table with a local index, a sparse global index, one with a multi-attribute
// key, and one with the reversed table key.
func newTable(s *State, name string) *Table {
	t := &Table{Name: name, ARN: "arn:aws:dynamodb:r:1:table/" + name, Key: partition(pk).sortedBy(sk), Definition: []KeyAttribute{pk, sk, a, b, c}}
	t.AddIndex(&Index{Name: "local", Local: true, Key: partition(pk).sortedBy(b), Projection: Projection{Type: "ALL"}})
	t.AddIndex(&Index{Name: "sparse", Key: partition(a), Projection: Projection{Type: "KEYS_ONLY"}})
	t.AddIndex(&Index{Name: "several", Key: partition(a, b).sortedBy(c, sk), Projection: Projection{Type: "INCLUDE", Names: []string{"d"}}})
	t.AddIndex(&Index{Name: "reversed", Key: partition(sk).sortedBy(pk), Projection: Projection{Type: "ALL"}})
	s.AddTable(t)
	return t
}

func number(n int64) value.Number { return value.Number{Decimal: decimal.FromInt(n)} }

// randomKey returns one of few keys.
func randomKey(r *rand.Rand) value.Map {
	return value.MapOf(
		value.Attribute{Name: "pk", Value: value.String(fmt.Sprint("p", r.IntN(4)))},
		value.Attribute{Name: "sk", Value: number(r.Int64N(8) - 4)},
	)
}

// randomItem returns an item with one of few keys and any of few attributes.
func randomItem(r *rand.Rand) value.Map {
	item := randomKey(r)
	for _, name := range []string{"a", "b", "c", "d"} {
		if r.IntN(4) > 0 {
			item = item.With(name, randomValue(r, name))
		}
	}
	return item
}

func randomValue(r *rand.Rand, name string) value.Value {
	kind := map[string]int{"a": 0, "b": 1, "c": 2}[name]
	if r.IntN(8) == 0 {
		kind = r.IntN(3) // possibly not the type of the index key
	}
	switch kind {
	case 0:
		return value.String([]string{"", "x", "x\x00", "xy", "é"}[r.IntN(5)])
	case 1:
		return number(r.Int64N(25) - 12)
	default:
		return value.Binary([]string{"", "\x00", "\x00\xff", "\xff"}[r.IntN(4)])
	}
}

// write puts or deletes a random item.
func write(r *rand.Rand, s *State, t *Table) (old, item value.Map) {
	if r.IntN(3) == 0 {
		return s.Delete(t, randomKey(r)), nil
	}
	item = randomItem(r)
	return s.Put(t, item), item
}
