package exec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// canceled is the response to a transaction that was canceled for reasons with these codes.
func canceled(codes ...string) reply {
	reasons := make([]map[string]string, len(codes))
	for i, code := range codes {
		reasons[i] = map[string]string{"Code": code, "Message": "m"}
	}
	list, err := json.Marshal(reasons)
	if err != nil {
		panic(err)
	}
	return says(400, fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","message":"m","CancellationReasons":%s}`, list))
}

// addOf returns a transaction that adds 1 to n items, or an operation that adds 1 to an item.
func addOf(n int, token string) *op.Operation {
	o := &op.Operation{Name: "transaction", Token: token}
	for i := range n {
		key := op.Item{"PK": text(fmt.Sprint("key", i))}
		o.Members = append(o.Members, op.Member{Name: "update", Table: "app", Key: key})
		o.Actions = append(o.Actions, op.Action{
			Verb: op.Update, Member: i, Key: key, Changes: adding(),
			Clauses: []clause.Clause{existing()},
		})
	}
	if n == 1 {
		o.Name, o.Members = "update", nil
	}
	return o
}

// TestTransactionRetries checks which responses to a transaction are retried, and the outcome.
func TestTransactionRetries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		replies []reply
		sent    int
		outcome trestle.Outcome
		kind    error
	}{
		"applied":                         {[]reply{fine}, 1, trestle.Applied, nil},
		"reply lost":                      {[]reply{reset, fine}, 2, trestle.Applied, nil},
		"all replies lost":                {[]reply{reset}, 3, trestle.Unknown, errs.Unknown},
		"still running":                   {[]reply{code(400, "TransactionInProgressException"), fine}, 2, trestle.Applied, nil},
		"conflict":                        {[]reply{canceled("TransactionConflict", "None"), fine}, 2, trestle.Applied, nil},
		"conflict and throttling":         {[]reply{canceled("TransactionConflict", "ThrottlingError"), fine}, 2, trestle.Applied, nil},
		"throttled":                       {[]reply{canceled("None", "ProvisionedThroughputExceeded"), fine}, 2, trestle.Applied, nil},
		"always a conflict":               {[]reply{canceled("TransactionConflict", "None")}, 1 + maxConflicts, trestle.NotApplied, nil},
		"always running":                  {[]reply{inProgress}, 1 + maxInProgress, trestle.Unknown, errs.Unknown},
		"condition":                       {[]reply{canceled("None", "ConditionalCheckFailed"), fine}, 1, trestle.NotApplied, errs.NotFound},
		"condition and conflict":          {[]reply{canceled("TransactionConflict", "ConditionalCheckFailed"), fine}, 1, trestle.NotApplied, errs.NotFound},
		"no reason":                       {[]reply{canceled("None", "None"), fine}, 1, trestle.NotApplied, nil},
		"condition after a lost reply":    {[]reply{reset, canceled("None", "ConditionalCheckFailed")}, 2, trestle.Unknown, errs.Unknown},
		"other parameters with the token": {[]reply{code(400, "IdempotentParameterMismatchException")}, 1, trestle.Unknown, errs.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{replies: c.replies}
				err := Do(t.Context(), newEnv(s), addOf(2, ""), nothing)
				require.Equal(t, c.sent, s.sent)
				require.Equal(t, c.outcome, trestle.OutcomeOf(err))
				for _, kind := range []error{errs.NotFound, errs.Unknown} {
					require.Equal(t, errors.Is(c.kind, kind), errors.Is(err, kind), kind)
				}
			})
		})
	}
}

// TestTransactionReasons checks that each failed action has an error of its own, and that a single
// action's reason is that of the operation.
func TestTransactionReasons(t *testing.T) {
	t.Parallel()
	all := failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{canceled("None", "ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded")}}),
		addOf(3, ""), nothing))
	require.NoError(t, all.Kind)
	require.Nil(t, all.Key)
	var reasons *trestle.CanceledError
	require.ErrorAs(t, all, &reasons)
	require.Len(t, reasons.Failures, 2)
	condition, size := reasons.Failures[0], reasons.Failures[1]
	require.Equal(t, 1, condition.Operation)
	require.Equal(t, errs.NotFound, condition.Err.Kind)
	require.Equal(t, op.Item{"PK": text("key1")}, condition.Err.Key)
	require.Equal(t, 2, size.Operation)
	require.NoError(t, size.Err.Kind)
	require.NotEmpty(t, size.Err.Hint)
	for _, f := range reasons.Failures {
		require.Equal(t, trestle.NotApplied, f.Err.Outcome)
		require.Equal(t, "app", f.Err.Table)
		require.Equal(t, "update", f.Err.Op)
		require.Equal(t, "REQ1", f.Err.RequestID)
	}
	var sdk *types.TransactionCanceledException
	require.ErrorAs(t, all, &sdk)

	one := failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{canceled("ConditionalCheckFailed")}}), addOf(1, "token"), nothing))
	require.Equal(t, errs.NotFound, one.Kind)
	require.Equal(t, op.Item{"PK": text("key0")}, one.Key)
	require.ErrorAs(t, one, &sdk)
	var failed *ConditionFailure
	require.ErrorAs(t, one, &failed)
}

