package entity_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// The faults of one attempt, for each of which an addition is applied once with a token. Without
// one, a caller who repeats it after a lost reply adds twice.
func TestTokensApplyAnAdditionOnce(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, faulty := newFaulty(t, e)
		o := newOffice(t, client)
		require.NoError(t, o.table.Create(t.Context()))
		add := o.notes.Op().Update(note{ID: "n"}, attr.Add(noteCount, 1))
		twice := 0
		for _, f := range testfaults.All() {
			furnish(t, o)
			faulty.Fault.Store(&f)
			if _, err := add.Do(t.Context()); trestle.OutcomeOf(err) == trestle.Unknown {
				_, err := add.Do(t.Context())
				require.NoError(t, err, f.Name)
			}
			if counted(t, o) > 1 {
				twice++
			}

			furnish(t, o)
			faulty.Fault.Store(&f)
			once := add.Once("token " + f.Name)
			if _, err := once.Do(t.Context()); err != nil {
				require.Equal(t, trestle.Unknown, trestle.OutcomeOf(err), f.Name)
			}
			r, err := once.Do(t.Context())
			require.NoError(t, err, f.Name)
			require.False(t, r.Found, "a transaction returns no item")
			require.Equal(t, 1, counted(t, o), f.Name)
			require.Nil(t, faulty.Fault.Load())
		}
		require.NotZero(t, twice, "the control never added twice")
	})
}

// A request that differs from the applied one with the same token is not applied. It may be the
// same write with another timestamp, so its outcome is unknown.
func TestTokensBelongToOneRequest(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		furnish(t, o)
		ops := o.notes.Op()
		_, err := ops.Update(note{ID: "n"}, attr.Add(noteCount, 1)).Once("a token").Do(t.Context())
		require.NoError(t, err)
		_, err = ops.Update(note{ID: "n"}, attr.Add(noteCount, 2)).Once("a token").Do(t.Context())
		var mismatch *types.IdempotentParameterMismatchException
		require.ErrorAs(t, err, &mismatch)
		require.ErrorIs(t, err, trestle.ErrUnknown, "a write with the token was applied: it may be an earlier attempt of this one")
		require.Equal(t, trestle.Unknown, trestle.OutcomeOf(err))
		require.NotEmpty(t, hintOf(t, err))
		require.Equal(t, 1, counted(t, o))
	})
}

// Every verb with a token does what it does without, and reports the same error of a failed
// conditional check.
func TestTokensWorkWithEveryVerb(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		do := func(op *entity.Op[account], token string) error {
			x, err := op.Once(token).Explain()
			require.NoError(t, err)
			require.True(t, x.Transaction)
			_, err = op.Once(token).Do(ctx)
			return err
		}
		a := ann()
		require.NoError(t, do(o.accounts.Op().Create(&a), "create"))
		require.EqualValues(t, 1, a.Version, "stamped")
		again := ann()
		requireOutcome(t, do(o.accounts.Op().Create(&again), "create again"), trestle.ErrExists, trestle.NotApplied)
		require.Zero(t, again.Version)
		a.Logins = 7
		require.NoError(t, do(o.accounts.Op().Put(&a), "put"))
		require.EqualValues(t, 2, a.Version)
		stale := annOf(1)
		requireOutcome(t, do(o.accounts.Op().Put(&stale), "put stale"), trestle.ErrStale, trestle.NotApplied)
		_, err := o.accounts.Op().Put(&stale).Once("put stale again").Do(ctx)
		current, found := entity.ItemFromError[account](err)
		require.True(t, found)
		require.EqualValues(t, 7, current.Logins)
		over := annKey()
		require.NoError(t, do(o.accounts.Op().Overwrite(&over), "overwrite"))
		require.EqualValues(t, 3, over.Version)
		require.NoError(t, do(o.accounts.Op().Update(annKey(), accLogins.Set(9)), "update"))
		require.NoError(t, do(o.accounts.With(entity.ReadFirst()).Op().Update(annKey(), accStatus.Set("x")), "update, reading first"))
		require.NoError(t, do(o.accounts.Op().Upsert(annKey(), accLogins.Set(10)), "upsert"))
		got, err := o.accounts.Strong().Get(ctx, annKey())
		require.NoError(t, err)
		require.EqualValues(t, 6, got.Version)
		requireOutcome(t, do(o.accounts.Op().Delete(annKey(), accLogins.Eq(11)), "delete"), trestle.ErrCondition, trestle.NotApplied)
		require.NoError(t, do(o.accounts.Op().Delete(annKey()), "delete again"))
		requireOutcome(t, do(o.accounts.Op().Update(annKey(), accLogins.Set(9)), "update nothing"), trestle.ErrNotFound, trestle.NotApplied)
	})
}

