package check_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
)

func newRand(t *testing.T) *rand.Rand {
	t.Helper()
	return testrand.New(t)
}

func key(attributes ...string) store.KeySchema {
	var k store.KeySchema
	part := &k.Partition
	for _, text := range attributes {
		if text == "|" {
			part = &k.Sort
			continue
		}
		name, kind, _ := strings.Cut(text, ":")
		*part = append(*part, store.KeyAttribute{Name: name, Kind: value.KindOf(kind)})
	}
	return k
}

func attr(name string, v value.Value) value.Attribute { return value.Attribute{Name: name, Value: v} }

func text(n int) value.String { return value.String(strings.Repeat("x", n)) }

func octets(n int) value.Binary { return value.Binary(strings.Repeat("\x00", n)) }

func number(n int64) value.Number { return value.Number{Decimal: decimal.FromInt(n)} }

// requireMessage checks the error message; "" means no error.
func requireMessage(t *testing.T, want string, err error) {
	t.Helper()
	if want == "" {
		require.NoError(t, err)
		return
	}
	var e *awserr.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, awserr.CodeValidation, e.Code)
	require.Equal(t, want, e.Message)
}

// newTable returns a table with the key pk and sk and the indexes, in that order.
func newTable(indexes ...*store.Index) (*store.State, *store.Table) {
	s := store.NewState()
	t := &store.Table{Name: "things", Key: key("pk:S", "|", "sk:N")}
	for _, ix := range indexes {
		ix.Projection.Type = "ALL"
		t.AddIndex(ix)
	}
	s.Tables[t.Name] = t
	return s, t
}
