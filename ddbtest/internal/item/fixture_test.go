package item

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The test tables: one with indexes, and one whose key is a number.
const (
	indexed = "indexed"
	numbers = "numbers"
)

func newDB(t *testing.T) *store.DB {
	t.Helper()
	attribute := func(name string, kind value.Kind) []store.KeyAttribute {
		return []store.KeyAttribute{{Name: name, Kind: kind}}
	}
	pk, g, l := attribute("pk", value.KindString), attribute("g", value.KindString), attribute("l", value.KindNumber)
	sk := attribute("sk", value.KindString)
	db := store.NewDB(new(clock.Clock))
	require.NoError(t, db.Update(func(s *store.State) error {
		s.AddTable(&store.Table{Name: numbers, Key: store.KeySchema{Partition: attribute("id", value.KindNumber)}})
		table := &store.Table{Name: indexed, Key: store.KeySchema{Partition: pk, Sort: sk}}
		s.AddTable(table)
		for _, ix := range []*store.Index{
			{Name: "local", Local: true, Key: store.KeySchema{Partition: pk, Sort: l}, Projection: store.Projection{Type: "ALL"}},
			{Name: "keys", Key: store.KeySchema{Partition: g}, Projection: store.Projection{Type: "KEYS_ONLY"}},
			{Name: "some", Key: store.KeySchema{Partition: g, Sort: l}, Projection: store.Projection{Type: "INCLUDE", Names: []string{"x"}}},
		} {
			table.AddIndex(ix)
		}
		return nil
	}))
	return db
}

func call(db *store.DB) *engine.Call { return &engine.Call{DB: db, Config: &engine.Config{}} }

// of makes an item, or the values of an expression, from alternating names and values: a string, an
// int, or a value.
func of(pairs ...any) value.Map {
	attributes := make([]value.Attribute, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		a := value.Attribute{Name: pairs[i].(string)}
		switch v := pairs[i+1].(type) {
		case string:
			a.Value = value.String(v)
		case int:
			a.Value = value.Number{Decimal: decimal.FromInt(int64(v))}
		case value.Value:
			a.Value = v
		}
		attributes = append(attributes, a)
	}
	return value.MapOf(attributes...)
}

// values returns the values of an expression.
func values(pairs ...any) map[string]value.Value {
	m := map[string]value.Value{}
	for _, a := range of(pairs...) {
		m[a.Name] = a.Value
	}
	return m
}

func pointer(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// stored returns the item with the key.
func stored(t *testing.T, db *store.DB, table string, key value.Map) (item value.Map) {
	t.Helper()
	require.NoError(t, db.View(func(s *store.State) error {
		item = s.Tables[table].Get(key)
		return nil
	}))
	return item
}

func keep(t *testing.T, db *store.DB, table string, item value.Map) {
	t.Helper()
	require.NoError(t, db.Update(func(s *store.State) error {
		s.Put(s.Tables[table], item)
		return nil
	}))
}

// requireServiceError checks the code and the message of an error.
func requireServiceError(t *testing.T, code, message string, err error) {
	t.Helper()
	var refusal *awserr.Error
	require.ErrorAs(t, err, &refusal, message)
	require.Equal(t, code, refusal.Code, "%v", err)
	require.Equal(t, message, refusal.Message)
}