func TestTokenMistakes(t *testing.T) {
	t.Parallel()
	o := newOffice(t, canned(func(request) reply { return breaks(testfaults.ErrReset) }))
	add := o.notes.Op().Update(note{ID: "n"}, attr.Add(noteCount, 1))
	for name, op := range map[string]*entity.Op[note]{
		"no token":    add.Once(""),
		"long token":  add.Once(strings.Repeat("x", 37)),
		"of a get":    o.notes.Op().Get(note{ID: "n"}).Once("token"),
		"with return": add.Once("token").Return(trestle.AllOld),
		"return with": add.Return(trestle.AllNew).Once("token"),
	} {
		_, err := op.Do(t.Context())
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
		_, err = op.Input()
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
	in, err := add.Once("token").Input()
	require.NoError(t, err)
	require.Equal(t, "token", *in.Transaction.ClientRequestToken)
	require.Len(t, in.Transaction.TransactItems, 1)
	require.NotNil(t, in.Transaction.TransactItems[0].Update)
	in, err = add.Input()
	require.NoError(t, err)
	require.Nil(t, in.Transaction, "the operation without a token is unchanged")
}

// A check succeeds if the item is as required, and changes nothing.
func TestCheck(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		furnish(t, o)
		before := o.storedAccount(t, "acme", "ann")
		ops := o.accounts.Op()
		for name, c := range map[string]struct {
			op interface {
				Do(context.Context) (entity.Result[account], error)
			}
			kind error
		}{
			"exists":            {ops.Check(annKey()), nil},
			"condition holds":   {ops.Check(annKey(), accLogins.Lt(100)), nil},
			"version":           {ops.Check(annOf(1), accLogins.Lt(100)), nil},
			"missing":           {ops.Check(account{Org: "acme", ID: "bob"}), trestle.ErrNotFound},
			"missing, negative": {ops.Check(account{Org: "acme", ID: "bob"}, attr.Not(accLogins.Eq(1))), trestle.ErrNotFound},
			"condition fails":   {ops.Check(annKey(), accLogins.Gt(100)), trestle.ErrCondition},
			"another version":   {ops.Check(annOf(2)), trestle.ErrStale},
			"no key":            {ops.Check(account{}), trestle.ErrInvalid},
			"return":            {ops.Check(annKey()).Return(trestle.AllOld), trestle.ErrInvalid},
		} {
			r, err := c.op.Do(t.Context())
			if c.kind == nil {
				require.NoError(t, err, name)
				require.False(t, r.Found, name)
				continue
			}
			requireOutcome(t, err, c.kind, trestle.NotApplied)
		}
		require.Equal(t, before, o.storedAccount(t, "acme", "ann"))
		in, err := ops.Check(annKey()).Input()
		require.NoError(t, err)
		require.NotNil(t, in.Transaction.TransactItems[0].ConditionCheck)
		require.Nil(t, in.Transaction.ClientRequestToken)
	})
}

