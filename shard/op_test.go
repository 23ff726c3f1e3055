package shard_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// ballot is an entity that is stored together with an increment.
type ballot struct {
	_     entity.Key `type:"ballot" pk:"BALLOT#<voter>" sk:"BALLOT"`
	Voter string     `dynamodbav:"voter"`
	For   string     `dynamodbav:"for"`
}

// newElection returns a table of ballots and counters.
func newElection(t testing.TB, e engines.Engine) (*box, *entity.Repo[ballot]) {
	t.Helper()
	b := &box{client: e.Client(t), faulty: new(testfaults.Transport), schema: entity.NewSchema(entity.Config{})}
	b.db = ddbtest.Of(b.client)
	ballots := entity.Define[ballot](b.schema)
	var err error
	b.table, err = b.schema.Open(newClient(b), tableName)
	require.NoError(t, err)
	require.NoError(t, b.table.Create(t.Context()))
	return b, ballots.In(b.table)
}

// A transaction applies an increment together with other operations, or neither.
func TestOp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b, ballots := newElection(t, e)
		votes := b.counters(shard.Config{Shards: 4})
		seats := shard.NewCounters(b.table, "seats", shard.Config{Mode: shard.ExactWindow, Shards: 2})
		cast := func(voter string) error {
			return tx.Write(t.Context(), ballots.Op().Create(&ballot{Voter: voter, For: "a"}),
				votes.Op("a", 1, shard.Once(voter)), seats.Op("hall", -1))
		}
		for i := range 10 {
			require.NoError(t, cast(fmt.Sprint("voter ", i)))
		}
		requireTotal(t, votes, "a", 10)
		requireTotal(t, seats, "hall", -10)

		err := cast("voter 3")
		require.Equal(t, map[int]error{0: trestle.ErrExists, 1: trestle.ErrExists}, failures(t, err))
		err = tx.Write(t.Context(), votes.Op("a", 1, shard.Once("voter 3")), seats.Op("hall", 5))
		require.Equal(t, map[int]error{0: trestle.ErrExists}, failures(t, err))
		require.ErrorIs(t, ballots.Create(t.Context(), &ballot{Voter: "voter 3"}), trestle.ErrExists)
		err = tx.Write(t.Context(), ballots.Op().Create(&ballot{Voter: "voter 3"}), votes.Op("a", 1, shard.Once("voter 33")))
		require.Equal(t, map[int]error{0: trestle.ErrExists}, failures(t, err))
		requireTotal(t, votes, "a", 10)
		requireTotal(t, seats, "hall", -10)
		require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("voter 3")), "the marker is that of Add")
		requireTotal(t, votes, "a", 10)
	})
}

// A program that has not noticed that its shard was closed uses another one.
func TestOp_closedShard(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		for _, mode := range exactModes {
			b, ballots := newElection(t, e)
			config := shard.Config{Mode: mode, Shards: 8}
			for i := range 8 {
				votes := b.counters(config)
				require.NoError(t, votes.Resize(t.Context(), "a", 8))
				require.NoError(t, votes.Add(t.Context(), "a", 0, once(-1)), "it knows 8 shards")
				require.NoError(t, b.counters(config).Resize(t.Context(), "a", 1))
				voter := fmt.Sprint("voter ", i)
				require.NoError(t, tx.Write(t.Context(), ballots.Op().Create(&ballot{Voter: voter}), votes.Op("a", 1, shard.Once(voter))))
				requireTotal(t, votes, "a", int64(i+1))
			}
		}
	})
}

// failures returns the sentinel errors of the operations of a canceled transaction.
func failures(t testing.TB, err error) map[int]error {
	t.Helper()
	var canceled *tx.CanceledError
	require.ErrorAs(t, err, &canceled)
	found := map[int]error{}
	for _, f := range canceled.Failures {
		var e *trestle.OpError
		require.ErrorAs(t, f.Err, &e)
		found[f.Operation] = e.Kind
		if f.Operation > 0 {
			require.Equal(t, "add", e.Op)
		}
	}
	return found
}

// A transaction with a token is applied once, also if another process repeats it, if the increment
// has a key.
func TestOp_writeOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b, _ := newElection(t, e)
		for _, mode := range []shard.Mode{shard.ExactWindow, shard.Approximate} {
			config := shard.Config{Mode: mode, Shards: 20}
			votes := shard.NewCounters(b.table, mode.String(), config)
			for i, f := range testfaults.All() {
				token := fmt.Sprint(i, " ", mode)
				b.fail(f)
				first := tx.WriteOnce(t.Context(), token, votes.Op("a", 1, shard.Once(token)), votes.Op("b", 2, shard.Once(token)))
				if first != nil {
					require.NotEqual(t, trestle.Applied, trestle.OutcomeOf(first), f.Name)
				}
				other := shard.NewCounters(b.table, mode.String(), shard.Config{Mode: mode})
				require.NoError(t, tx.WriteOnce(t.Context(), token, other.Op("a", 1, shard.Once(token)), other.Op("b", 2, shard.Once(token))), f.Name)
				requireTotal(t, votes, "a", int64(i+1))
				requireTotal(t, votes, "b", int64(2*i+2))
			}
		}
	})
}

