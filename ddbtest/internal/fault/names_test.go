package fault

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"
)

// TestEveryOperationOfTheSDK checks that each operation is either implemented or listed as
// unsupported.
func TestEveryOperationOfTheSDK(t *testing.T) {
	t.Parallel()
	missing := map[string]bool{}
	for _, name := range unsupported {
		missing[name] = true
		require.NotContains(t, operations, name)
	}
	for _, client := range []reflect.Type{reflect.TypeFor[*dynamodb.Client](), reflect.TypeFor[*dynamodbstreams.Client]()} {
		for i := range client.NumMethod() {
			m := client.Method(i)
			if m.Name == "Options" {
				continue
			}
			if _, ours := operations[m.Name]; ours {
				require.NoError(t, CheckOperation(m.Name))
				continue
			}
			require.True(t, missing[m.Name], "%s is new: it belongs to unsupported", m.Name)
			require.EqualError(t, CheckOperation(m.Name), "ddbtest does not implement "+m.Name+": no request gets that far")
		}
	}
}

func TestNearestNames(t *testing.T) {
	t.Parallel()
	for misspelled, want := range map[string][]string{
		"UpdteItem": {"UpdateItem"}, "getitem": {"GetItem"}, "BatchWriteItems": {"BatchWriteItem"}, "TransactWriteItem": {"TransactWriteItems"},
		"TransactWrite": {"TransactWriteItems"}, "Querry": {"Query"}, "Update": {"UpdateItem", "UpdateTable", "UpdateTimeToLive"},
		"Batch": {"BatchGetItem", "BatchWriteItem"},
		"":      nil, "D": nil, "Select": nil, "INSERT INTO": nil,
	} {
		require.Equal(t, want, nearest(misspelled, Operations()), misspelled)
	}
	require.EqualError(t, CheckOperation("Querry"), `there is no operation "Querry": is it "Query"?`)
	require.EqualError(t, CheckOperation("Select"), `there is no operation "Select"`)
	require.Empty(t, nearest("orders", nil))
}

// TestOneLetterWrong checks that a name with one wrong letter is found for every operation.
func TestOneLetterWrong(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, name := range Operations() {
		at := random.IntN(len(name))
		wrong := name[:at] + "_" + name[at+1:]
		require.Contains(t, nearest(wrong, Operations()), name, wrong)
		require.NotContains(t, nearest(strings.Repeat("_", len(name)), Operations()), name, "the control: all letters are wrong")
	}
}

// TestFaultsAreToldOnce checks that all errors are reported once, with the operations that would be
// valid.
func TestFaultsAreToldOnce(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Spec{
		"Unprocessed(1) is for BatchGetItem and BatchWriteItem, not for GetItem": {
			Operations: []string{"GetItem"}, Effects: []Effect{Unprocessed(1)},
		},
		"OnKey is for operations that name items, not for Query": {
			Operations: []string{"Query"}, Key: request("GetItem").Targets[0].Key, Effects: []Effect{ResetConnection()},
		},
		"OnTable is for operations that name a table, not for ListTables": {
			Operations: []string{"ListTables", "ListTables"}, Table: "T", Effects: []Effect{ResetConnection()},
		},
		"no request can have it all: EmptyPage is for Query and Scan; OnKey is for operations that name items": {
			Key: request("GetItem").Targets[0].Key, Effects: []Effect{EmptyPage()},
		},
		"ddbtest does not implement ExecuteStatement: no request gets that far\nthere is no operation \"PutItm\": is it \"PutItem\"?": {
			Operations: []string{"ExecuteStatement", "PutItm"}, Effects: []Effect{ResetConnection()},
		},
		"there is no operation \"PutItm\": is it \"PutItem\"?\n" +
			"no request can have it all: EmptyPage is for Query and Scan; OnKey is for operations that name items": {
			Operations: []string{"PutItm"}, Key: request("GetItem").Targets[0].Key, Effects: []Effect{EmptyPage()},
		},
	} {
		require.EqualError(t, Compile(s, 1, 1).Err(), want)
	}
}

// TestFewNamesAreListed checks that all names are listed if they are few and none is similar.
func TestFewNamesAreListed(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]Effect{
		`there is no throttling error "Throttling": is it "ThrottlingException"?`:                                                                Throttle("Throttling"),
		`there is no throttling error "Slow": there are "ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"`: Throttle("Slow"),
		`there is no cancellation reason "ConditionalCheckFailedException": is it "ConditionalCheckFailed"?`:                                     Cancel(0, "ConditionalCheckFailedException"),
		`there is no cancellation reason "None": there are "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError", ` +
			`"ValidationError", "ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded"`: Cancel(0, "None"),
		"a transaction has no action -1: they are counted from 0\n" +
			`there is no cancellation reason "Conditional": is it "ConditionalCheckFailed"?`: Cancel(-1, "Conditional"),
		"there is no throttling reason \"a\": one is such as \"TableWriteKeyRangeThroughputExceeded\"\n" +
			`there is no throttling reason "b": one is such as "TableWriteKeyRangeThroughputExceeded"`: Throttle("", "a", "b"),
	} {
		require.EqualError(t, Compile(Spec{Effects: []Effect{e}}, 1, 1).Err(), want)
	}
	require.EqualError(t, UnknownName("table", "orders", nil), `there is no table "orders"`)
	require.EqualError(t, UnknownName("table", "orders", []string{"things"}), `there is no table "orders": there is "things"`)
}
