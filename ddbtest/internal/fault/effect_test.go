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

// effects returns all effects, with the number of operations to which each applies.
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
		"Throttle":              {Throttle(), 13},
		"Throttle as":           {Throttle(Throttling), all},
		"Throttle writes":       {Throttle("TableWriteKeyRangeThroughputExceeded", "TableWriteAccountLimitExceeded"), 8},
		"Throttle an index":     {Throttle("IndexReadKeyRangeThroughputExceeded"), 3},
		"Error":                 {Error("LimitExceededException", "Too many", 400), all},
		"InternalError":         {InternalError(), all},
		"Unavailable":           {Unavailable(), all},
		"Reset":                 {ResetConnection(), all},
		"Hang":                  {HangForever(), all},
		"Refused":               {RefuseConnection(), all},
		"Truncate":              {Truncate(), all - 2},
		"WrongChecksum":         {InvalidChecksum(), all},
		"InvalidJSON":           {InvalidBody(), all - 2},
		"Delay":                 {Delay(time.Second), all},
		"LateDuplicate":         {LateDuplicate(AfterRetry), 8},
		"LateDuplicate 2":       {LateDuplicate(AfterOtherWrite), 8},
		"Conflict":              {Conflict(), 7},
		"CollectionFull":        {CollectionFull(), 8},
		"ReplicatedConflict":    {ReplicatedWriteConflict(), 8},
		"InProgress":            {InProgress(), 2},
		"Cancel write":          {Cancel(1, "ConditionalCheckFailed"), 2},
		"Cancel":                {Cancel(0, "TransactionConflict"), 3},
		"ExpiredIterator":       {ExpiredIterator(), 1},
		"TrimmedData":           {TrimmedData(), 2},
		"Unprocessed":           {Unprocessed(1), 3},
		"Unprocessed all":       {Unprocessed(100), 3},
		"UnprocessedRate":       {UnprocessedRate(0.5), 3},
		"EmptyPage":             {EmptyPage(), 3},
		"CutPage":               {CutPage(3), 3},
		"AfterCommit Reset":     {AfterCommit(ResetConnection()), all},
		"AfterCommit Hang":      {AfterCommit(HangForever()), all},
		"AfterCommit Internal":  {AfterCommit(InternalError()), all},
		"AfterCommit Delay":     {AfterCommit(Delay(time.Second)), all},
		"AfterCommit Error 504": {AfterCommit(Error("GatewayTimeout", "", 504)), all},
	}
}

// request returns a request of an operation, with two items or parts where possible.
func request(operation string) *Request {
	return requestAs(operation, "")
}

// variants returns requests of an operation: for PartiQL one for each operation as which it runs.
func variants(operation string) []*Request {
	classes, ok := map[string][]string{
		"ExecuteStatement":      {"Scan", "PutItem"},
		"BatchExecuteStatement": {"BatchGetItem", "BatchWriteItem"},
		"ExecuteTransaction":    {"TransactGetItems", "TransactWriteItems"},
	}[operation]
	if !ok {
		return []*Request{request(operation)}
	}
	var all []*Request
	for _, class := range classes {
		all = append(all, requestAs(operation, class))
	}
	return all
}

func requestAs(operation, runsAs string) *Request {
	key := func(s string) value.Map { return value.MapOf(value.Attribute{Name: "pk", Value: value.String(s)}) }
	r := &Request{Operation: operation, RunsAs: runsAs, Tables: tables{}}
	switch of := r.class(); {
	case of&(batches|transactions) != 0:
		r.Targets = []engine.Target{{Table: "T", Key: key("a"), Write: of&writes != 0}, {Table: "T", Key: key("b"), Write: of&writes != 0}}
	case of&onItems != 0:
		r.Targets = []engine.Target{{Table: "T", Key: key("a"), Write: of&writes != 0}}
	case of&page != 0:
		r.Targets = []engine.Target{{Table: "T", Index: "I"}}
	case of&onTable != 0:
		r.Targets = []engine.Target{{Table: "T"}}
	}
	return r
}

// tables is a [TableInfo] with a global index I in each table. T is provisioned and D is on-demand.
type tables struct{}

func (tables) ARN(table, index string) string { return "arn:" + table + "/" + index }
func (tables) OnDemand(table string) bool     { return table == "D" }
func (tables) IsGlobal(_, index string) bool  { return index == "I" }

