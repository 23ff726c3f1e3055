package entity_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// notebook is a handler that records everything from a level on.
type notebook struct {
	from    slog.Level
	records []slog.Record
	ctx     context.Context //nolint:containedctx // the last one, to be looked at
}

func (n *notebook) Enabled(_ context.Context, level slog.Level) bool { return level >= n.from }

func (n *notebook) Handle(ctx context.Context, r slog.Record) error {
	n.records, n.ctx = append(n.records, r), ctx
	return nil
}

func (n *notebook) WithAttrs([]slog.Attr) slog.Handler { return n }

func (n *notebook) WithGroup(string) slog.Handler { return n }

// attributes returns the attributes of a record, by name.
func attributes(r slog.Record) map[string]any {
	all := map[string]any{}
	r.Attrs(func(a slog.Attr) bool {
		all[a.Key] = a.Value.Any()
		return true
	})
	return all
}

type markKey struct{}

// The level of a line depends on the error and the cost of its event.
func TestLogLevels(t *testing.T) {
	t.Parallel()
	outcome := func(kind error) error {
		db := ddbtest.Start(t)
		db.Fail(ddbtest.Error("AccessDeniedException", "m", 400))
		o := newOffice(t, db.Client())
		if kind == nil {
			_, err := o.accounts.Get(t.Context(), annKey())
			return err
		}
		_, err := o.accounts.Get(t.Context(), account{})
		require.ErrorIs(t, err, kind)
		return err
	}
	refused, denied := outcome(trestle.ErrInvalid), outcome(nil)
	lost := func() error {
		db := ddbtest.Start(t)
		o := newOffice(t, db.Client())
		db.Fail(ddbtest.AfterCommit(ddbtest.Reset))
		a := ann()
		return o.accounts.Create(t.Context(), &a)
	}()
	require.ErrorIs(t, lost, trestle.ErrUnknown)
	throttled := func() error {
		db := ddbtest.Start(t)
		o := newOffice(t, db.Client())
		db.Fail(ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))
		a := ann()
		return o.accounts.Create(t.Context(), &a)
	}()
	require.True(t, trestle.IsThrottled(throttled))
	canceled := func(kinds ...error) error {
		e := &trestle.CanceledError{}
		for _, kind := range kinds {
			e.Failures = append(e.Failures, trestle.Failure{Err: &trestle.OpError{Kind: kind}})
		}
		return &trestle.OpError{Err: e}
	}
	for _, c := range []struct {
		name  string
		event trestle.Event
		level slog.Level
	}{
		{"success", trestle.Event{Items: 1, Scanned: 1}, slog.LevelDebug},
		{"a write", trestle.Event{OperationInfo: trestle.OperationInfo{Operation: "put"}}, slog.LevelDebug},
		{"many read for as many", trestle.Event{Items: 5000, Scanned: 5000}, slog.LevelDebug},
		{"ten times as many", trestle.Event{Items: 20, Scanned: 200}, slog.LevelDebug},
		{"more than that", trestle.Event{Items: 20, Scanned: 201}, slog.LevelWarn},
		{"few", trestle.Event{Items: 0, Scanned: 100}, slog.LevelDebug},
		{"many for nothing", trestle.Event{Items: 0, Scanned: 101}, slog.LevelWarn},
		{"throttled", trestle.Event{Items: 1, Throttled: []string{"TableReadKeyRangeThroughputExceeded"}}, slog.LevelWarn},
		{"an outcome of the glossary", trestle.Event{Err: refused}, slog.LevelInfo},
		{"one that was throttled", trestle.Event{Err: refused, Throttled: []string{"x"}}, slog.LevelWarn},
		{"nobody knows whether it was applied", trestle.Event{Err: lost}, slog.LevelWarn},
		{"any other failure", trestle.Event{Err: denied}, slog.LevelError},
		{"one that was throttled", trestle.Event{Err: denied, Throttled: []string{"x"}}, slog.LevelError},
		{"throttling that no retry overcame", trestle.Event{Err: throttled}, slog.LevelError},
		{"a transaction of which all that failed is expected", trestle.Event{Err: canceled(trestle.ErrExists, lock.ErrLost)}, slog.LevelInfo},
		{"a transaction of which something else failed", trestle.Event{Err: canceled(trestle.ErrExists, nil)}, slog.LevelError},
		{"somebody else's error", trestle.Event{Err: errors.New("no")}, slog.LevelError},
	} {
		ctx := context.WithValue(t.Context(), markKey{}, c.name)
		for _, from := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError, slog.LevelError + 1} {
			n := &notebook{from: from}
			trestle.SlogObserver(slog.New(n)).End(ctx, c.event)
			if c.level < from {
				require.Empty(t, n.records, "%s at level %v", c.name, from)
				continue
			}
			require.Len(t, n.records, 1, "%s at level %v", c.name, from)
			require.Equal(t, c.level, n.records[0].Level, c.name)
			require.Equal(t, c.name, n.ctx.Value(markKey{}), "the handler has the caller's context")
		}
	}
}

