package main

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. It says what is read; its callers say how: all of it, a page, the first, or how many.
type Store struct {
	reports *entity.Repo[Report]
	now     func() time.Time
}

func NewStore(t *entity.Table, now func() time.Time) Store { return Store{Reports.In(t), now} }

// Record stores a report. A device that sends one twice stores it once, and what became of the first stays.
func (s Store) Record(ctx context.Context, r *Report) error {
	if err := s.reports.Create(ctx, r); !errors.Is(err, entity.ErrExists) {
		return err
	}
	return nil
}

// Escalate hands a report on to somebody.
func (s Store) Escalate(ctx context.Context, r Report, to string) (Report, error) {
	return s.reports.Update(ctx, r, EscalatedTo.Set(to))
}

// Settle ends an escalation: the report leaves the index in the same write.
func (s Store) Settle(ctx context.Context, r Report) (Report, error) {
	return s.reports.Update(ctx, r, EscalatedTo.Remove())
}

// InState is what a device reported in one state, newest first: nothing else is read.
func (s Store) InState(device, state string) query.Query[Report] {
	return query.Of(s.reports, Report{Device: device}).Where(State.Eq(state)).Desc()
}

// InStates is what a device reported in the states whose names begin so.
func (s Store) InStates(device, prefix string) query.Query[Report] {
	return query.Of(s.reports, Report{Device: device}).Where(attr.BeginsWith(State, prefix))
}

// Sifted is InState the dear way: every report of the device is read, and those in other states are dropped.
func (s Store) Sifted(device, state string) query.Query[Report] {
	return query.On(s.reports, "by-time", Report{Device: device}).Filter(State.Eq(state)).Desc()
}

// OnDuty is what was reported while somebody was on duty, in a period.
func (s Store) OnDuty(operator string, p attr.Period) query.Query[Report] {
	return query.On(s.reports, "by-operator", Report{Operator: operator}).Where(attr.During(At, p))
}

// WaitingFor is what is escalated to somebody, by state and time.
func (s Store) WaitingFor(who string) query.Query[Report] {
	return query.On(s.reports, "escalated", Report{EscalatedTo: who})
}

// Recent is what a device reported lately, newest first.
func (s Store) Recent(device string, window time.Duration) query.Query[Report] {
	since := s.now().Add(-window).Truncate(time.Second) // what the key can hold
	return query.On(s.reports, "by-time", Report{Device: device}).Where(attr.Since(At, since)).Desc()
}
