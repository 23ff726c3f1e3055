package tx_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/tx"
)

// silentShop returns tables of a database that counts the requests, of which there are none.
func silentShop(t *testing.T) (*shop, *testfaults.Transport) {
	t.Helper()
	transport := &testfaults.Transport{}
	return newShop(t, ddbtest.Start(t).Client(transport.Install)), transport
}

// positionsOf returns the positions that an error names, each once.
func positionsOf(t testing.TB, err error) (list []string) {
	t.Helper()
	var invalid *errs.ValidationError
	require.ErrorAs(t, err, &invalid)
	for _, p := range invalid.Problems {
		position, _, _ := strings.Cut(p.Field, ".")
		if !slices.Contains(list, position) {
			list = append(list, position)
		}
	}
	slices.Sort(list)
	return list
}

// operation is an operation and whether it is valid on its own.
type operation struct {
	name  string
	op    entity.Operation
	valid bool
}

// mistaken returns an operation for each mistake, and valid ones.
func mistaken(t *testing.T, s *shop) []operation {
	t.Helper()
	elsewhere, _ := silentShop(t)
	var (
		bare    entity.Op[stock]
		none    *entity.Op[stock]
		nobody  *entity.Repo[stock]
		unbound entity.Repo[stock]
	)
	put := s.stock.Op().Put(&stock{SKU: "p"})
	return []operation{
		{"valid", put, true},
		{"valid check", s.stock.Op().Check(stock{SKU: "c"}), true},
		{"valid overwrite", s.orders.Op().Overwrite(&order{Customer: "o", ID: "1", Status: "x"}), true},
		{"valid in another table", s.events.Op().Put(&event{ID: "p"}), true},
		{"valid move", tx.Move(s.stock, stock{SKU: "m1"}, &stock{SKU: "m2"}), true},
		{"nil", nil, false},
		{"a nil pointer", none, false},
		{"zero", &bare, false},
		{"of a nil repository", nobody.Op().Put(&stock{SKU: "a"}), false},
		{"of an unopened repository", unbound.Op().Put(&stock{SKU: "a"}), false},
		{"a move of a nil repository", tx.Move(nobody, stock{SKU: "a"}, &stock{SKU: "b"}), false},
		{"a get", s.stock.Op().Get(stock{SKU: "g"}), false},
		{"with a token", put.Once("token"), false},
		{"with an invalid token", put.Once(""), false},
		{"with a return", put.Return(trestle.AllOld), false},
		{"with an invalid return", put.Return(trestle.AllNew), false},
		{"with both", put.Once("token").Return(trestle.AllOld), false},
		{"of another client", elsewhere.stock.Op().Put(&stock{SKU: "e"}), false},
		{"a nil entity", s.stock.Op().Put(nil), false},
		{"a move to nil", tx.Move(s.stock, stock{SKU: "a"}, nil), false},
		{"a move to the same key", tx.Move(s.stock, stock{SKU: "a"}, &stock{SKU: "a"}), false},
		{"no key", s.stock.Op().Put(&stock{}), false},
		{"no key to move from", tx.Move(s.stock, stock{}, &stock{SKU: "b"}), false},
		{"no key to update", s.orders.Op().Update(order{ID: "1"}, orderTotal.Set(1)), false},
		{"text that is not UTF-8", s.stock.Op().Put(&stock{SKU: "u", Note: "\xff"}), false},
		{"too large", s.stock.Op().Put(&stock{SKU: "l", Note: strings.Repeat("x", largest)}), false},
		{"an index key without its fields", s.orders.Op().Update(order{Customer: "i"}, orderStatus.Set("x")), false},
		{"a nil condition", s.stock.Op().Check(stock{SKU: "n"}, nil), false},
	}
}

var orderStatus = attr.Must(func(o *order) *string { return &o.Status })

// Each mistake is found before anything is sent, by Do, Input and Explain.
func TestMistakes(t *testing.T) {
	t.Parallel()
	s, transport := silentShop(t)
	for _, m := range mistaken(t, s) {
		if m.valid {
			continue
		}
		w := tx.NewWrite(s.events.Op().Put(&event{ID: "1"}), m.op, s.events.Op().Put(&event{ID: "2"}))
		_, err := w.Do(t.Context())
		kind := trestle.ErrInvalid
		if m.name == "too large" {
			kind = trestle.ErrLimit
		}
		requireOutcome(t, err, trestle.NotApplied, kind)
		require.Equal(t, []string{"operations[1]"}, positionsOf(t, err), m.name)
		_, other := w.Input()
		require.Equal(t, err, other, m.name)
		_, other = w.Explain()
		require.Equal(t, err, other, m.name)
	}
	requireSent(t, 0, transport)
}

