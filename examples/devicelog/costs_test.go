package main

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "devicelog", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table, now)
		require.NoError(t, tour{Tour: program.Tour{Out: io.Discard}, store: s}.fill(t.Context()))
		return table.Name(), append(readCosts(s), writeCosts(s, text)...)
	})
}

func readCosts(s Store) []costs.Pattern {
	warnings, calm, duty := s.InState("d#12345", "WARNING1"), s.InState("d#12345", "NORMAL"), s.OnDuty("Liz", attr.Month(2020, time.April))
	return []costs.Pattern{
		ranged("in a state", warnings),
		ranged("in a state with a long report", calm),
		ranged("in states", s.InStates("d#54321", "WARNING")),
		ranged("in a state, by a filter", s.InStateByFilter("d#12345", "WARNING1")),
		ranged("on duty", duty),
		ranged("on duty, without reports", s.OnDuty("Liz", attr.Month(2019, time.April))),
		ranged("escalated to a person", s.EscalatedTo("Sara")),
		ranged("recent", s.Recent("d#11223", 10*time.Minute)),
		ranged("recent, in a month", s.Recent("d#54321", 31*24*time.Hour)),
		costs.Of("count on duty", func(ctx context.Context) error { return costs.Err(duty.Count(ctx)) }, costtest.Query(duty)),
		costs.Of("count in a state", func(ctx context.Context) error { return costs.Err(warnings.Count(ctx)) }, costtest.Query(warnings)),
		costs.Of("the first escalated report", func(ctx context.Context) error { return costs.Err(s.EscalatedTo("Sara").First(ctx)) },
			costtest.Query(s.EscalatedTo("Sara"))),
		costs.Of("a page on duty", func(ctx context.Context) error { return costs.Err(duty.Limit(2).Page(ctx, "")) }, costtest.Query(duty.Limit(2))),
	}
}

func ranged(what string, q query.Query[Report]) costs.Pattern {
	return costs.Of(what, func(ctx context.Context) error { return costs.ReadAll(q.All(ctx)) }, costtest.Query(q))
}

func writeCosts(s Store, text string) []costs.Pattern {
	fresh := &Report{Device: "d#99999", State: "WARNING4", At: now(), Operator: "Sue", Detail: text}
	waiting := &Report{Device: "d#99999", State: "WARNING5", At: now(), Operator: "Sue", EscalatedTo: "Sara", Detail: text}
	return []costs.Pattern{
		costs.Of("record", func(ctx context.Context) error { return s.Record(ctx, fresh) }, costtest.Create(s.reports, fresh)),
		costs.Of("record an escalated report", func(ctx context.Context) error { return s.Record(ctx, waiting) }, costtest.Create(s.reports, waiting)),
		costs.Of("escalate", func(ctx context.Context) error { return costs.Err(s.Escalate(ctx, *fresh, "Sara")) },
			// The report was not escalated before.
			costtest.Update(s.reports, *fresh, EscalatedTo.Set("Sara"))),
		costs.Of("escalate to another", func(ctx context.Context) error { return costs.Err(s.Escalate(ctx, *waiting, "Ann")) },
			costtest.Update(s.reports, *waiting, EscalatedTo.Set("Ann"))),
		costs.Of("settle", func(ctx context.Context) error { return costs.Err(s.Settle(ctx, *fresh)) },
			costtest.Update(s.reports, *fresh, EscalatedTo.Remove())),
	}
}
