package differential

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"
)

// scenario demonstrates one explanation.
type scenario struct {
	explanation string
	table       *table
	steps       []any  // requests
	what        string // the fact that differs
	candidate   string // the candidate's value, which is right
}

// Tables of the scenarios.
var (
	simple  = &table{name: "explained", key: key{hash: []attribute{{"pk", "N"}}}}
	indexed = &table{name: "explained", key: key{hash: []attribute{{"pk", "N"}}, sort: []attribute{{"sk", "N"}}}, indexes: []index{
		{name: "one", key: key{hash: []attribute{{"g1", "S"}}}, projection: types.ProjectionTypeKeysOnly},
		{name: "two", key: key{hash: []attribute{{"g2", "S"}}, sort: []attribute{{"g3", "S"}}}, projection: types.ProjectionTypeAll},
		{name: "lsi", key: key{hash: []attribute{{"pk", "N"}}, sort: []attribute{{"g4", "S"}}}, local: true, projection: types.ProjectionTypeKeysOnly},
	}}
	streamed = &table{name: "explained", key: simple.key, stream: types.StreamViewTypeNewImage}
)

var explainedName = aws.String("explained")

func putOf(it item) *dynamodb.PutItemInput {
	return &dynamodb.PutItemInput{TableName: explainedName, Item: it, ReturnConsumedCapacity: capacity}
}

func updateOf(key item, expression string, values item) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{
		TableName: explainedName, Key: key, UpdateExpression: &expression, ExpressionAttributeValues: values, ReturnConsumedCapacity: capacity,
	}
}

func transactionOf(actions ...types.TransactWriteItem) *dynamodb.TransactWriteItemsInput {
	return &dynamodb.TransactWriteItemsInput{TransactItems: actions, ReturnConsumedCapacity: capacity}
}

func putAction(it item) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: explainedName, Item: it}}
}

func deleteAction(key item) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{TableName: explainedName, Key: key}}
}

var (
	here  = item{"pk": number("1")}
	there = item{"pk": number("2")}
	both  = item{"pk": number("1"), "sk": number("1")}
)

