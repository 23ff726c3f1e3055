package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

func pointer[V any](v V) *V { return &v }

// Absent members are omitted; empty ones and 0 are not.
func TestReplies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reply any
		text  string
	}{
		{api.Empty{}, `{}`},
		{&api.GetItemOutput{}, `{}`},
		{&api.GetItemOutput{Item: value.Map{}}, `{"Item":{}}`},
		{&api.PageOutput{}, `{"Count":0,"ScannedCount":0}`},
		{&api.PageOutput{Items: []value.Map{}}, `{"Count":0,"Items":[],"ScannedCount":0}`},
		{
			api.PageOutput{Count: 2, Items: []value.Map{{}, value.MapOf(value.Attribute{Name: "a", Value: value.Bool(true)})}, ScannedCount: 7},
			`{"Count":2,"Items":[{},{"a":{"BOOL":true}}],"ScannedCount":7}`,
		},
		{api.ListTablesOutput{TableNames: []string{}}, `{"TableNames":[]}`},
		{
			api.BatchGetItemOutput{Responses: map[string][]value.Map{"b": {}, "a": nil}, UnprocessedKeys: map[string]*api.KeysAndAttributes{}},
			`{"Responses":{"a":[],"b":[]},"UnprocessedKeys":{}}`,
		},
		{api.TransactGetItemsOutput{Responses: []api.ItemResponse{{}, {Item: value.Map{}}}}, `{"Responses":[{},{"Item":{}}]}`},
		{
			api.ConsumedCapacity{TableName: "t", CapacityUnits: pointer(0.5), ReadCapacityUnits: pointer(12.0), Table: &api.Capacity{}},
			`{"TableName":"t","CapacityUnits":0.5,"ReadCapacityUnits":12.0,"Table":{}}`,
		},
		{
			api.TableDescription{CreationDateTime: pointer(1795273018.347), ItemCount: pointer(int64(0)), DeletionProtectionEnabled: pointer(false)},
			`{"CreationDateTime":1795273018.347,"ItemCount":0,"DeletionProtectionEnabled":false}`,
		},
		{
			api.GetRecordsOutput{Records: []api.Record{{EventID: "1", Dynamodb: api.StreamRecord{SequenceNumber: "2"}}}},
			`{"Records":[{"dynamodb":{"SequenceNumber":"2","SizeBytes":0},"eventID":"1"}]}`,
		},
	} {
		require.Equal(t, test.text, string(wire.Encode(test.reply)))
		require.Equal(t, ">"+test.text, string(wire.Append([]byte(">"), test.reply)))
	}
}

// Attribute values have the service's encoding.
func TestAttributeValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value value.Value
		text  string
	}{
		{value.String("a<>&'\"\\/\b\f\n\r\t\x00\u007f\u2028é😀"), `{"S":"a<>&'\"\\/\u0008\u000c\n\r\t\u0000` + "\u007f\u2028é😀" + `"}`},
		{value.String("\xff"), `{"S":"` + "\uFFFD" + `"}`},
		{number("-1.50"), `{"N":"-1.5"}`},
		{value.Binary("\x00\x01\x02\xff"), `{"B":"AAEC/w=="}`},
		{value.Bool(false), `{"BOOL":false}`},
		{value.Null{}, `{"NULL":true}`},
		{value.List{}, `{"L":[]}`},
		{value.List{value.Null{}, value.List{}}, `{"L":[{"NULL":true},{"L":[]}]}`},
		{value.Map{}, `{"M":{}}`},
		{value.MapOf(value.Attribute{Name: `"`, Value: value.Map{}}), `{"M":{"\"":{"M":{}}}}`},
		{value.StringSet{"a", "b"}, `{"SS":["a","b"]}`},
		{value.NumberSet{number("1").Decimal, number("2").Decimal}, `{"NS":["1","2"]}`},
		{value.BinarySet{"", "a"}, `{"BS":["","YQ=="]}`},
	} {
		require.Equal(t, `{"a":`+test.text+`}`, string(itemJSON(value.MapOf(value.Attribute{Name: "a", Value: test.value}))))
	}
}

// Errors have the service's encoding, which differs between them.
func TestErrors(t *testing.T) {
	t.Parallel()
	item := value.MapOf(value.Attribute{Name: "a", Value: value.Bool(true)})
	throttling := []awserr.ThrottlingReason{{Reason: "r", Resource: "arn"}}
	for _, test := range []struct {
		err  *awserr.Error
		text string
	}{
		{awserr.Validation("m"), `{"__type":"com.amazon.coral.validate#ValidationException","message":"m"}`},
		{awserr.New(awserr.CodeSerialization, "m"), `{"__type":"com.amazon.coral.service#SerializationException","Message":"m"}`},
		{awserr.New("UnknownOperationException", ""), `{"__type":"com.amazon.coral.service#UnknownOperationException"}`},
		{
			awserr.NotFound(),
			`{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}`,
		},
		{
			awserr.ConditionFailed(item),
			`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"a":{"BOOL":true}}}`,
		},
		{
			&awserr.Error{Code: awserr.CodeCanceled, Message: "m", Reasons: []awserr.Reason{{Code: "None"}, {Code: "c", Message: "n", Item: item}}},
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"m",` +
				`"CancellationReasons":[{"Code":"None"},{"Code":"c","Message":"n","Item":{"a":{"BOOL":true}}}]}`,
		},
		{
			&awserr.Error{Code: "ProvisionedThroughputExceededException", Message: "m", Throttling: throttling},
			`{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"m",` +
				`"ThrottlingReasons":[{"reason":"r","resource":"arn"}]}`,
		},
		{
			&awserr.Error{Code: "ThrottlingException", Message: "m", Throttling: throttling},
			`{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"m","throttlingReasons":[{"reason":"r","resource":"arn"}]}`,
		},
	} {
		require.Equal(t, test.text, string(wire.EncodeError(test.err)))
	}
}