// TestEffectsOnOperations tries every effect on every operation. Either the plan has a
// fault, or the rule is invalid.
func TestEffectsOnOperations(t *testing.T) {
	t.Parallel()
	for name, e := range effects() {
		valid := 0
		for operation := range operations {
			var rule *Rule
			var plan Plan
			for _, r := range variants(operation) {
				rule = Compile(Spec{Operations: []string{operation}, Effects: []Effect{e.effect}}, 1, 1)
				var rules Rules
				rules.Add(rule)
				if plan = rules.Plan(r); rule.Hits() > 0 {
					break
				}
			}
			if rule.Err() != nil {
				require.Zero(t, plan, "%s on %s", name, operation)
				continue
			}
			valid++
			require.Equal(t, 1, rule.Hits(), "%s on %s", name, operation)
			require.Equal(t, e.effect.String(), plan.EffectNames())
			plan.hits = nil
			require.NotZero(t, plan, "%s on %s", name, operation)
		}
		require.Equal(t, e.on, valid, name)
	}
}

// TestOperationsOfService compares the operations with those of package service.
func TestOperationsOfService(t *testing.T) {
	t.Parallel()
	for _, operation := range append(Operations(), "GetItems") {
		_, err := service.Read(operation, []byte("{}"))
		var e *awserr.Error
		known := err == nil || !asError(err, &e) || e.Code != "UnknownOperationException"
		require.Equal(t, operation != "GetItems", known, operation)
	}
}

// TestKindsOfOperations compares what is asked for every request, and so is no search in the list
// of operations, with that list.
func TestKindsOfOperations(t *testing.T) {
	t.Parallel()
	for _, operation := range append(Operations(), "GetItems", "") {
		require.Equal(t, operations[operation] == page, IsPage(operation), operation)
		require.Equal(t, operations[operation]&(iterator|records|streams) != 0, OfStreams(operation), operation)
	}
}

func asError(err error, to **awserr.Error) bool {
	e, ok := err.(*awserr.Error) //nolint:errorlint // the service returns just this
	*to = e
	return ok
}

func TestInvalidEffects(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]Effect{
		"no throttling name":     Throttle("Throttled"),
		"no throttling reason":   Throttle(Throttling, "TooHot"),
		"two throttling errors":  Throttle(Throttling, RequestLimit),
		"half a reason":          Throttle(Throttling, "TableReadProvisionedThroughput"),
		"an error without code":  Error("", "", 400),
		"a success":              Error("Fine", "", 200),
		"no delay":               Delay(0),
		"no part":                Unprocessed(0),
		"negative rate":          UnprocessedRate(-0.1),
		"rate above 1":           UnprocessedRate(1.5),
		"no item":                CutPage(0),
		"no reason":              Cancel(0, "None"),
		"no action":              Cancel(-1, "TransactionConflict"),
		"throttled, applied":     AfterCommit(Throttle(Throttling)),
		"known but applied":      AfterCommit(RefuseConnection()),
		"late after commit":      AfterCommit(LateDuplicate(AfterRetry)),
		"conflict after commit":  AfterCommit(Conflict()),
		"corrupted after commit": AfterCommit(Truncate()),
		"read and written":       Throttle("TableReadAccountLimitExceeded", "TableWriteAccountLimitExceeded"),
		"an index without name":  Throttle("IndexWriteAccountLimitExceeded"),
		"twice after commit":     AfterCommit(AfterCommit(ResetConnection())),
		"overrides after commit": AfterCommit(Unprocessed(1)),
		"client error, applied":  AfterCommit(Error("LimitExceededException", "", 400)),
		"unknown effect":         Unknown("Fault(99)"),
	} {
		require.Error(t, Compile(Spec{Effects: []Effect{e}}, 1, 1).Err(), name)
	}
}

// TestThrottling checks that the limit or the table's billing mode determines the name of the
// error, and that the error names the resource.
func TestThrottling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		operation, table, name, limit string
		wantName, wantResource        string
	}{
		{"Query", "T", Throttling, "IndexReadKeyRangeThroughputExceeded", Throttling, "arn:T/I"},
		{"Query", "D", "", "IndexReadKeyRangeThroughputExceeded", Throttling, "arn:D/I"},
		{"GetItem", "T", "", "TableReadAccountLimitExceeded", ProvisionedThroughput, "arn:T/"},
		{"GetItem", "T", "", "TableReadMaxOnDemandThroughputExceeded", Throttling, "arn:T/"},
		{"GetItem", "D", "", "TableReadKeyRangeThroughputExceeded", Throttling, "arn:D/"},
		{"GetItem", "D", "", "TableReadProvisionedThroughputExceeded", ProvisionedThroughput, "arn:D/"},
		{"GetItem", "D", RequestLimit, "TableReadAccountLimitExceeded", RequestLimit, "arn:D/"},
		// this limit does not apply to an index
		{"Query", "T", "", "TableReadKeyRangeThroughputExceeded", "", ""},
		{"PutItem", "T", "", "TableReadKeyRangeThroughputExceeded", "", ""},
		{"GetItem", "T", "", "TableWriteKeyRangeThroughputExceeded", "", ""},
		{"DescribeTable", "T", "", "", "", ""},
		{"PutItem", "D", "", "", Throttling, ""},
		{"DescribeTable", "T", Throttling, "", Throttling, ""},
	} {
		var rules Rules
		var names []string
		for _, name := range []string{c.name, c.limit} {
			if name != "" {
				names = append(names, name)
			}
		}
		rules.Add(Compile(Spec{Effects: []Effect{Throttle(names...)}}, 1, 1))
		r := request(c.operation)
		for i := range r.Targets {
			r.Targets[i].Table = c.table
		}
		err := rules.Plan(r).Before.Error
		if c.wantName == "" {
			require.Nil(t, err, "%+v", c)
			continue
		}
		require.NotNil(t, err, "%+v", c)
		require.Equal(t, c.wantName, err.Code, "%+v", c)
		if c.limit != "" {
			require.Equal(t, []awserr.ThrottlingReason{{Reason: c.limit, Resource: c.wantResource}}, err.Throttling)
		}
	}
}

