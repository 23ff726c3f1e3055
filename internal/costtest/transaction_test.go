package costtest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// transactions returns all kinds of transactions, in a valid order.
func (s store) transactions(long string) []call {
	one, two := note{Book: "w", ID: 1, Label: "l", Mark: "m", Rank: "r", Title: "t", Text: long}, note{Book: "w", ID: 2}
	key := note{Book: "w", ID: 1}
	moved := one
	moved.ID = 3
	p := page{ID: "p", Topic: "t", Area: "a", Text: long}
	again := p
	readFirst := s.pages.With(entity.ReadFirst())
	ops := s.notes.Op()
	write := func(name string, calls []costtest.Call, list ...entity.Operation) call {
		return call{name, func(ctx context.Context) error { return tx.Write(ctx, list...) }, []costtest.Call{costtest.Transaction(calls...)}}
	}
	read := func(name string, calls []costtest.Call, items ...tx.Item) call {
		return call{name, func(ctx context.Context) error { return tx.Read(ctx, items...) }, []costtest.Call{costtest.Transaction(calls...)}}
	}
	var n *note
	var pp *page
	return []call{
		write("one", []costtest.Call{costtest.Create(s.notes, &one)}, ops.Create(&one)),
		write("two types", []costtest.Call{costtest.Put(s.notes, &two), costtest.Create(s.pages, &again)}, ops.Put(&two), s.pages.Op().Create(&p)),
		write("every verb", []costtest.Call{
			costtest.Check(s.notes, two), costtest.Overwrite(s.pages, &again), costtest.Update(s.notes, key, label.Set("o"), text.Set("short")),
			costtest.Upsert(s.notes, note{Book: "w", ID: 4}, rank.Set("r"), text.Set(long)), costtest.Delete(s.notes, note{Book: "w", ID: 77}),
		}, ops.Update(key, label.Set("o"), text.Set("short")), ops.Check(two), ops.Upsert(note{Book: "w", ID: 4}, rank.Set("r"), text.Set(long)),
			ops.Delete(note{Book: "w", ID: 77}), s.pages.Op().Overwrite(&p)),
		write("reading first", []costtest.Call{costtest.Update(readFirst, page{ID: "p"}, topic.Set("u")), costtest.Put(s.notes, &one)},
			ops.Put(&one), readFirst.Op().Update(page{ID: "p"}, topic.Set("u"))),
		write("move", []costtest.Call{costtest.Move(s.notes, key, &moved), costtest.Check(s.pages, page{ID: "p"})},
			s.pages.Op().Check(page{ID: "p"}), tx.Move(s.notes, key, &moved)),
		{"move alone", func(ctx context.Context) error { return errOf(tx.Move(s.notes, note{Book: "w", ID: 3}, &one).Do(ctx)) },
			[]costtest.Call{costtest.Move(s.notes, note{Book: "w", ID: 3}, &one)}},
		{"check alone", func(ctx context.Context) error { return errOf(ops.Check(key).Do(ctx)) }, []costtest.Call{costtest.Check(s.notes, key)}},
		{"with a token", func(ctx context.Context) error {
			return errOf(ops.Update(key, text.Set(long)).Once("update " + fmt.Sprint(len(long))).Do(ctx))
		}, []costtest.Call{costtest.Transaction(costtest.Update(s.notes, key, text.Set(long)))}},
		read("read of several types", []costtest.Call{costtest.Get(s.pages, page{ID: "p"}), costtest.Get(s.notes.Strong(), key), costtest.Get(s.notes, note{Book: "none"})},
			tx.Get(s.notes, key, &n), tx.Get(s.pages, page{ID: "p"}, &pp), tx.Get(s.notes, key, &n), tx.Get(s.notes, note{Book: "none"}, &n)),
		read("read of one", []costtest.Call{costtest.Get(s.notes, key)}, tx.Get(s.notes, key, &n)),
		write("delete", []costtest.Call{costtest.Delete(s.pages, page{ID: "p"}), costtest.Delete(s.notes, key)}, ops.Delete(key), s.pages.Op().Delete(page{ID: "p"})),
	}
}