var scenarios = []scenario{
	{"units of reads and writes apart", simple, []any{transactionOf(putAction(here))}, "capacity of explained table written", "2"},
	{"capacity of what is not there", simple, []any{&dynamodb.BatchGetItemInput{
		ReturnConsumedCapacity: capacity, RequestItems: map[string]types.KeysAndAttributes{"explained": {Keys: []item{here}}},
	}}, "capacity of explained table", "0.5"},
	{"capacity of what is not there", simple, []any{&dynamodb.ScanInput{TableName: explainedName, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: capacity}}, "capacity of explained table", "1"},
	{"capacity of what is not there", simple, []any{&dynamodb.BatchWriteItemInput{
		ReturnConsumedCapacity: capacity, RequestItems: map[string][]types.WriteRequest{"explained": {{DeleteRequest: &types.DeleteRequest{Key: here}}}},
	}}, "capacity of explained table", "1"},
	{"capacity of what is not there", simple, []any{transactionOf(deleteAction(here))}, "capacity of explained table", "2"},
	{"capacity of a transaction", simple, []any{transactionOf(putAction(here), putAction(there))}, "capacity of explained table", "4"},
	{"capacity of a transaction", indexed, []any{transactionOf(putAction(with(both, "g1", text("a"))))}, "capacity of explained one", "1"},
	{"capacity of an index without the item", indexed, []any{putOf(with(both, "g2", text("a"))), putOf(with(both, "g3", text("a")))}, "capacity of explained two", "0"},
	{"capacity of reading an index", indexed, []any{
		putOf(with(with(both, "g1", text("a")), padName, pad(8000))),
		&dynamodb.ScanInput{TableName: explainedName, IndexName: aws.String("one"), ReturnConsumedCapacity: capacity},
	}, "capacity of explained one", "0.5"},
	{"capacity of reading an index", indexed, []any{
		putOf(with(both, "g4", text("a"))),
		&dynamodb.QueryInput{
			TableName: explainedName, IndexName: aws.String("lsi"), KeyConditionExpression: aws.String("pk = :pk"), ProjectionExpression: aws.String("pk, sk"),
			ExpressionAttributeValues: item{":pk": number("1")}, ReturnConsumedCapacity: capacity,
		},
	}, "capacity of explained table", "0"},
	{"item collection metrics", indexed, []any{
		&dynamodb.PutItemInput{TableName: explainedName, Item: both, ReturnItemCollectionMetrics: types.ReturnItemCollectionMetricsSize},
	}, factMetrics, "{pk:1}"},
	{"reasons of a canceled transaction", simple, []any{transactionOf(types.TransactWriteItem{Update: &types.Update{
		TableName: explainedName, Key: here, UpdateExpression: aws.String("SET n1 = n2"),
	}})}, factError, codeCanceled},
	{"start at the end of a range", indexed, []any{&dynamodb.QueryInput{
		TableName: explainedName, KeyConditionExpression: aws.String("pk = :n AND sk <= :n"), ExpressionAttributeValues: item{":n": number("1")}, ExclusiveStartKey: both,
	}}, factError, ""},
	{"reasons of a canceled transaction", simple, []any{&dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: explainedName, Key: here}}, {Get: &types.Get{TableName: explainedName, Key: item{"pk": text("a")}}},
	}}}, factReasons, "None ValidationError"},
	{"large batch from one partition", indexed, []any{
		largeItem("1"), largeItem("2"), largeItem("3"), &dynamodb.BatchGetItemInput{ReturnConsumedCapacity: capacity, RequestItems: map[string]types.KeysAndAttributes{"explained": {
			Keys: []item{both, {"pk": number("1"), "sk": number("2")}, {"pk": number("1"), "sk": number("3")}},
		}}},
	}, factUnprocessed, "1"},
	{"attributes of a nested path", simple, []any{
		putOf(with(here, "m", mapping(item{"x": number("1"), "y": number("2")}))),
		&dynamodb.UpdateItemInput{TableName: explainedName, Key: here, UpdateExpression: aws.String("REMOVE m.x"), ReturnValues: types.ReturnValueUpdatedOld},
	}, factAttributes, "{m:{x:1}}"},

	{"spelling of numbers", simple, []any{
		putOf(with(here, "l", list(number("007")))), &dynamodb.GetItemInput{TableName: explainedName, Key: here, ReturnConsumedCapacity: capacity},
	}, "Item", "{l:[7] pk:1}"},
	{"update that only takes away, of an item that is not there", simple, []any{updateOf(here, "REMOVE s1", nil)}, "state of explained : Count", "0"},
	{"update that only takes away, of an item that is not there", simple, []any{updateOf(here, "REMOVE m.x", nil)}, factError, ""},
	{"wrong requests that are taken", indexed, []any{updateOf(both, "SET g4 = :n", item{":n": number("1")})}, factError, codeValidation},
	{"wrong requests that are taken", indexed, []any{
		putOf(with(both, "n1", number("1"))), updateOf(both, "SET g4 = if_not_exists(n1, :a)", item{":a": text("a")}),
	}, factError, codeValidation},
	{"spelling of numbers", simple, []any{transactionOf(putAction(here), deleteAction(item{"pk": number("1.0")}))}, factError, codeValidation},
	{"change of an attribute without an action", simple, []any{
		&dynamodb.UpdateItemInput{TableName: explainedName, Key: here, AttributeUpdates: map[string]types.AttributeValueUpdate{"s1": {Value: text("a")}}},
		&dynamodb.GetItemInput{TableName: explainedName, Key: here},
	}, "Item", `{pk:1 s1:"a"}`},
	{"wrong legacy parameters that are taken", simple, []any{&dynamodb.ScanInput{
		TableName: explainedName, ScanFilter: map[string]types.Condition{}, FilterExpression: aws.String("attribute_exists(pk)"),
	}}, factError, codeValidation},
	{"wrong legacy parameters that are taken", simple, []any{&dynamodb.GetItemInput{TableName: explainedName, Key: here, AttributesToGet: []string{}}}, factError, codeValidation},
	{"capacity that was not asked for", simple, []any{&dynamodb.DeleteItemInput{TableName: explainedName, Key: here}}, "capacity of explained", absent},
	{"wrong requests that are taken", simple, []any{
		&dynamodb.PutItemInput{TableName: explainedName, Item: here, ReturnConsumedCapacity: "ALL"},
	}, factError, codeValidation},
	{"wrong requests that are taken", simple, []any{updateOf(here, "SET size = :n", item{":n": number("1")})}, factError, codeValidation},
	{"wrong requests that are taken", simple, []any{
		&dynamodb.PutItemInput{TableName: explainedName, Item: here, ExpressionAttributeValues: item{}},
	}, factError, codeValidation},
	{"filter by what a global index lacks", indexed, []any{
		putOf(with(with(both, "g1", text("a")), "s1", text("a"))),
		&dynamodb.ScanInput{TableName: explainedName, IndexName: aws.String("one"), FilterExpression: aws.String("attribute_exists(s1)")},
	}, "Count", "0"},
	{"size of a page", indexed, []any{
		inIndex(largeItem("1")), inIndex(largeItem("2")), inIndex(largeItem("3")), inIndex(largeItem("4")), &dynamodb.QueryInput{
			TableName: explainedName, IndexName: aws.String("one"), KeyConditionExpression: aws.String("g1 = :a"), ExpressionAttributeValues: item{":a": text("a")},
		},
	}, "ScannedCount", "4"},
	{"size of a page", indexed, []any{
		largeItem("1"), largeItem("2"), largeItem("3"), largeItem("4"), &dynamodb.QueryInput{
			TableName: explainedName, KeyConditionExpression: aws.String("pk = :n"), FilterExpression: aws.String("attribute_exists(s1)"),
			ExpressionAttributeValues: item{":n": number("1")},
		},
	}, "ScannedCount", "3"},
	{"changes of the time to live", simple, []any{timeToLiveOf(true), timeToLiveOf(false)}, factError, codeValidation},
	{"empty map in a stream", streamed, []any{putOf(with(here, "m", mapping(item{})))}, "records of {pk:1}", "INSERT NEW_IMAGE {pk:1} old none new {m:{} pk:1} "},
}