// TestThrottledIndexWrites checks that writes are throttled for the index that the rule
// names, if the table has it.
func TestThrottledIndexWrites(t *testing.T) {
	t.Parallel()
	for index, want := range map[string][]awserr.ThrottlingReason{
		"I":     {{Reason: "IndexWriteKeyRangeThroughputExceeded", Resource: "arn:T/I"}},
		"other": nil,
	} {
		for _, operation := range []string{"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"} {
			var rules Rules
			r := Compile(Spec{Index: index, Effects: []Effect{Throttle("IndexWriteKeyRangeThroughputExceeded")}}, 1, 1)
			require.NoError(t, r.Err())
			rules.Add(r)
			plan := rules.Plan(request(operation))
			if want == nil {
				require.Zero(t, plan)
				continue
			}
			if operation == "TransactWriteItems" {
				require.Equal(t, map[int]string{0: "ProvisionedThroughputExceeded"}, plan.Overrides.Reasons)
			} else {
				require.Equal(t, want, plan.Before.Error.Throttling, operation)
			}
			check := request(operation)
			for i := range check.Targets {
				check.Targets[i].Write = false
			}
			require.Zero(t, rules.Plan(check), "conditions are checked without the index")
		}
	}
}

// TestHitsOnlyIfApplied checks that a rule has no hit if the operation did not carry out its
// effects.
func TestHitsOnlyIfApplied(t *testing.T) {
	t.Parallel()
	var rules Rules
	empty, cut, slow := rule(EmptyPage()), rule(CutPage(3), Delay(time.Second)), rule(Delay(time.Second))
	for _, r := range []*Rule{empty, cut, slow} {
		rules.Add(r)
	}
	for _, want := range []struct {
		done engine.OverrideSet
		name string
		hits []int
	}{
		{engine.OverrideEmptyPage | engine.OverrideEvaluate, "EmptyPage, CutPage(3), Delay(1s), Delay(1s)", []int{1, 1, 1}},
		{engine.OverrideEvaluate, "CutPage(3), Delay(1s), Delay(1s)", []int{1, 2, 2}},
		{engine.OverrideUnprocessed, "Delay(1s), Delay(1s)", []int{1, 3, 3}},
	} {
		plan := rules.Plan(request("Scan"))
		plan.KeepApplied(want.done)
		require.Equal(t, want.name, plan.EffectNames())
		require.Equal(t, want.hits, []int{empty.Hits(), cut.Hits(), slow.Hits()})
	}
}

// TestCanceledAction checks the position of the cancellation reason.
func TestCanceledAction(t *testing.T) {
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
		{Spec{Effects: []Effect{Cancel(2, "ThrottlingError")}}, nil}, // there is no third action
	} {
		var rules Rules
		rules.Add(Compile(c.spec, 1, 1))
		require.Equal(t, c.want, rules.Plan(request("TransactWriteItems")).Overrides.Reasons)
	}
}

// TestUnprocessedParts checks that only matching parts are unprocessed.
func TestUnprocessedParts(t *testing.T) {
	t.Parallel()
	b := value.MapOf(value.Attribute{Name: "pk", Value: value.String("b")})
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Effects: []Effect{Unprocessed(1)}}, "true, false"},
		{Spec{Effects: []Effect{Unprocessed(100)}}, "true, true"},
		{Spec{Key: b, Effects: []Effect{Unprocessed(100)}}, "false, true"},
		{Spec{Effects: []Effect{UnprocessedRate(1)}}, "true, true"},
		{Spec{Key: b, Effects: []Effect{Unprocessed(1), Unprocessed(1)}}, "false, true"},
	} {
		var rules Rules
		rules.Add(Compile(c.spec, 1, 1))
		unprocessed := rules.Plan(request("BatchWriteItem")).Overrides.Unprocessed
		require.Equal(t, c.want, fmt.Sprintf("%t, %t", unprocessed(0), unprocessed(1)))
	}
}
