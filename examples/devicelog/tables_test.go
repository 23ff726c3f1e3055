package main

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// deviceLog is the interface of both tables: the program's own and the existing one.
type deviceLog interface {
	InState(device, state string) read
	InStates(device, prefix string) read
	InStateByFilter(device, state string) read
	OnDuty(operator string, p attr.Period) read
	EscalatedTo(who string) read
	EscalatedIn(who, state string) read
	EscalatedDuring(who, state string, p attr.Period) read
	Recent(device string, window time.Duration) read
	BySortKeyPrefix(device, state string) read

	Escalate(ctx context.Context, r Report, to string) error
	Settle(ctx context.Context, r Report) error
}

// result is the result of a request: the rows as lines, the number of items read, and the read
// units.
type result struct {
	rows    []string
	scanned int
	units   float64
}

// read sends a request and returns its result.
type read func(context.Context) (result, error)

// resultOf returns the result of a page without its rows. A read that finds nothing costs half a
// unit, which DynamoDB Local does not report.
func resultOf[R any](p query.Page[R]) result {
	if p.Scanned == 0 {
		return result{units: 0.5}
	}
	return result{scanned: p.Scanned, units: p.Capacity.Read}
}

// reading returns a read of one page of a query.
func reading[T any](q query.Query[T], line func(T) string) read {
	return func(ctx context.Context) (result, error) {
		page, err := q.Page(ctx, "")
		a := resultOf(page)
		for _, r := range page.Items {
			a.rows = append(a.rows, line(r))
		}
		return a, err
	}
}

// readingAll returns a read of one page of an item collection with a single type.
func readingAll[T any](c query.Collection, line func(T) string) read {
	return func(ctx context.Context) (result, error) {
		page, err := c.Page(ctx, "")
		a := resultOf(page)
		for _, r := range page.Items {
			a.rows = append(a.rows, line(r.(T)))
		}
		return a, err
	}
}

// line returns a report as a line: device, state, day of the month and time.
func line(device, state string, at time.Time) string {
	return device + " " + state + " " + at.Format("02T15:04")
}

// typedLog reads with the program's store.
type typedLog struct{ Store }

func newTypedLog(t *testing.T, client *dynamodb.Client, rows []Report, now func() time.Time) deviceLog {
	t.Helper()
	store := NewStore(opened(t, client, Schema, "devicelog"), now)
	for _, r := range rows {
		require.NoError(t, store.Record(t.Context(), &r))
	}
	return typedLog{store}
}

func (r Report) line() string { return line(r.Device, r.State, r.At) }

func (l typedLog) InState(device, state string) read {
	return reading(l.Store.InState(device, state), Report.line)
}

func (l typedLog) InStates(device, prefix string) read {
	return reading(l.Store.InStates(device, prefix), Report.line)
}

func (l typedLog) InStateByFilter(device, state string) read {
	return reading(l.Store.InStateByFilter(device, state), Report.line)
}

func (l typedLog) OnDuty(operator string, p attr.Period) read {
	return reading(l.Store.OnDuty(operator, p), Report.line)
}

func (l typedLog) EscalatedTo(who string) read {
	return reading(l.Store.EscalatedTo(who), Report.line)
}

func (l typedLog) EscalatedIn(who, state string) read {
	return reading(l.Store.EscalatedTo(who).Where(State.Eq(state)), Report.line)
}

func (l typedLog) EscalatedDuring(who, state string, p attr.Period) read {
	return reading(l.Store.EscalatedTo(who).Where(State.Eq(state), attr.During(At, p)), Report.line)
}

func (l typedLog) Recent(device string, window time.Duration) read {
	return reading(l.Store.Recent(device, window), Report.line)
}

func (l typedLog) BySortKeyPrefix(device, state string) read {
	return readingAll(query.Of(l.reports, Report{Device: device}).Collection().Prefix("STATE#"+state), Report.line)
}

func (l typedLog) Escalate(ctx context.Context, r Report, to string) error {
	_, err := l.Store.Escalate(ctx, r, to)
	return err
}

func (l typedLog) Settle(ctx context.Context, r Report) error {
	_, err := l.Store.Settle(ctx, r)
	return err
}

// clock is the program's time plus a fraction of a second, which no key has.
func clock() time.Time { return now().Add(123 * time.Millisecond) }

// onBoth runs a test with both tables, filled with rows, on every engine.
func onBoth(t *testing.T, rows []Report, test func(t *testing.T, l deviceLog)) {
	t.Helper()
	type filled func(*testing.T, *dynamodb.Client, []Report, func() time.Time) deviceLog
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, table := range map[string]filled{"typed": newTypedLog, "existing": newRawLog} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, table(t, e.Client(t), rows, clock))
			})
		}
	})
}

func rowsOf(t *testing.T, text string) []Report {
	t.Helper()
	rows, err := reports(text)
	require.NoError(t, err)
	return rows
}