// A transaction consumes the units that Explain estimates.
func TestTransactionsCostWhatExplainEstimates(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newOffice(t, e.Client(t))
		require.NoError(t, o.table.Create(t.Context()))
		furnish(t, o)
		large := note{ID: "n", Count: 1, Text: strings.Repeat("x", 2000)}
		for _, c := range []struct {
			name string
			op   *entity.Op[note]
			size int
		}{
			{"put", o.notes.Op().Put(&large).Once("put"), 0},
			{"check", o.notes.Op().Check(note{ID: "n"}), 2048},
			{"update", o.notes.Op().Update(note{ID: "n"}, attr.Add(noteCount, 1)).Once("update"), 2048},
			{"delete", o.notes.Op().Delete(note{ID: "n"}).Once("delete"), 2048},
		} {
			x, err := c.op.Explain(trestle.Assumption{ItemSize: c.size})
			require.NoError(t, err)
			r, err := c.op.Do(t.Context())
			require.NoError(t, err)
			if c.name == "check" && e.Name == engines.DynamoDBLocal {
				continue // it charges a check as a read
			}
			require.Equal(t, x.Units, r.Capacity, c.name)
			require.InDelta(t, 4, r.Capacity.Write, 0, c.name)
		}
	})
}

// A check whose reply is lost changes nothing, so it is certainly not applied.
func TestCheckIsNeverUnknown(t *testing.T) {
	t.Parallel()
	o := newOffice(t, canned(func(request) reply { return breaks(testfaults.ErrReset) }))
	_, err := o.notes.Op().Check(note{ID: "n"}).Do(t.Context())
	require.Error(t, err)
	require.NotErrorIs(t, err, trestle.ErrUnknown)
	require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	_, err = o.notes.Op().Delete(note{ID: "n"}).Once("token").Do(t.Context())
	require.ErrorIs(t, err, trestle.ErrUnknown, "the control")
}

// An operation of a batch that was not sent may have been applied by an earlier call with the same
// token. Without a token, it was certainly not applied.
func TestTokensOfBatchesThatStop(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		furnish(t, o)
		add := func(o *office, id string) *entity.Op[note] {
			return o.notes.Op().Upsert(note{ID: id}, attr.Add(noteCount, 1))
		}
		ops := func(o *office) []entity.Operation {
			return []entity.Operation{add(o, "first").Once("first"), add(o, "second").Once("second"), add(o, "third")}
		}
		require.NoError(t, entity.WriteMany(t.Context(), operations(ops(o)...)))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		stops := func(ctx context.Context, o *office, name string) {
			err := entity.WriteMany(ctx, operations(ops(o)...), entity.Concurrency(1))
			require.Error(t, err, name)
			for _, f := range unprocessed(t, err).Failures {
				want := trestle.Unknown
				if f.Index == 2 {
					want = trestle.NotApplied
				}
				require.Equal(t, want, trestle.OutcomeOf(f.Err), "%s, %d: %v", name, f.Index, f.Err)
			}
		}
		stops(ended, o, "the context has ended")
		stops(t.Context(), newOffice(t, canned(refuses(400, "AccessDeniedException", "m"))), "no permission")
		require.NoError(t, entity.WriteMany(t.Context(), operations(ops(o)[:2]...)))
		for _, id := range []string{"first", "second"} {
			n, err := o.notes.Strong().Get(t.Context(), note{ID: id})
			require.NoError(t, err)
			require.Equal(t, 1, n.Count, "applied once")
		}
	})
}

// A repeated request is the same one for DynamoDB, whatever the order of its names, values and
// attributes, which is random in Go.
func TestRepeatedRequestsAreTheSame(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		for i := range 10 {
			id := fmt.Sprint(i)
			create := func() error {
				a := ann()
				a.ID, a.Rest = id, map[string]types.AttributeValue{"x": avS("1"), "y": avS("2"), "z": avS("3")}
				_, err := o.accounts.Op().Create(&a).Once("create " + id).Do(t.Context())
				return err
			}
			update := func() error {
				_, err := o.accounts.Op().Update(account{Org: "acme", ID: id, Version: 1, Mail: ann().Mail, Status: ann().Status}, accLogins.Set(3), accCity.Set("Oslo")).
					Once("update " + id).Do(t.Context())
				return err
			}
			for _, send := range []func() error{create, create, update, update, create} {
				require.NoError(t, send())
			}
		}
	})
}
