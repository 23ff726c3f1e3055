package entity_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// notebook is a handler that keeps what it is given, from a level on.
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

// attributes are those of a record, by name.
func attributes(r slog.Record) map[string]any {
	all := map[string]any{}
	r.Attrs(func(a slog.Attr) bool {
		all[a.Key] = a.Value.Any()
		return true
	})
	return all
}

type markKey struct{}

// An event's level says whether somebody should look at it.
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
	refused, denied := outcome(entity.ErrInvalid), outcome(nil)
	lost := func() error {
		db := ddbtest.Start(t)
		o := newOffice(t, db.Client())
		db.Fail(ddbtest.AfterCommit(ddbtest.Reset))
		a := ann()
		return o.accounts.Create(t.Context(), &a)
	}()
	require.ErrorIs(t, lost, entity.ErrUnknown)
	for _, c := range []struct {
		name  string
		event entity.Event
		level slog.Level
	}{
		{"success", entity.Event{Items: 1, Scanned: 1}, slog.LevelDebug},
		{"a write", entity.Event{OperationInfo: entity.OperationInfo{Operation: "put"}}, slog.LevelDebug},
		{"many read for as many", entity.Event{Items: 5000, Scanned: 5000}, slog.LevelDebug},
		{"ten times as many", entity.Event{Items: 20, Scanned: 200}, slog.LevelDebug},
		{"more than that", entity.Event{Items: 20, Scanned: 201}, slog.LevelWarn},
		{"few", entity.Event{Items: 0, Scanned: 100}, slog.LevelDebug},
		{"many for nothing", entity.Event{Items: 0, Scanned: 101}, slog.LevelWarn},
		{"throttled", entity.Event{Items: 1, Throttled: []string{"TableReadKeyRangeThroughputExceeded"}}, slog.LevelWarn},
		{"an outcome of the glossary", entity.Event{Err: refused}, slog.LevelInfo},
		{"one that was throttled", entity.Event{Err: refused, Throttled: []string{"x"}}, slog.LevelWarn},
		{"nobody knows whether it was applied", entity.Event{Err: lost}, slog.LevelWarn},
		{"any other failure", entity.Event{Err: denied}, slog.LevelError},
		{"one that was throttled", entity.Event{Err: denied, Throttled: []string{"x"}}, slog.LevelError},
		{"somebody else's error", entity.Event{Err: errors.New("no")}, slog.LevelError},
	} {
		ctx := context.WithValue(t.Context(), markKey{}, c.name)
		for _, from := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError, slog.LevelError + 1} {
			n := &notebook{from: from}
			entity.Log(slog.New(n)).End(ctx, c.event)
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

// What the caller broke off is no trouble of the service's; a write of which nobody knows is, whoever broke it off.
func TestLogOfWhatWasBrokenOff(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	o := newOffice(t, ddbtest.Start(t).Client())
	cancel()
	_, broken := o.accounts.Get(ctx, annKey())
	require.ErrorIs(t, broken, context.Canceled)
	for _, c := range []struct {
		ctx   context.Context //nolint:containedctx // one of several to be tried
		level slog.Level
	}{{ctx, slog.LevelInfo}, {t.Context(), slog.LevelError}} {
		n := &notebook{from: slog.LevelDebug}
		entity.Log(slog.New(n)).End(c.ctx, entity.Event{Err: broken})
		require.Equal(t, c.level, n.records[0].Level)
	}
}

// A line holds what an event holds, under names that do not change.
func TestLogAttributes(t *testing.T) {
	t.Parallel()
	n := &notebook{from: slog.LevelDebug}
	log := entity.Log(slog.New(n))
	log.End(t.Context(), entity.Event{
		OperationInfo: entity.OperationInfo{Operation: "query", Entity: "account", Table: "office", Access: "by-status", Index: "GSI1"}, Items: 3, Scanned: 4, Requests: 2, Attempts: 5,
		Capacity: entity.Capacity{Read: 1.5, Write: 2}, Outcome: entity.Applied, Duration: time.Second,
	})
	want := map[string]any{
		"entity": "account", "table": "office", "access": "by-status", "index": "GSI1", "items": int64(3), "scanned": int64(4), "requests": int64(2), "attempts": int64(5),
		"read_units": 1.5, "write_units": 2.0, "outcome": entity.Applied.String(), "duration": time.Second,
	}
	require.Equal(t, "dynamodb query", n.records[0].Message)
	require.Equal(t, want, attributes(n.records[0]))

	failed := errors.New("failed")
	log.End(t.Context(), entity.Event{OperationInfo: entity.OperationInfo{Operation: "scan"}, Skipped: 1, Unknown: 2, Throttled: []string{"a", "b"}, Err: failed, Outcome: entity.NotApplied})
	got := attributes(n.records[1])
	require.Equal(t, "dynamodb scan", n.records[1].Message)
	require.Equal(t, int64(1), got["skipped"])
	require.Equal(t, int64(2), got["unknown"])
	require.Equal(t, []string{"a", "b"}, got["throttled"])
	require.Equal(t, failed, got["error"])
	require.Equal(t, entity.NotApplied.String(), got["outcome"])
}

// With the adapter as its observer, a table's operations are lines: the writes of a throttled table, and what nobody may do.
func TestLogObservesATable(t *testing.T) {
	t.Parallel()
	n := &notebook{from: slog.LevelDebug}
	db := ddbtest.Start(t)
	o := newOffice(t, db.Client(), func(c *entity.Config) { c.Observer = entity.Log(slog.New(n)) })
	require.NoError(t, o.table.Create(t.Context()))
	n.records = nil
	a := ann()
	const reason = "TableWriteKeyRangeThroughputExceeded"
	db.Fail(ddbtest.Op("PutItem"), ddbtest.First(1), ddbtest.Throttle(reason)).MustHit(t)
	require.NoError(t, o.accounts.Create(t.Context(), &a))
	require.ErrorIs(t, o.accounts.Create(t.Context(), &a), entity.ErrExists)
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Throttle(reason)).MustHit(t)
	_, err := o.accounts.Update(t.Context(), annKey(), accLogins.Set(1))
	var throttled *types.ThrottlingException
	require.ErrorAs(t, err, &throttled)
	require.NoError(t, o.accounts.Delete(t.Context(), annKey()))
	for i, want := range []struct {
		message  string
		level    slog.Level
		attempts int64
	}{
		{"dynamodb create", slog.LevelWarn, 2}, {"dynamodb create", slog.LevelInfo, 1}, {"dynamodb update", slog.LevelError, 3}, {"dynamodb delete", slog.LevelDebug, 1},
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