// Check passes for every transaction that the library sends, with small and with large items. It
// fails for explanations with less information.
func TestTransactions(t *testing.T) {
	t.Parallel()
	for _, bytes := range []int{0, 700, 9000} {
		s := newStore(t, ddbtest.Client(t))
		for _, c := range s.transactions(strings.Repeat("x", bytes)) {
			require.NoError(t, c.run(t.Context()), c.name)
			require.Empty(t, s.check(c.expects...), "%s, %d bytes", c.name, bytes)
		}
	}
	for what, change := range worse {
		s := newStore(t, ddbtest.Client(t))
		failed := 0
		for _, c := range s.transactions(strings.Repeat("x", 9000)) {
			require.NoError(t, c.run(t.Context()), c.name)
			for i := range c.expects {
				c.expects[i] = c.expects[i].Explained(change)
			}
			if len(s.check(c.expects...)) > 0 {
				failed++
			}
		}
		require.Positive(t, failed, what)
	}
}

// Check reports every difference from the expected transaction.
func TestCheckFailsForOtherTransactions(t *testing.T) {
	t.Parallel()
	a, b, c := note{Book: "w", ID: 1}, note{Book: "w", ID: 2}, note{Book: "w", ID: 3}
	put := func(s store, n note) costtest.Call { return costtest.Put(s.notes, &n) }
	both := func(ctx context.Context, s store) error {
		return tx.Write(ctx, s.notes.Op().Put(&a), s.notes.Op().Put(&b))
	}
	var n *note
	reads := func(ctx context.Context, s store) error {
		return tx.Read(ctx, tx.Get(s.notes, a, &n), tx.Get(s.notes, b, &n))
	}
	for what, of := range map[string]struct {
		run     func(context.Context, store) error
		expects func(s store) []costtest.Call
		errors  int
	}{
		"single writes": {both, func(s store) []costtest.Call { return []costtest.Call{put(s, a), put(s, b)} }, 3},
		"a write more":  {both, calls(func(s store) costtest.Call { return costtest.Transaction(put(s, a), put(s, b), put(s, c)) }), 2},
		"a write less":  {both, calls(func(s store) costtest.Call { return costtest.Transaction(put(s, a)) }), 2},
		"another item":  {both, calls(func(s store) costtest.Call { return costtest.Transaction(put(s, a), put(s, c)) }), 2},
		"another verb":  {both, calls(func(s store) costtest.Call { return costtest.Transaction(put(s, a), costtest.Delete(s.notes, b)) }), 2},
		"a read": {both, calls(func(s store) costtest.Call {
			return costtest.Transaction(costtest.Get(s.notes, a), costtest.Get(s.notes, b))
		}), 2},
		"a missing read first": {both, calls(func(s store) costtest.Call { return costtest.Transaction(costtest.Overwrite(s.pages, &page{ID: "p"})) }), 2},
		"a transaction twice": {both, func(s store) []costtest.Call {
			return []costtest.Call{costtest.Transaction(put(s, a), put(s, b)), costtest.Transaction(put(s, a), put(s, b))}
		}, 1},
		"single reads": {reads, func(s store) []costtest.Call {
			return []costtest.Call{costtest.Get(s.notes, a), costtest.Get(s.notes, b)}
		}, 3},
		"another item read": {reads, calls(func(s store) costtest.Call {
			return costtest.Transaction(costtest.Get(s.notes, a), costtest.Get(s.notes, c))
		}), 2},
		"one item less":      {reads, calls(func(s store) costtest.Call { return costtest.Transaction(costtest.Get(s.notes, a)) }), 2},
		"a query":            {reads, calls(func(s store) costtest.Call { return costtest.Transaction(costtest.Query(query.Of(s.notes, a))) }), 2},
		"nothing":            {reads, calls(func(store) costtest.Call { return costtest.Transaction() }), 2},
		"reads and writes":   {reads, calls(func(s store) costtest.Call { return costtest.Transaction(put(s, a), costtest.Get(s.notes, b)) }), 2},
		"an empty call":      {reads, calls(func(store) costtest.Call { return costtest.Transaction(costtest.Call{}) }), 2},
		"a call without key": {reads, calls(func(s store) costtest.Call { return costtest.Transaction(put(s, note{})) }), 2},
		"an invalid move":    {reads, calls(func(s store) costtest.Call { return costtest.Move(s.notes, a, nil) }), 2},
	} {
		s := newStore(t, ddbtest.Client(t))
		s.fill(t, 2, 10)
		require.NoError(t, of.run(t.Context(), s), what)
		got := s.check(of.expects(s)...)
		require.Len(t, got, of.errors, "%s: %v", what, got)
	}
}

