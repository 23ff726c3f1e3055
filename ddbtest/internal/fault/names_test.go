package fault

import (
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
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
			require.Error(t, CheckOperation(m.Name))
		}
	}
}

func TestNearestNames(t *testing.T) {
	t.Parallel()
	for misspelled, want := range map[string][]string{
		"UpdteItem": {"UpdateItem"}, "getitem": {"GetItem"}, "BatchWriteItems": {"BatchWriteItem"}, "TransactWriteItem": {"TransactWriteItems"},
		"TransactWrite": {"TransactWriteItems"}, "Querry": {"Query"}, "UpdateT": {"UpdateTable", "UpdateTimeToLive"}, "Update": nil,
		"Batch": {"BatchExecuteStatement", "BatchGetItem", "BatchWriteItem"},
		"":      nil, "D": nil, "Select": nil, "INSERT INTO": nil,
	} {
		require.Equal(t, want, nearest(misspelled, Operations()), misspelled)
	}
	require.Empty(t, nearest("orders", nil))
}

// TestOneLetterWrong checks that a name with one wrong letter is found for every operation.
func TestOneLetterWrong(t *testing.T) {
	t.Parallel()
	random := testrand.New(t)
	for _, name := range Operations() {
		at := random.IntN(len(name))
		wrong := name[:at] + "_" + name[at+1:]
		require.Contains(t, nearest(wrong, Operations()), name, wrong)
		require.NotContains(t, nearest(strings.Repeat("_", len(name)), Operations()), name, "the control: all letters are wrong")
	}
}
