package entity_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

// watched opens the office with an observer that records its events.
func watched(t *testing.T, e engines.Engine) (*office, *[]trestle.Event) {
	t.Helper()
	var seen []trestle.Event
	o := newOffice(t, e.Client(t), func(c *entity.Config) {
		c.Observer = trestle.ObserverFunc(func(_ context.Context, ev trestle.Event) { seen = append(seen, ev) })
	})
	require.NoError(t, o.table.Create(t.Context()))
	seen = nil
	return o, &seen
}

// doing returns the info of an operation on an account.
func doing(operation string) trestle.OperationInfo {
	return trestle.OperationInfo{Operation: operation, Entity: "account", Table: "office"}
}

// The observer is notified of the end of every operation once, with its cost and its error.
func TestObserver(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o, seen := watched(t, e)
		ctx := t.Context()
		a := ann()
		for _, c := range []struct {
			call  func() error
			event trestle.Event
		}{
			{func() error { return o.accounts.Create(ctx, &a) },
				trestle.Event{OperationInfo: doing("create"), Requests: 1, Attempts: 1, Capacity: trestle.Capacity{Write: 2}, Outcome: trestle.Applied}},
			{func() error { _, err := o.accounts.Get(ctx, annKey()); return err },
				trestle.Event{OperationInfo: doing("get"), Items: 1, Requests: 1, Attempts: 1, Capacity: trestle.Capacity{Read: 0.5}, Outcome: trestle.NoWrite}},
			{func() error { _, err := o.accounts.Strong().Get(ctx, annKey()); return err },
				trestle.Event{OperationInfo: doing("get"), Items: 1, Requests: 1, Attempts: 1, Capacity: trestle.Capacity{Read: 1}, Outcome: trestle.NoWrite}},
			{func() error { _, err := o.accounts.Update(ctx, annKey(), accLogins.Set(1)); return err },
				trestle.Event{OperationInfo: doing("update"), Items: 1, Requests: 1, Attempts: 1, Capacity: trestle.Capacity{Write: 2}, Outcome: trestle.Applied}},
			{func() error {
				_, err := o.accounts.With(entity.ReadFirst()).Update(ctx, annKey(), accStatus.Set("away"))
				return err
			}, trestle.Event{OperationInfo: doing("update"), Items: 1, Requests: 2, Attempts: 2, Capacity: trestle.Capacity{Read: 1, Write: 3}, Outcome: trestle.Applied}},
			{func() error { return o.accounts.Create(ctx, &a) },
				trestle.Event{OperationInfo: doing("create"), Requests: 1, Attempts: 1, Outcome: trestle.NotApplied, Err: trestle.ErrExists}},
			{func() error { return o.accounts.Delete(ctx, annKey()) },
				trestle.Event{OperationInfo: doing("delete"), Requests: 1, Attempts: 1, Capacity: trestle.Capacity{Write: 2}, Outcome: trestle.Applied}},
			{func() error { _, err := o.accounts.Get(ctx, annKey()); return err },
				trestle.Event{OperationInfo: doing("get"), Requests: 1, Attempts: 1, Outcome: trestle.NoWrite, Err: trestle.ErrNotFound}},
		} {
			*seen = nil
			err := c.call()
			require.Len(t, *seen, 1)
			got := (*seen)[0]
			require.Equal(t, err, got.Err, "the observer has the caller's error")
			require.ErrorIs(t, got.Err, c.event.Err)
			require.GreaterOrEqual(t, got.Duration, time.Duration(0))
			want := c.event
			want.Err, want.Duration = got.Err, got.Duration
			if want.Err != nil || want.Operation == "delete" {
				// Engines report different capacities for misses and failures.
				got.Capacity, want.Capacity = trestle.Capacity{}, trestle.Capacity{}
			}
			require.Equal(t, want, got)
		}
	})
}

// Rejected calls send nothing and are no operations.
func TestInvalidOperationsAreNotObserved(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o, seen := watched(t, e)
		require.ErrorIs(t, o.accounts.Put(t.Context(), &account{}), trestle.ErrInvalid)
		require.Empty(t, *seen)
	})
}