// withoutRepair returns a client that does not repair stream images.
func withoutRepair(c *dynamodbstreams.Client) *dynamodbstreams.Client {
	return dynamodbstreams.New(c.Options(), func(o *dynamodbstreams.Options) {
		if repairing, ok := o.HTTPClient.(typedImages); ok {
			o.HTTPClient = repairing.client
		}
	})
}

// largeItem puts an item so large that three of them fill a page.
func largeItem(sort string) *dynamodb.PutItemInput {
	return putOf(item{"pk": number("1"), "sk": number(sort), padName: pad(380_000)})
}

// inIndex puts the item with an entry in the index "one".
func inIndex(in *dynamodb.PutItemInput) *dynamodb.PutItemInput {
	return putOf(with(in.Item, "g1", text("a")))
}

func timeToLiveOf(on bool) *dynamodb.UpdateTimeToLiveInput {
	return &dynamodb.UpdateTimeToLiveInput{TableName: explainedName, TimeToLiveSpecification: &types.TimeToLiveSpecification{
		AttributeName: aws.String(ttlName), Enabled: aws.Bool(on),
	}}
}

// Each explained difference exists. Its explanation removes it, unless the histories avoid the
// difference.
func TestExplanations(t *testing.T) {
	t.Parallel()
	excused := pair{reference: local(t), candidate: inProcess(t), known: explanations}
	strict := excused
	strict.known, strict.reference.loose = nil, false
	strict.reference.streams = withoutRepair(strict.reference.streams)
	for i, s := range scenarios {
		if err := s.check(t.Context(), strict, excused); err != nil {
			t.Errorf("scenario %d, %s: %v", i, s.explanation, err)
		}
	}
}

// requests returns a history of single requests on one table.
func requests(t *table, all ...any) history {
	h := history{name: t.name, tables: []*table{t}}
	for _, request := range all {
		h.steps = append(h.steps, operation{input: request})
	}
	return h
}

func (s scenario) check(ctx context.Context, strict, excused pair) error {
	h := requests(s.table, s.steps...)
	got, err := strict.run(ctx, h)
	switch {
	case err != nil:
		return err
	case got.failure == nil:
		return errors.New("there is no such difference")
	case !slices.ContainsFunc(got.failure.differences, s.is):
		return fmt.Errorf("there is another difference: %v", got.failure)
	}
	e := explanations[slices.IndexFunc(explanations, func(e explanation) bool { return e.name == s.explanation })]
	if e.applies == nil {
		return nil
	}
	got, err = excused.run(ctx, h)
	switch {
	case err != nil:
		return err
	case got.failure != nil:
		return fmt.Errorf("it is not explained: %v", got.failure)
	case got.explained[s.explanation] == 0:
		return fmt.Errorf("it is explained by another: %v", got.explained)
	}
	return nil
}

// is reports whether a difference is that of the scenario. Errors are compared by code only.
func (s scenario) is(d difference) bool {
	if d.what == factError {
		code, _, _ := strings.Cut(d.candidate, " ")
		return s.what == factError && code == s.candidate
	}
	return d.what == s.what && d.candidate == s.candidate
}

func TestEachExplanationHasAScenario(t *testing.T) {
	t.Parallel()
	for _, e := range explanations {
		require.NotEmpty(t, e.service, e.name)
		require.NotEmpty(t, e.source, e.name)
		require.True(t, slices.ContainsFunc(scenarios, func(s scenario) bool { return s.explanation == e.name }), e.name)
	}
}