// All problems of one operation are reported.
func TestSeveralMistakesOfOneOperation(t *testing.T) {
	t.Parallel()
	s, _ := silentShop(t)
	elsewhere, _ := silentShop(t)
	err := tx.Write(t.Context(), s.stock.Op().Put(&stock{SKU: "a"}), elsewhere.stock.Op().Put(&stock{Note: "\xff"}).Once("t").Return(trestle.AllOld))
	var invalid *errs.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Len(t, invalid.Problems, 5, "token, return, client, key, text: %v", err)
}

// Two operations on one item are found, whatever they do, also with mistakes of others, and with
// reads before them. One item in each of two tables is no mistake.
func TestTwoOperationsOnOneItem(t *testing.T) {
	t.Parallel()
	s, transport := silentShop(t)
	a := stock{SKU: "a"}
	of := map[string]entity.Operation{
		"put": s.stock.Op().Put(&a), "create": s.stock.Op().Create(&a), "update": s.stock.Op().Update(a, count.Set(1)), "upsert": s.stock.Op().Upsert(a, count.Set(1)),
		"overwrite": s.stock.Op().Overwrite(&a), "delete": s.stock.Op().Delete(a), "check": s.stock.Op().Check(a), "move from": tx.Move(s.stock, a, &stock{SKU: "b"}),
		"move to": tx.Move(s.stock, stock{SKU: "c"}, &a),
	}
	for one := range of {
		for two := range of {
			err := tx.Write(t.Context(), s.stock.Op().Put(&stock{SKU: "x"}), of[one], of[two])
			requireOutcome(t, err, trestle.NotApplied, trestle.ErrInvalid)
			require.Equal(t, []string{"operations[2]"}, positionsOf(t, err), "%s, %s", one, two)
		}
	}
	over := func(id string) entity.Operation {
		return s.orders.Op().Overwrite(&order{Customer: "ann", ID: id, Status: "x"})
	}
	err := tx.Write(t.Context(), over("1"), over("2"), nil, over("1"), s.orders.Op().Delete(order{Customer: "ann", ID: "2"}))
	requireOutcome(t, err, trestle.NotApplied, trestle.ErrInvalid)
	require.Equal(t, []string{"operations[2]", "operations[3]", "operations[4]"}, positionsOf(t, err))
	requireSent(t, 0, transport)

	two := entity.NewSchema(entity.Config{})
	types := entity.Define[event](two)
	first, err := two.Open(s.client, "first")
	require.NoError(t, err)
	second, err := two.Open(s.client, "second")
	require.NoError(t, err)
	require.NoError(t, errors.Join(first.Create(t.Context()), second.Create(t.Context())))
	require.NoError(t, tx.Write(t.Context(), types.In(first).Op().Put(&event{ID: "1"}), types.In(second).Op().Put(&event{ID: "1"})))
}

// Random lists of valid and invalid operations: one error names exactly the positions of the
// invalid ones and of the second operations on an item. Nothing is sent, and nothing panics.
func TestRandomMistakes(t *testing.T) {
	t.Parallel()
	s, transport := silentShop(t)
	r := testrand.New(t)
	choices := mistaken(t, s)
	duplicates, mistakes := 0, 0
	for range testsize.Pick(300, 3000) {
		ops := []entity.Operation{s.events.Op().Put(&event{ID: "first"})} // its client is that of the transaction
		want, seen := []string{}, map[string]bool{}
		for i := range 1 + r.IntN(12) {
			c := choices[r.IntN(len(choices))]
			if r.IntN(2) == 0 {
				c = choices[r.IntN(5)]
			}
			ops = append(ops, c.op)
			switch {
			case !c.valid:
				mistakes++
			case seen[c.name]:
				duplicates++
			default:
				seen[c.name] = true
				continue
			}
			want = append(want, fmt.Sprintf("operations[%d]", i+1))
		}
		if len(want) == 0 {
			continue
		}
		slices.Sort(want)
		_, err := tx.NewWrite(ops...).Do(t.Context())
		require.Equal(t, want, positionsOf(t, err))
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	}
	requireSent(t, 0, transport)
	require.Positive(t, duplicates)
	require.Positive(t, mistakes)
}

// Without operations, nothing is sent and nothing fails.
func TestNoOperations(t *testing.T) {
	t.Parallel()
	s, transport := silentShop(t)
	r, err := tx.NewWrite().Do(t.Context())
	require.NoError(t, err)
	require.Zero(t, r)
	x, err := tx.NewWrite().Explain()
	require.NoError(t, err)
	require.Empty(t, x.String())
	in, err := tx.NewWrite().Input()
	require.NoError(t, err)
	require.Empty(t, in.TransactItems)
	require.NoError(t, tx.Read(t.Context()))
	rx, err := tx.NewRead().Explain()
	require.NoError(t, err)
	require.Empty(t, rx.String())
	require.ErrorIs(t, tx.WriteOnce(t.Context(), ""), trestle.ErrInvalid)
	require.NotNil(t, s)
	requireSent(t, 0, transport)
}