// A canceled transaction counts as sent, and its cost is not compared.
func TestCheckIgnoresCostOfCanceledTransactions(t *testing.T) {
	t.Parallel()
	s := newStore(t, ddbtest.Client(t))
	s.fill(t, 2, 10)
	taken := note{Book: "b", ID: 1}
	require.ErrorIs(t, tx.Write(t.Context(), s.notes.Op().Create(&taken), s.notes.Op().Delete(note{Book: "b"})), trestle.ErrExists)
	require.Empty(t, s.check(costtest.Transaction(costtest.Delete(s.notes, note{Book: "b"}), costtest.Create(s.notes, &taken))))
}

// The cost of random transactions is exactly the explained cost. It differs if the explanations
// omit the indexes.
func TestRandomTransactions(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	s := newStore(t, ddbtest.Client(t))
	noticed, moved, sizes := 0, 0, map[int]int{}
	for range testsize.Pick(300, 600, 2000) {
		var ops []entity.Operation
		var expected []costtest.Call
		for id := range 4 {
			n := someNote(r)
			n.ID = id
			key := note{Book: n.Book, ID: n.ID}
			switch r.IntN(6) {
			case 0, 1:
				ops, expected = append(ops, s.notes.Op().Put(&n)), append(expected, costtest.Put(s.notes, &n))
			case 2:
				ops, expected = append(ops, s.notes.Op().Delete(key)), append(expected, costtest.Delete(s.notes, key))
			case 3:
				changes := changesTo(n)
				ops = append(ops, s.notes.Op().Upsert(key, changes[0], changes[1:]...))
				expected = append(expected, costtest.Upsert(s.notes, key, changes[0], changes[1:]...))
			case 4:
				if _, err := s.notes.Get(t.Context(), key); err == nil {
					ops, expected = append(ops, s.notes.Op().Check(key)), append(expected, costtest.Check(s.notes, key))
				}
			default:
				to := n
				moved++
				to.ID = 3 + moved
				if _, err := s.notes.Get(t.Context(), key); err == nil {
					ops, expected = append(ops, tx.Move(s.notes, key, &to)), append(expected, costtest.Move(s.notes, key, &to))
				}
			}
		}
		if len(ops) == 0 {
			continue
		}
		s.Reset()
		require.NoError(t, tx.Write(t.Context(), ops...))
		bringBack := s.Keep()
		require.Empty(t, s.check(costtest.Transaction(expected...)))
		bringBack()
		if len(s.check(costtest.Transaction(expected...).Explained(indexesForgotten))) > 0 {
			noticed++
		}
		sizes[len(ops)]++
	}
	t.Logf("transactions by size: %v; %d times it is noticed that indexes are forgotten", sizes, noticed)
	require.Greater(t, noticed, 30)
	require.Positive(t, sizes[4])
	require.Positive(t, sizes[3])
}