// TestTransactionTokens checks that all attempts of a transaction have one token, that each call
// has a new one, and that the caller's token is sent.
func TestTransactionTokens(t *testing.T) {
	t.Parallel()
	var tokens []string
	record := func(next reply) reply {
		return func(r *http.Request) (*http.Response, error) {
			var in struct{ ClientRequestToken string }
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			if err := json.Unmarshal(body, &in); err != nil {
				return nil, err
			}
			tokens = append(tokens, in.ClientRequestToken)
			return next(r)
		}
	}
	e := newEnv(&script{replies: []reply{record(reset), record(fine)}})
	require.NoError(t, Do(t.Context(), e, addOf(2, ""), nothing))
	require.NoError(t, Do(t.Context(), e, addOf(2, ""), nothing))
	require.NoError(t, Do(t.Context(), e, addOf(1, "mine"), nothing))
	require.Len(t, tokens, 4)
	require.Equal(t, tokens[0], tokens[1], "the same in both attempts")
	require.NotEmpty(t, tokens[0])
	require.LessOrEqual(t, len(tokens[0]), 36)
	require.NotEqual(t, tokens[0], tokens[2], "another call")
	require.Equal(t, "mine", tokens[3])
}

// counters is a table of counters that are read and written in transactions only. Another writer
// increases all counters before each of the first writes.
type counters struct {
	trestle.Client
	mu     sync.Mutex
	n      map[string]int
	raises int

	reads, writes int
}

func (c *counters) item(key op.Item) op.Item {
	name := key["PK"].(*types.AttributeValueMemberS).Value
	if n, ok := c.n[name]; ok {
		return op.Item{"PK": key["PK"], "n": number(n)}
	}
	return nil
}

func (c *counters) GetItem(_ context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads++
	return &dynamodb.GetItemOutput{Item: c.item(in.Key), ConsumedCapacity: &types.ConsumedCapacity{CapacityUnits: units(1)}}, nil
}

func (c *counters) TransactGetItems(
	_ context.Context, in *dynamodb.TransactGetItemsInput, _ ...func(*dynamodb.Options),
) (*dynamodb.TransactGetItemsOutput, error) {
	c.reads++
	out := &dynamodb.TransactGetItemsOutput{ConsumedCapacity: []types.ConsumedCapacity{
		{CapacityUnits: units(2 * float64(len(in.TransactItems)))}, {CapacityUnits: units(0.5)},
	}}
	for _, get := range in.TransactItems {
		out.Responses = append(out.Responses, types.ItemResponse{Item: c.item(get.Get.Key)})
	}
	return out, nil
}

func (c *counters) TransactWriteItems(
	_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options),
) (*dynamodb.TransactWriteItemsOutput, error) {
	c.writes++
	if c.raises > 0 {
		c.raises--
		for name := range c.n {
			c.n[name]++
		}
	}
	reasons, failed := make([]types.CancellationReason, len(in.TransactItems)), false
	for i, write := range in.TransactItems {
		reasons[i].Code = aws.String("None")
		if item := c.item(write.Update.Key); item == nil || item["n"].(*types.AttributeValueMemberN).Value != write.Update.ExpressionAttributeValues[":v1"].(*types.AttributeValueMemberN).Value {
			reasons[i] = types.CancellationReason{Code: aws.String("ConditionalCheckFailed"), Item: item}
			failed = true
		}
	}
	if failed {
		return nil, &types.TransactionCanceledException{CancellationReasons: reasons}
	}
	return &dynamodb.TransactWriteItemsOutput{ConsumedCapacity: []types.ConsumedCapacity{{CapacityUnits: units(4)}}}, nil
}

// guardedUpdates reads counters, and changes each on the condition that it has the value read.
func guardedUpdates(names ...string) *op.Operation {
	o := &op.Operation{Name: "update", PreRead: &op.PreRead{}}
	for _, name := range names {
		o.Members = append(o.Members, op.Member{Name: "update", Key: op.Item{"PK": text(name)}})
		o.PreRead.Reads = append(o.PreRead.Reads, op.Action{Verb: op.Get, Key: op.Item{"PK": text(name)}, Idempotent: true})
	}
	o.PreRead.Plan = func(stored []op.Item) (actions []op.Action, err error) {
		for i, read := range o.PreRead.Reads {
			if stored[i] == nil {
				return nil, errs.NotFound
			}
			n := stored[i]["n"]
			actions = append(actions, op.Action{
				Verb: op.Update, Member: i, Key: read.Key, Changes: adding(),
				Clauses: append(planned("n", n, i), existing()),
			})
		}
		return actions, nil
	}
	return o
}

