package fault

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// effects are all that there are, with the number of operations where each has a meaning.
func effects() map[string]struct {
	effect Effect
	on     int
} {
	type row = struct {
		effect Effect
		on     int
	}
	all := len(operations)
	return map[string]row{
		"Throttle":              {Throttle(ProvisionedThroughput, "TableReadProvisionedThroughputExceeded"), all},
		"Error":                 {Fail("LimitExceededException", "Too many", 400), all},
		"InternalError":         {InternalError(), all},
		"Unavailable":           {Unavailable(), all},
		"Reset":                 {LoseByReset(), all},
		"Hang":                  {LoseByHang(), all},
		"Refused":               {Refuse(), all},
		"Truncate":              {Truncate(), all},
		"WrongChecksum":         {SpoilChecksum(), all},
		"Garbage":               {Garble(), all},
		"Delay":                 {Wait(time.Second), all},
		"LateDuplicate":         {LateDuplicate(AfterRetry), 5},
		"LateDuplicate 2":       {LateDuplicate(AfterOtherWriter), 5},
		"Conflict":              {Conflict(), 5},
		"CollectionFull":        {CollectionFull(), 5},
		"ReplicatedConflict":    {ReplicatedWriteConflict(), 5},
		"InProgress":            {InProgress(), 1},
		"Cancel write":          {Cancel(1, "ConditionalCheckFailed"), 1},
		"Cancel":                {Cancel(0, "TransactionConflict"), 2},
		"ExpiredIterator":       {ExpiredIterator(), 1},
		"TrimmedData":           {TrimmedData(), 2},
		"Unprocessed":           {LeaveUndone(1), 2},
		"Unprocessed all":       {LeaveUndone(All), 2},
		"UnprocessedRate":       {LeaveSomeUndone(0.5), 2},
		"EmptyPage":             {Empty(), 2},
		"CutPage":               {Cut(3), 2},
		"AfterCommit Reset":     {AfterCommit(LoseByReset()), all},
		"AfterCommit Hang":      {AfterCommit(LoseByHang()), all},
		"AfterCommit Internal":  {AfterCommit(InternalError()), all},
		"AfterCommit Delay":     {AfterCommit(Wait(time.Second)), all},
		"AfterCommit Error 504": {AfterCommit(Fail("GatewayTimeout", "", 504)), all},
		"AfterCommit Truncate":  {AfterCommit(Truncate()), all},
	}
}

// request is one of an operation, with two items or parts.
func request(operation string) *Request {
	key := func(s string) value.Map { return value.MapOf(value.Attribute{Name: "pk", Value: value.String(s)}) }
	r := &Request{Operation: operation}
	switch of := operations[operation]; {
	case of&(batches|transacts) != 0:
		r.Targets = []engine.Target{{Table: "T", Key: key("a")}, {Table: "T", Key: key("b")}}
	case of&keyed != 0:
		r.Targets = []engine.Target{{Table: "T", Key: key("a")}}
	case of&page != 0:
		r.Targets = []engine.Target{{Table: "T", Index: "I"}}
	case of&control != 0:
		r.Targets = []engine.Target{{Table: "T"}}
	}
	return r
}

func arn(table, index string) string { return "arn:" + table + "/" + index }

// TestEveryEffectWhereItHasAMeaning puts every effect on every operation: either something happens, or the rule is refused.
func TestEveryEffectWhereItHasAMeaning(t *testing.T) {
	t.Parallel()
	for name, e := range effects() {
		meaningful := 0
		for operation := range operations {
			rule := Compile(Spec{Operations: []string{operation}, Effects: []Effect{e.effect}}, 1, 1)
			var rules Rules
			rules.Add(rule)
			plan := rules.Plan(request(operation), arn)
			if rule.Err() != nil {
				require.Zero(t, plan, "%s on %s", name, operation)
				continue
			}
			meaningful++
			require.Equal(t, 1, rule.Hits(), "%s on %s", name, operation)
			require.Equal(t, e.effect.String(), plan.Name())
			plan.names = nil
			require.NotZero(t, plan, "%s on %s", name, operation)
		}
		require.Equal(t, e.on, meaningful, name)
	}
}

// TestTheOperationsAreTheServices compares the list with that of the service.
func TestTheOperationsAreTheServices(t *testing.T) {
	t.Parallel()
	for _, operation := range append(Operations(), "GetItems") {
		_, err := service.Read(operation, []byte("{}"))
		var refused *awserr.Error
		known := err == nil || !asError(err, &refused) || refused.Code != "UnknownOperationException"
		require.Equal(t, operation != "GetItems", known, operation)
	}
}

