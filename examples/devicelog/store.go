package main

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. Its read methods return queries, so a caller can read all items,
// a page, the first item, or a count.
type Store struct {
	reports *entity.Repo[Report]
	now     func() time.Time
}

func NewStore(t *entity.Table, now func() time.Time) Store { return Store{Reports.In(t), now} }

// Record stores a report. If a device sends a report twice, the stored report stays unchanged.
func (s Store) Record(ctx context.Context, r *Report) error {
	if err := s.reports.Create(ctx, r); !errors.Is(err, trestle.ErrExists) {
		return err
	}
	return nil
}

// Escalate escalates a report to a person.
func (s Store) Escalate(ctx context.Context, r Report, to string) (Report, error) {
	return s.reports.Update(ctx, r, EscalatedTo.Set(to))
}

// Settle ends an escalation. The same write removes the report from the index.
func (s Store) Settle(ctx context.Context, r Report) (Report, error) {
	return s.reports.Update(ctx, r, EscalatedTo.Remove())
}

// InState returns the reports of a device in one state, newest first. It reads no other items.
func (s Store) InState(device, state string) query.Query[Report] {
	return query.Of(s.reports, Report{Device: device}).Where(State.Eq(state)).Desc()
}

// InStates returns the reports of a device in all states whose names begin with prefix.
func (s Store) InStates(device, prefix string) query.Query[Report] {
	return query.Of(s.reports, Report{Device: device}).Where(attr.BeginsWith(State, prefix))
}

// InStateByFilter returns the same reports as InState at a higher cost. It reads every report of
// the device, and the filter drops those in other states.
func (s Store) InStateByFilter(device, state string) query.Query[Report] {
	return query.On(s.reports, "by-time", Report{Device: device}).Filter(State.Eq(state)).Desc()
}

// OnDuty returns the reports of a period in which an operator was on duty.
func (s Store) OnDuty(operator string, p attr.Period) query.Query[Report] {
	return query.On(s.reports, "by-operator", Report{Operator: operator}).Where(attr.During(At, p))
}

// EscalatedTo returns the reports that are escalated to a person, by state and time.
func (s Store) EscalatedTo(who string) query.Query[Report] {
	return query.On(s.reports, "escalated", Report{EscalatedTo: who})
}

// Recent returns the reports of a device in the last window, newest first.
func (s Store) Recent(device string, window time.Duration) query.Query[Report] {
	since := s.now().Add(-window).Truncate(time.Second) // the sort key has whole seconds
	return query.On(s.reports, "by-time", Report{Device: device}).Where(attr.Since(At, since)).Desc()
}