// TestSeveralPreReads checks that a transaction is planned from several reads, and is planned again
// from the items that another writer changed.
func TestSeveralPreReads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		raises, writes int
		missing        bool
		kind           error
	}{
		"undisturbed":  {0, 1, false, nil},
		"changed once": {1, 2, false, nil},
		"for ever":     {100, Replans, false, errs.Condition},
		"missing":      {0, 0, true, errs.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := &counters{n: map[string]int{}, raises: c.raises}
				names := make([]string, 20)
				for i := range names {
					names[i] = fmt.Sprint("key", i)
					client.n[names[i]] = i
				}
				if c.missing {
					delete(client.n, "key7")
				}
				var seen trestle.Event
				e := &Config{Client: client, Table: "app", Observer: ends(func(_ context.Context, ev trestle.Event) { seen = ev })}
				err := Do(t.Context(), e, guardedUpdates(names...), nothing)
				require.Equal(t, len(names), client.reads)
				require.Equal(t, c.writes, client.writes)
				require.Equal(t, len(names)+c.writes, seen.Requests)
				require.InDelta(t, len(names), seen.Capacity.Read, 0)
				if c.kind == nil {
					require.NoError(t, err)
					require.InDelta(t, 4, seen.Capacity.Write, 0)
					return
				}
				require.ErrorIs(t, err, c.kind)
				require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
				require.Nil(t, failureOf(t, err).Key, "of several items")
			})
		})
	}
}

// TestTransactionOfReads checks that the reply has a row for each read, in order.
func TestTransactionOfReads(t *testing.T) {
	t.Parallel()
	client := &counters{n: map[string]int{"a": 1, "c": 3}}
	var seen trestle.Event
	e := &Config{Client: client, Table: "app", Observer: ends(func(_ context.Context, ev trestle.Event) { seen = ev })}
	o := &op.Operation{Name: "get"}
	for _, name := range []string{"a", "b", "c"} {
		o.Actions = append(o.Actions, op.Action{Verb: op.Get, Key: op.Item{"PK": text(name)}, Idempotent: true})
	}
	var rows core.Rows
	require.NoError(t, Do(t.Context(), e, o, func(r op.Reply) error { rows = r.Rows; return nil }))
	require.Equal(t, 3, rows.Len())
	require.Equal(t, number(1), rows.At(0).Attribute("n"))
	require.True(t, rows.At(1).Empty())
	require.Equal(t, number(3), rows.At(2).Attribute("n"))
	require.Equal(t, trestle.Capacity{Read: 6.5}, seen.Capacity)
	require.Equal(t, trestle.NoWrite, seen.Outcome)
}

// TestActionsOfOneOperation checks the error of one operation that has several actions: that of its
// first action whose conditional check failed.
func TestActionsOfOneOperation(t *testing.T) {
	t.Parallel()
	o := &op.Operation{Name: "create"}
	free := clause.Clause{Pred: clause.AnItem{Key: &core.Attribute{Name: "PK"}}, Fails: errs.Taken, Rank: clause.Existence, Then: clause.Depend} // false of the replies
	guard := func(unique string) *op.Guard { return &op.Guard{Unique: unique, Claims: true} }
	for i, g := range []*op.Guard{nil, guard("email"), guard("name")} {
		o.Actions = append(o.Actions, op.Action{
			Verb: op.Put, Item: op.NewContent(op.Item{"PK": text(fmt.Sprint("key", i))}), Key: op.Item{"PK": text(fmt.Sprint("key", i))},
			Guard: g,
		})
		if g != nil {
			o.Actions[i].Clauses = []clause.Clause{free}
		}
	}
	for name, c := range map[string]struct {
		codes []string
		kind  error
		taken []string
	}{
		"the first":                {[]string{"ConditionalCheckFailed", "ConditionalCheckFailed", "None"}, errs.Condition, nil},
		"another":                  {[]string{"None", "ConditionalCheckFailed", "ConditionalCheckFailed"}, errs.Taken, []string{"email", "name"}},
		"a conflict and a failure": {[]string{"TransactionConflict", "None", "ConditionalCheckFailed"}, errs.Taken, []string{"name"}},
		"no failed check":          {[]string{"None", "ItemCollectionSizeLimitExceeded", "None"}, nil, nil},
	} {
		f := failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{canceled(c.codes...)}}), o, nothing))
		require.Equal(t, c.kind, f.Kind, name)
		require.Equal(t, c.taken, f.Taken, name)
		require.Equal(t, "create", f.Op)
		require.Equal(t, o.Actions[0].Key, f.Key, "the item's, not that of a guard")
		require.NotErrorAs(t, f, new(*trestle.CanceledError))
	}
}