// A canceled context is logged as Info. An exceeded deadline and an unknown outcome are logged as
// Warn, also if the context was canceled.
func TestLogOfAbortedOperation(t *testing.T) {
	t.Parallel()
	canceled, cancel := context.WithCancel(t.Context())
	late, cancelLate := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancelLate()
	db := ddbtest.Start(t)
	o := newOffice(t, db.Client())
	cancel()
	_, broken := o.accounts.Get(canceled, annKey())
	require.ErrorIs(t, broken, context.Canceled)
	_, missed := o.accounts.Get(late, annKey())
	require.ErrorIs(t, missed, context.DeadlineExceeded)
	require.NoError(t, o.table.Create(t.Context()))
	db.Fail(ddbtest.Op("PutItem"), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
	a := ann()
	lost := o.accounts.Create(t.Context(), &a)
	require.ErrorIs(t, lost, trestle.ErrUnknown)
	_, invalid := o.accounts.Get(t.Context(), account{})
	for _, c := range []struct {
		name  string
		ctx   context.Context //nolint:containedctx // one of several to be tried
		err   error
		level slog.Level
	}{
		{"canceled", canceled, broken, slog.LevelInfo},
		{"not by the caller", t.Context(), broken, slog.LevelError},
		{"too late", late, missed, slog.LevelWarn},
		{"a timeout of an attempt", t.Context(), missed, slog.LevelError},
		{"unknown, and canceled", canceled, lost, slog.LevelWarn},
		{"unknown, and too late", late, lost, slog.LevelWarn},
		{"of the glossary, and too late", late, invalid, slog.LevelInfo},
	} {
		n := &notebook{from: slog.LevelDebug}
		trestle.SlogObserver(slog.New(n)).End(c.ctx, trestle.Event{Err: c.err})
		require.Equal(t, c.level, n.records[0].Level, c.name)
	}
}

// A line has the fields of an event under fixed names.
func TestLogAttributes(t *testing.T) {
	t.Parallel()
	n := &notebook{from: slog.LevelDebug}
	log := trestle.SlogObserver(slog.New(n))
	log.End(t.Context(), trestle.Event{
		OperationInfo: trestle.OperationInfo{Operation: "query", Entity: "account", Table: "office", Access: "by-status", Index: "GSI1"},
		Items:         3, Scanned: 4, Skipped: 6, Unknown: 7, Misplaced: 9, IgnoredTTL: 10, Unprocessed: 8, Requests: 2, Attempts: 5, Throttled: []string{"a", "b"},
		Capacity: trestle.Capacity{Read: 1.5, Write: 2}, Outcome: trestle.NotApplied, Duration: time.Second, Err: errors.New("failed"),
	})
	require.Equal(t, "dynamodb query", n.records[0].Message)
	got := attributes(n.records[0])
	require.NotEmpty(t, got["hint"], "of the misplaced items")
	require.Equal(t, map[string]any{
		"entity": "account", "table": "office", "access": "by-status", "index": "GSI1",
		"items": int64(3), "scanned": int64(4), "skipped": int64(6), "unknown": int64(7), "misplaced": int64(9), "ignored_ttl": int64(10),
		"unprocessed": int64(8),
		"hint":        got["hint"], "requests": int64(2), "attempts": int64(5), "throttled": []string{"a", "b"}, "read_units": 1.5, "write_units": 2.0,
		"outcome": "not applied", "duration": time.Second, "error": errors.New("failed"),
	}, got)
}

// Items that a read found in a wrong state add a warning with what to do about each state, unless
// the read failed.
func TestLogOfWrongItems(t *testing.T) {
	t.Parallel()
	n := &notebook{from: slog.LevelDebug}
	log := trestle.SlogObserver(slog.New(n))
	hints := map[string]any{}
	for name, e := range map[string]trestle.Event{
		"none": {}, "misplaced": {Misplaced: 1}, "ignored": {IgnoredTTL: 1}, "both": {Misplaced: 1, IgnoredTTL: 1},
	} {
		n.records = nil
		log.End(t.Context(), e)
		level := slog.LevelWarn
		if name == "none" {
			level = slog.LevelDebug
		}
		require.Equal(t, level, n.records[0].Level, name)
		hints[name] = attributes(n.records[0])["hint"]
	}
	require.Nil(t, hints["none"])
	require.NotEqual(t, hints["misplaced"], hints["ignored"])
	require.Contains(t, hints["both"], hints["misplaced"])
	require.Contains(t, hints["both"], hints["ignored"])
}

// A line reports each fact once. It omits empty and zero attributes, and those that follow from
// others.
func TestLogLinesRepeatNothing(t *testing.T) {
	t.Parallel()
	n := &notebook{from: slog.LevelDebug}
	db := ddbtest.Start(t)
	o := newOffice(t, db.Client(), func(c *entity.Config) { c.Observer = trestle.SlogObserver(slog.New(n)) })
	require.NoError(t, o.table.Create(t.Context()))
	a := ann()
	b := account{Org: "acme", ID: "bob", Mail: "b@example.com", Status: "active", Skills: []string{"x"}}
	in := query.Of(o.accounts, account{Org: "acme"})
	about := func(more map[string]any) map[string]any {
		all := map[string]any{"entity": "account", "table": "office", "requests": int64(1)}
		maps.Copy(all, more)
		return all
	}
	for _, c := range []struct {
		name string
		call func() error
		want map[string]any
	}{
		{"a write", func() error { return o.accounts.Create(t.Context(), &a) }, about(map[string]any{"write_units": 2.0})},
		{"another", func() error { return o.accounts.Create(t.Context(), &b) }, about(map[string]any{"write_units": 2.0})},
		{"a write that failed", func() error { return o.accounts.Create(t.Context(), &b) },
			about(map[string]any{"outcome": "not applied", "error": "the item already exists", "request_id": ""})},
		{"a read", func() error { _, err := o.accounts.Get(t.Context(), a); return err },
			about(map[string]any{"items": int64(1), "read_units": 0.5})},
		{"a read of nothing", func() error { _, err := o.accounts.Get(t.Context(), account{Org: "acme", ID: "c"}); return err },
			about(map[string]any{"read_units": 0.5, "error": "the item does not exist", "request_id": ""})},
		{"a query", func() error { _, err := in.Collect(t.Context()); return err },
			about(map[string]any{"items": int64(2), "read_units": 0.5})},
		{"a query with a filter", func() error { _, err := in.Filter(accStatus.Eq("away")).Collect(t.Context()); return err },
			about(map[string]any{"scanned": int64(2), "read_units": 0.5})},
		{"a check", func() error { return maintain.Check(t.Context(), o.table) }, map[string]any{"table": "office", "requests": int64(2)}},
		{"a write whose reply is lost", func() error {
			db.Fail(ddbtest.Op("DeleteItem"), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
			return o.accounts.Delete(t.Context(), a, accStatus.Eq("active"))
		}, about(map[string]any{"outcome": "unknown", "error": "the connection broke"})},
		{"a read that is not allowed", func() error {
			db.Fail(ddbtest.Op("GetItem"), ddbtest.Error("AccessDeniedException", "m", 400)).MustHit(t)
			_, err := o.accounts.Get(t.Context(), a)
			return err
		}, about(map[string]any{"error": "AccessDeniedException", "hint": "", "request_id": ""})},
	} {
		n.records = nil
		_ = c.call()
		require.Len(t, n.records, 1, c.name)
		got := attributes(n.records[0])
		require.Positive(t, got["duration"], c.name)
		delete(got, "duration")
		for _, name := range []string{"hint", "request_id"} { // any text
			if _, ok := c.want[name]; ok {
				require.NotEmpty(t, got[name], "%s: %s", c.name, name)
				got[name] = ""
			}
		}
		require.Equal(t, c.want, got, c.name)
	}
}

// Log writes a line for each operation of a table, such as throttled writes and rejected
// permissions.
func TestLogObservesATable(t *testing.T) {
	t.Parallel()
	n := &notebook{from: slog.LevelDebug}
	db := ddbtest.Start(t)
	o := newOffice(t, db.Client(), func(c *entity.Config) { c.Observer = trestle.SlogObserver(slog.New(n)) })
	require.NoError(t, o.table.Create(t.Context()))
	n.records = nil
	a := ann()
	const reason = "TableWriteKeyRangeThroughputExceeded"
	db.Fail(ddbtest.Op("PutItem"), ddbtest.First(1), ddbtest.Throttle(reason)).MustHit(t)
	require.NoError(t, o.accounts.Create(t.Context(), &a))
	require.ErrorIs(t, o.accounts.Create(t.Context(), &a), trestle.ErrExists)
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Throttle(reason)).MustHit(t)
	_, err := o.accounts.Update(t.Context(), annKey(), accLogins.Set(1))
	var throttled *types.ThrottlingException
	require.ErrorAs(t, err, &throttled)
	require.NoError(t, o.accounts.Delete(t.Context(), annKey()))
	for i, want := range []struct {
		message  string
		level    slog.Level
		attempts any
	}{
		{"dynamodb create", slog.LevelWarn, int64(2)}, {"dynamodb create", slog.LevelInfo, nil},
		{"dynamodb update", slog.LevelError, int64(3)}, {"dynamodb delete", slog.LevelDebug, nil},
	} {
		r := n.records[i]
		require.Equal(t, want.message, r.Message)
		require.Equal(t, want.level, r.Level, want.message)
		require.Equal(t, want.attempts, attributes(r)["attempts"], want.message)
		require.Equal(t, "account", attributes(r)["entity"])
	}
	require.Len(t, n.records, 4)
	require.Equal(t, []string{reason}, attributes(n.records[0])["throttled"])
}