// The first increment of a counter creates it in the same transaction. Of several at the same time,
// one creates it.
func TestOp_first(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b, _ := newElection(t, e)
		const n = 12
		errs := make(chan error, n)
		for i := range n {
			votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 1 + i}) // no cache is shared
			go func() { errs <- tx.Write(t.Context(), votes.Op("a", 1)) }()
		}
		applied := int64(0)
		for range n {
			if err := <-errs; err == nil {
				applied++
			} else {
				require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err)) // too many conflicts
			}
		}
		require.Positive(t, applied)
		requireTotal(t, b.counters(shard.Config{}), "a", applied)
	})
}

// An operation can be sent alone, in a batch.
func TestOp_batch(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b, ballots := newElection(t, e)
		votes := b.counters(shard.Config{Shards: 3})
		likes := shard.NewCounters(b.table, "likes", shard.Config{Mode: shard.Approximate, Shards: 3})
		for range 2 {
			err := entity.WriteMany(t.Context(), func(yield func(entity.Operation) bool) {
				for i := range 30 {
					_ = yield(votes.Op("a", 1, shard.Once(fmt.Sprint(i)))) && yield(likes.Op("a", 1)) &&
						yield(ballots.Op().Put(&ballot{Voter: fmt.Sprint(i)}))
				}
			})
			if err != nil { // the second time
				require.ErrorIs(t, err, trestle.ErrExists)
			}
		}
		requireTotal(t, votes, "a", 30)
		requireTotal(t, likes, "a", 60)
	})
}

// Mistakes are reported by the transaction, with all others.
func TestOp_invalid(t *testing.T) {
	t.Parallel()
	b, ballots := newElection(t, engines.Engine{Name: engines.InProcess})
	votes := b.counters(shard.Config{Shards: 50})
	sent := len(b.db.Requests())
	for name, o := range map[string]entity.Operation{
		"no key":        votes.Op("a", 1),
		"no name":       votes.Op("", 1, shard.Once("k")),
		"long key":      votes.Op("a", 1, shard.Once(string(make([]byte, 2040)))),
		"two keys":      votes.Op("a", 1, shard.Once("k"), shard.Once("l")),
		"events":        b.counters(shard.Config{Mode: shard.Events}).Op("a", 1, shard.Once("k")),
		"writers":       b.counters(shard.Config{Mode: shard.WriterOwned}).Op("a", 1),
		"configuration": b.counters(shard.Config{Shards: -1}).Op("a", 1, shard.Once("k")),
		"nil":           (*shard.Counters)(nil).Op("a", 1, shard.Once("k")),
	} {
		err := tx.Write(t.Context(), ballots.Op().Put(&ballot{}), o)
		require.Error(t, err, name)
		require.True(t, errors.Is(err, trestle.ErrInvalid) || errors.Is(err, trestle.ErrLimit), name)
		require.Contains(t, err.Error(), "operations[0]", name)
		require.Contains(t, err.Error(), "operations[1]", name)
	}
	key := shard.Once("k")
	err := tx.Write(t.Context(), votes.Op("a", 1, key), votes.Op("b", 1, key), votes.Op("a", 2, shard.Once("l")))
	require.ErrorIs(t, err, trestle.ErrInvalid)
	require.Contains(t, err.Error(), "operations[2]")
	require.Len(t, b.db.Requests(), sent, "nothing is sent")
}

// Explain and Input show the increment. They send nothing.
func TestOp_explain(t *testing.T) {
	t.Parallel()
	b, ballots := newElection(t, engines.Engine{Name: engines.InProcess})
	votes := b.counters(shard.Config{})
	require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("j")))
	sent := len(b.db.Requests())
	write := tx.NewWrite(ballots.Op().Put(&ballot{Voter: "v"}), votes.Op("a", 1, shard.Once("k")))
	x, err := write.Explain()
	require.NoError(t, err)
	require.Equal(t, 3, x.Actions)
	require.Equal(t, trestle.Capacity{Write: 6}, x.Units)
	require.Equal(t, "a shard of the counter", x.Operations[1].Key)
	require.Equal(t, []string{"the marker of the increment"}, x.Operations[1].Also)
	in, err := write.Input()
	require.NoError(t, err)
	require.Len(t, in.TransactItems, 3)
	require.Len(t, b.db.Requests(), sent)
	b.requireCost(t, 0, 6, func() error { _, err := write.Do(t.Context()); return err })
	require.Contains(t, b.items(t), "$U#mark#votes#a#k")
}
