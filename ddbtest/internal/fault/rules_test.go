package fault

import (
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

func rule(effects ...Effect) *Rule { return Compile(Spec{Effects: effects}, 1, 1) }

// TestRulesAfterReply checks that rules after a delay still act, but no rule after one
// that determines the reply.
func TestRulesAfterReply(t *testing.T) {
	t.Parallel()
	var rules Rules
	slow, slower, lost, failed := rule(Delay(time.Second)), rule(Delay(time.Second)), rule(ResetConnection()), rule(InternalError())
	for _, r := range []*Rule{slow, slower, lost, failed} {
		rules.Add(r)
	}
	plan := rules.Plan(request("GetItem"))
	require.Equal(t, 2*time.Second, plan.Delay)
	require.Equal(t, Response{Loss: Reset}, plan.Before)
	require.Equal(t, []int{1, 1, 1, 0}, []int{slow.Hits(), slower.Hits(), lost.Hits(), failed.Hits()})

	rules.Remove(lost)
	require.Equal(t, "InternalServerError", rules.Plan(request("GetItem")).Before.Error.Code)
	rules.Clear()
	require.False(t, rules.Any())
	require.Zero(t, rules.Plan(request("GetItem")))
}

func TestPageOverridesCombine(t *testing.T) {
	t.Parallel()
	var rules Rules
	for _, r := range []*Rule{rule(CutPage(5)), rule(CutPage(3)), rule(CutPage(4), EmptyPage()), rule(AfterCommit(ResetConnection()))} {
		rules.Add(r)
	}
	plan := rules.Plan(request("Scan"))
	require.Equal(t, engine.Overrides{Evaluate: 3, EmptyPage: true}, plan.Overrides)
	require.Equal(t, Response{Loss: Reset}, plan.After)
}

func TestConditions(t *testing.T) {
	t.Parallel()
	key := func(s string) value.Map { return value.MapOf(value.Attribute{Name: "pk", Value: value.String(s)}) }
	for name, c := range map[string]struct {
		spec      Spec
		operation string
		want      bool
	}{
		"operation":            {Spec{Operations: []string{"PutItem", "GetItem"}}, "GetItem", true},
		"another operation":    {Spec{Operations: []string{"PutItem"}}, "GetItem", false},
		"table":                {Spec{Table: "T"}, "DescribeTable", true},
		"another table":        {Spec{Table: "U"}, "DescribeTable", false},
		"no table at all":      {Spec{Table: "T"}, "ListTables", false},
		"index":                {Spec{Index: "I"}, "Query", true},
		"another index":        {Spec{Index: "J"}, "Query", false},
		"key":                  {Spec{Key: key("a")}, "GetItem", true},
		"key in a batch":       {Spec{Key: key("b")}, "BatchGetItem", true},
		"another key":          {Spec{Key: key("c")}, "BatchGetItem", false},
		"key in another table": {Spec{Table: "U", Key: key("a")}, "GetItem", false},
		"function":             {Spec{Match: []func(any) bool{func(any) bool { return true }}}, "GetItem", true},
		"one of two functions": {Spec{Match: []func(any) bool{func(any) bool { return true }, func(any) bool { return false }}}, "GetItem", false},
	} {
		c.spec.Effects = []Effect{ResetConnection()}
		r := Compile(c.spec, 1, 1)
		require.NoError(t, r.Err())
		r.apply(new(Plan), request(c.operation))
		require.Equal(t, c.want, r.Hits() == 1, name)
	}
}

// TestFor checks that a rule acts from its creation until its time is over.
func TestFor(t *testing.T) {
	t.Parallel()
	created := time.Unix(1_000, 0)
	r := Compile(Spec{From: created, For: time.Minute, Effects: []Effect{ResetConnection()}}, 1, 1)
	for at, want := range map[time.Duration]bool{
		// a clock may be set back
		0: true, 59 * time.Second: true, time.Minute: false, time.Hour: false, -time.Hour: true,
	} {
		request := request("GetItem")
		request.At = created.Add(at)
		before := r.Hits()
		r.apply(new(Plan), request)
		require.Equal(t, want, r.Hits() > before, at)
	}
}

func TestDelaysDoNotOverflow(t *testing.T) {
	t.Parallel()
	var rules Rules
	for range 2 {
		rules.Add(rule(Delay(math.MaxInt64), AfterCommit(Delay(math.MaxInt64))))
	}
	plan := rules.Plan(request("GetItem"))
	require.Equal(t, []time.Duration{math.MaxInt64, math.MaxInt64}, []time.Duration{plan.Delay, plan.DelayAfter})
}

// TestMatchChangesRules checks that functions of rules are called without holding a lock.
func TestMatchChangesRules(t *testing.T) {
	t.Parallel()
	var rules Rules
	r := Compile(Spec{Effects: []Effect{ResetConnection()}, Match: []func(any) bool{func(any) bool {
		rules.Clear()
		rules.Add(rule(Delay(time.Second)))
		return true
	}}}, 1, 1)
	rules.Add(r)
	require.Equal(t, Reset, rules.Plan(request("GetItem")).Before.Loss)
	require.Equal(t, time.Second, rules.Plan(request("GetItem")).Delay)
}

// TestConcurrentCounts checks that every request of several goroutines is counted once.
func TestConcurrentCounts(t *testing.T) {
	t.Parallel()
	var rules Rules
	every, first := Compile(Spec{Every: 10, Effects: []Effect{Delay(1)}}, 1, 1), Compile(Spec{First: 50, Effects: []Effect{Delay(1)}}, 1, 1)
	rules.Add(every)
	rules.Add(first)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				rules.Plan(request("GetItem"))
			}
			other := rule(ResetConnection())
			rules.Add(other)
			rules.Remove(other)
		})
	}
	all.Wait()
	require.Equal(t, 50, first.Hits())
	require.Equal(t, 80, every.Hits())
}