func asError(err error, to **awserr.Error) bool {
	e, ok := err.(*awserr.Error) //nolint:errorlint // the service returns just this
	*to = e
	return ok
}

func TestWrongEffects(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]Effect{
		"no throttling name":     Throttle("Throttled"),
		"no throttling reason":   Throttle(Throttling, "TooHot"),
		"half a reason":          Throttle(Throttling, "TableReadProvisionedThroughput"),
		"an error without code":  Fail("", "", 400),
		"a success":              Fail("Fine", "", 200),
		"no delay":               Wait(0),
		"no part":                LeaveUndone(0),
		"no share":               LeaveSomeUndone(0),
		"more than all":          LeaveSomeUndone(1.5),
		"no item":                Cut(0),
		"no reason":              Cancel(0, "None"),
		"no action":              Cancel(-1, "TransactionConflict"),
		"throttled but applied":  AfterCommit(Throttle(Throttling)),
		"refused but applied":    AfterCommit(Refuse()),
		"late after commit":      AfterCommit(LateDuplicate(AfterRetry)),
		"conflict after commit":  AfterCommit(Conflict()),
		"twice after commit":     AfterCommit(AfterCommit(LoseByReset())),
		"steered after commit":   AfterCommit(LeaveUndone(1)),
		"client error, applied":  AfterCommit(Fail("LimitExceededException", "", 400)),
		"something that is none": Unknown("Fault(99)"),
	} {
		require.Error(t, Compile(Spec{Effects: []Effect{e}}, 1, 1).Err(), name)
	}
}

func TestReasonsNameTheirResource(t *testing.T) {
	t.Parallel()
	var rules Rules
	rules.Add(Compile(Spec{Effects: []Effect{Throttle(Throttling, "IndexReadKeyRangeThroughputExceeded")}}, 1, 1))
	err := rules.Plan(request("Query"), arn).Before.Error
	require.Equal(t, Throttling, err.Code)
	require.Equal(t, []awserr.ThrottlingReason{{Reason: "IndexReadKeyRangeThroughputExceeded", Resource: "arn:T/I"}}, err.Throttling)
}

// TestTransactionsAreCanceledAtTheAction names the action that the rule is about.
func TestTransactionsAreCanceledAtTheAction(t *testing.T) {
	t.Parallel()
	b := value.MapOf(value.Attribute{Name: "pk", Value: value.String("b")})
	for _, c := range []struct {
		spec Spec
		want map[int]string
	}{
		{Spec{Effects: []Effect{Conflict()}}, map[int]string{0: "TransactionConflict"}},
		{Spec{Key: b, Effects: []Effect{Conflict()}}, map[int]string{1: "TransactionConflict"}},
		{Spec{Key: b, Effects: []Effect{CollectionFull()}}, map[int]string{1: "ItemCollectionSizeLimitExceeded"}},
		{Spec{Effects: []Effect{Cancel(0, "ThrottlingError"), Cancel(1, "ValidationError")}}, map[int]string{0: "ThrottlingError", 1: "ValidationError"}},
		{Spec{Effects: []Effect{Cancel(2, "ThrottlingError")}}, nil}, // there is no such action
	} {
		var rules Rules
		rules.Add(Compile(c.spec, 1, 1))
		require.Equal(t, c.want, rules.Plan(request("TransactWriteItems"), arn).Steer.Reasons)
	}
}

// TestBatchesLeaveUndoneWhatTheRuleIsAbout counts the parts.
func TestBatchesLeaveUndoneWhatTheRuleIsAbout(t *testing.T) {
	t.Parallel()
	b := value.MapOf(value.Attribute{Name: "pk", Value: value.String("b")})
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Effects: []Effect{LeaveUndone(1)}}, "true, false"},
		{Spec{Effects: []Effect{LeaveUndone(All)}}, "true, true"},
		{Spec{Key: b, Effects: []Effect{LeaveUndone(All)}}, "false, true"},
		{Spec{Effects: []Effect{LeaveSomeUndone(1)}}, "true, true"},
		{Spec{Key: b, Effects: []Effect{LeaveUndone(1), LeaveUndone(1)}}, "false, true"},
	} {
		var rules Rules
		rules.Add(Compile(c.spec, 1, 1))
		undone := rules.Plan(request("BatchWriteItem"), arn).Steer.Unprocessed
		require.Equal(t, c.want, fmt.Sprintf("%t, %t", undone(0), undone(1)))
	}
}
