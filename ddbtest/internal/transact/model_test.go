package transact_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/transact"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// newDB returns a database with one table, whose key is a string.
func newDB(t *testing.T, c *clock.Clock) *store.DB {
	t.Helper()
	db := store.NewDB(c)
	require.NoError(t, db.Update(func(s *store.State) error {
		s.AddTable(&store.Table{Name: texts, Key: store.KeySchema{Partition: []store.KeyAttribute{{Name: "pk", Kind: value.KindString}}}})
		return nil
	}))
	return db
}

func call(db *store.DB, steer engine.Overrides) *engine.Call {
	return &engine.Call{DB: db, Config: &engine.Config{}, Overrides: steer}
}

func of(key string) value.Map { return value.Map{{Name: "pk", Value: value.String(key)}} }

func num(n int) value.Number { return value.Number{Decimal: decimal.FromInt(int64(n))} }

// counters is a model of the table: the number of each item, by key.
type counters map[string]int

func read(t *testing.T, db *store.DB) counters {
	t.Helper()
	all := counters{}
	require.NoError(t, db.View(func(s *store.State) error {
		for _, i := range s.Items(s.Tables[texts], s.Now, true).From("") {
			n, ok := i.Get("n").(value.Number).Int64()
			require.True(t, ok)
			all[string(i.Get("pk").(value.String))] = int(n)
		}
		return nil
	}))
	return all
}

// step is an action on a counter, and its effect on the model.
type step struct {
	action api.TransactWriteItem
	key    string
	apply  func(n int, there bool) (code string, after int, kept bool)
}

func randomStep(r *rand.Rand, key string) step {
	n := r.IntN(4)
	values := api.Expressions{ExpressionAttributeValues: map[string]value.Value{":n": num(n)}}
	switch r.IntN(6) {
	case 0:
		return step{
			api.TransactWriteItem{Put: &api.TransactPut{TableName: texts, Item: of(key).With("n", num(n))}}, key,
			func(int, bool) (string, int, bool) { return "None", n, true },
		}
	case 1:
		return step{
			api.TransactWriteItem{Put: &api.TransactPut{
				TableName: texts, Item: of(key).With("n", num(n)), ConditionExpression: ptr("attribute_not_exists(pk)"),
			}}, key,
			func(_ int, there bool) (string, int, bool) { return failed(there), n, true },
		}
	case 2:
		return step{
			api.TransactWriteItem{Delete: &api.TransactDelete{TableName: texts, Key: of(key), ConditionExpression: ptr("n <> :n"), Expressions: values}}, key,
			func(m int, there bool) (string, int, bool) { return failed(there && m == n), 0, false },
		}
	case 3:
		return step{
			api.TransactWriteItem{ConditionCheck: &api.ConditionCheck{
				TableName: texts, Key: of(key), ConditionExpression: ptr("n >= :n"), Expressions: values,
			}}, key,
			func(m int, there bool) (string, int, bool) { return failed(!there || m < n), m, there },
		}
	case 4:
		return step{
			api.TransactWriteItem{Update: &api.TransactUpdate{TableName: texts, Key: of(key), UpdateExpression: ptr("SET n = n + :n"), Expressions: values}}, key,
			func(m int, there bool) (string, int, bool) {
				if !there {
					return "ValidationError", 0, false
				}
				return "None", m + n, true
			},
		}
	default:
		return step{
			api.TransactWriteItem{Update: &api.TransactUpdate{TableName: texts, Key: of(key), UpdateExpression: ptr("ADD n :n"), Expressions: values}}, key,
			func(m int, _ bool) (string, int, bool) { return "None", m + n, true },
		}
	}
}

func failed(yes bool) string {
	if yes {
		return "ConditionalCheckFailed"
	}
	return "None"
}

// run applies all steps to the model, or none, and returns their codes.
func (c counters) run(steps []step) (codes []string) {
	after, ok := maps.Clone(c), true
	for _, s := range steps {
		code := after.step(s)
		ok = ok && code == "None"
		codes = append(codes, code)
	}
	if ok {
		clear(c)
		maps.Copy(c, after)
	}
	return codes
}

func (c counters) step(s step) string {
	m, there := c[s.key]
	code, n, kept := s.apply(m, there)
	switch {
	case code != "None":
	case kept:
		c[s.key] = n
	default:
		delete(c, s.key)
	}
	return code
}

// runNaively applies one step after the other until one fails.
func (c counters) runNaively(steps []step) {
	for _, s := range steps {
		if c.step(s) != "None" {
			return
		}
	}
}

// A transaction applies all of its actions or none, and reports for each action whether it failed.
// Applying one after the other gives other results.
func TestTransactionsAreAtomic(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := newRand(t)
	done, canceled, naiveFails := 0, 0, false
	for range testsize.Pick(200, 800, 10_000) {
		db, model := newDB(t, new(clock.Clock)), counters{}
		naive := counters{}
		for range 10 {
			var steps []step
			var in api.TransactWriteItemsInput
			for _, k := range r.Perm(6)[:1+r.IntN(4)] {
				s := randomStep(r, fmt.Sprint(k))
				steps = append(steps, s)
				in.TransactItems = append(in.TransactItems, s.action)
			}
			codes := model.run(steps)
			naive.runNaively(steps)
			_, err := transact.Write(call(db, engine.Overrides{}), &in)
			var serviceErr *awserr.Error
			if errors.As(err, &serviceErr) {
				canceled++
				require.Len(t, serviceErr.Reasons, len(codes))
				for i, reason := range serviceErr.Reasons {
					require.Equal(t, codes[i], reason.Code)
				}
			} else {
				done++
				require.NoError(t, err)
				require.NotContains(t, codes, "ConditionalCheckFailed")
				require.NotContains(t, codes, "ValidationError")
			}
			require.Equal(t, model, read(t, db))
			naiveFails = naiveFails || !maps.Equal(naive, model)
		}
	}
	t.Logf("%d done, %d canceled", done, canceled)
	require.Positive(t, done)
	require.Positive(t, canceled)
	require.True(t, naiveFails, "one action after the other would have done")
}