// ReadFirst reads the item only if an update needs values that the call does not give.
func TestReadFirst(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o, seen := watched(t, e)
		ctx := t.Context()
		a := ann()
		require.NoError(t, o.accounts.Create(ctx, &a))
		reading := o.accounts.With(entity.ReadFirst())
		for _, c := range []struct {
			change   attr.Change[account]
			requests int
		}{
			{accStatus.Set("away"), 2},
			{accLogins.Set(3), 1},
			{accMail.Remove(), 1},
		} {
			*seen = nil
			_, err := reading.Update(ctx, annKey(), c.change)
			require.NoError(t, err)
			require.Equal(t, c.requests, (*seen)[0].Requests)
		}
		*seen = nil
		_, err := reading.Update(ctx, bobKey(), accStatus.Set("away"))
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NotApplied)
		require.Equal(t, 1, (*seen)[0].Requests)
		_, err = o.accounts.Update(ctx, annKey(), accStatus.Set("x"))
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
	})
}

// Options of the table apply to all its repositories, options of a repository apply only to it, and
// a derived repository changes no other.
func TestSDKOptions(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	notes := entity.Define[note](s)
	var calls []string
	mark := func(name string) entity.CallOption {
		return entity.ClientOptions(nil, func(*dynamodb.Options) { calls = append(calls, name) })
	}
	table, err := s.Open(canned(says(200, `{}`)), "notes", mark("table"))
	require.NoError(t, err)
	base := notes.In(table)
	one := base.With(mark("one"), nil)
	two := base.With(mark("two"))
	for _, c := range []struct {
		repo *entity.Repo[note]
		want []string
	}{
		{base, []string{"table"}},
		{one, []string{"table", "one"}},
		{two, []string{"table", "two"}},
		{one.With(mark("more")), []string{"table", "one", "more"}},
	} {
		calls = nil
		require.NoError(t, c.repo.Put(t.Context(), &note{ID: "n"}))
		require.Equal(t, c.want, slices.Compact(calls))
	}
}

// Strong reads are strongly consistent, and other reads are not.
func TestStrong(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	notes := entity.Define[note](s)
	badges := entity.Project[badge](notes)
	var strong []bool
	client := canned(func(r request) reply {
		strong = append(strong, r.body["ConsistentRead"] == true)
		return says(200, `{"Item":{"PK":{"S":"NOTE#n"},"SK":{"S":"NOTE#n"},"_type":{"S":"note"},"id":{"S":"n"}}}`)(r)
	})
	table, err := s.Open(client, "notes")
	require.NoError(t, err)
	repo := notes.In(table)
	ctx, example := t.Context(), note{ID: "n"}
	_, err = repo.Get(ctx, example)
	require.NoError(t, err)
	_, err = repo.Strong().Get(ctx, example)
	require.NoError(t, err)
	_, err = repo.Reader().Get(ctx, example)
	require.NoError(t, err)
	_, err = badges.Get(ctx, repo, example)
	require.NoError(t, err)
	_, err = badges.Get(ctx, repo.Strong(), example)
	require.NoError(t, err)
	require.Equal(t, []bool{false, true, false, false, true}, strong)
}

// badge is a projection of a note.
type badge struct {
	ID   string `dynamodbav:"id"`
	Text string `dynamodbav:"text"`
}

// mock is a client with only the ten item operations, like a service's own wrapper.
type mock struct{ trestle.Client }

func (mock) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return nil, &types.ConditionalCheckFailedException{Item: map[string]types.AttributeValue{"id": avS("n"), "_type": avS("note")}}
}

func TestOtherClients(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	notes := entity.Define[note](s)
	table, err := s.Open(mock{}, "notes")
	require.NoError(t, err)
	err = notes.In(table).Create(t.Context(), &note{ID: "n"})
	requireOutcome(t, err, trestle.ErrExists, trestle.NotApplied)
	met, ok := entity.ItemFromError[note](err)
	require.True(t, ok)
	require.Equal(t, note{ID: "n"}, met)
	requireOutcome(t, table.Create(t.Context()), trestle.ErrInvalid, trestle.NotApplied)
	requireOutcome(t, maintain.Check(t.Context(), table), trestle.ErrInvalid, trestle.NoWrite)
}
