package service_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// TestEveryMemberIsReadOrRejected compares the requests with those of the SDK. Each member is
// either read or rejected.
func TestEveryMemberIsReadOrRejected(t *testing.T) {
	t.Parallel()
	compared := map[reflect.Type]bool{}
	var compare func(path string, theirs, ours reflect.Type)
	compare = func(path string, theirs, ours reflect.Type) {
		theirs, ours = elementType(theirs), elementType(ours)
		if theirs.Kind() != reflect.Struct || compared[theirs] {
			return
		}
		compared[theirs] = true
		for i := range theirs.NumField() {
			member := theirs.Field(i)
			if !member.IsExported() || member.Name == "ResultMetadata" {
				continue
			}
			ours, read := memberOf(ours, member.Name)
			require.NotNil(t, ours, "%s.%s is passed over", path, member.Name)
			if read {
				compare(path+"."+member.Name, member.Type, ours)
			}
		}
	}
	for _, p := range [][2]any{
		{dynamodb.GetItemInput{}, api.GetItemInput{}}, {dynamodb.PutItemInput{}, api.PutItemInput{}},
		{dynamodb.UpdateItemInput{}, api.UpdateItemInput{}}, {dynamodb.DeleteItemInput{}, api.DeleteItemInput{}},
		{dynamodb.QueryInput{}, api.QueryInput{}}, {dynamodb.ScanInput{}, api.ScanInput{}},
		{dynamodb.BatchGetItemInput{}, api.BatchGetItemInput{}}, {dynamodb.BatchWriteItemInput{}, api.BatchWriteItemInput{}},
		{dynamodb.TransactGetItemsInput{}, api.TransactGetItemsInput{}}, {dynamodb.TransactWriteItemsInput{}, api.TransactWriteItemsInput{}},
		{dynamodb.ExecuteStatementInput{}, api.ExecuteStatementInput{}}, {dynamodb.BatchExecuteStatementInput{}, api.BatchExecuteStatementInput{}},
		{dynamodb.ExecuteTransactionInput{}, api.ExecuteTransactionInput{}},
		{dynamodb.CreateTableInput{}, api.CreateTableInput{}}, {dynamodb.UpdateTableInput{}, api.UpdateTableInput{}},
		{dynamodb.DescribeTableInput{}, api.TableInput{}}, {dynamodb.DeleteTableInput{}, api.TableInput{}},
		{dynamodb.DescribeTimeToLiveInput{}, api.TableInput{}},
		{dynamodb.ListTablesInput{}, api.ListTablesInput{}}, {dynamodb.UpdateTimeToLiveInput{}, api.UpdateTimeToLiveInput{}},
		{dynamodb.UpdateContinuousBackupsInput{}, api.UpdateContinuousBackupsInput{}}, {dynamodb.DescribeContinuousBackupsInput{}, api.TableInput{}},
		{dynamodb.ListBackupsInput{}, api.ListBackupsInput{}}, {dynamodb.ListExportsInput{}, api.ListExportsInput{}},
		{dynamodb.ListImportsInput{}, api.ListImportsInput{}}, {dynamodb.ListGlobalTablesInput{}, api.ListGlobalTablesInput{}},
		{dynamodb.DescribeContributorInsightsInput{}, api.DescribeContributorInsightsInput{}},
		{dynamodb.DescribeKinesisStreamingDestinationInput{}, api.TableInput{}},
		{dynamodb.TagResourceInput{}, api.TagResourceInput{}}, {dynamodb.UntagResourceInput{}, api.UntagResourceInput{}},
		{dynamodb.ListTagsOfResourceInput{}, api.ListTagsOfResourceInput{}},
		{dynamodbstreams.ListStreamsInput{}, api.ListStreamsInput{}}, {dynamodbstreams.DescribeStreamInput{}, api.DescribeStreamInput{}},
		{dynamodbstreams.GetShardIteratorInput{}, api.GetShardIteratorInput{}}, {dynamodbstreams.GetRecordsInput{}, api.GetRecordsInput{}},
	} {
		compare(reflect.TypeOf(p[0]).Name(), reflect.TypeOf(p[0]), reflect.TypeOf(p[1]))
	}
	require.Greater(t, len(compared), 40)
}

// elementType returns the element type behind pointers, slices and maps.
func elementType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t
}

// memberOf returns the type of the member with that name, or nil. It reports whether its value is
// read.
func memberOf(ours reflect.Type, name string) (member reflect.Type, read bool) {
	for _, f := range reflect.VisibleFields(ours) {
		if list, ok := strings.CutPrefix(f.Tag.Get("api"), "unsupported="); ok {
			for _, unsupported := range strings.Split(list, "|") {
				if unsupported == name {
					return f.Type, false
				}
			}
		} else if f.Name == name {
			return f.Type, true
		}
	}
	return nil, false
}

// TestUnsupportedMembersAreRejected checks that the error names the member. A null member is
// ignored.
func TestUnsupportedMembersAreRejected(t *testing.T) {
	t.Parallel()
	f := newFixture()
	for _, member := range []string{"ResourcePolicy", "GlobalTableSourceArn", "GlobalTableSettingsReplicationMode", "VectorIndexes"} {
		serviceErr := f.mustFail(t, "CreateTable", createThing, "things", `,"`+member+`":[]`)
		require.Equal(t, awserr.CodeValidation, serviceErr.Code)
		require.Contains(t, serviceErr.Message, member)
	}
	f.mustSend(t, "CreateTable", createThing, "things", `,"ResourcePolicy":null`)
	for _, member := range []string{
		"ReplicaUpdates", "MultiRegionConsistency", "GlobalTableWitnessUpdates", "GlobalTableSettingsReplicationMode", "VectorIndexUpdates", "DisassociationProtectionEnabled",
	} {
		serviceErr := f.mustFail(t, "UpdateTable", `{"TableName":"things","DeletionProtectionEnabled":true,%q:""}`, member)
		require.Equal(t, awserr.CodeValidation, serviceErr.Code)
		require.Contains(t, serviceErr.Message, member)
	}
	require.NotContains(t, f.mustSend(t, "DescribeTable", `{"TableName":"things"}`), `"DeletionProtectionEnabled":true`)
}

// TestRepliesWithoutMembers checks that their body is empty, as the service's.
func TestRepliesWithoutMembers(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.mustSend(t, "CreateTable", createThing, "things", "")
	require.Empty(t, f.mustSend(t, "TagResource", `{"ResourceArn":%q,"Tags":[{"Key":"k","Value":"v"}]}`, arn))
	require.JSONEq(t, `{"Tags":[{"Key":"k","Value":"v"}]}`, f.mustSend(t, "ListTagsOfResource", `{"ResourceArn":%q}`, arn))
	require.Empty(t, f.mustSend(t, "UntagResource", `{"ResourceArn":%q,"TagKeys":["k"]}`, arn))
	require.Equal(t, "{}", f.mustSend(t, "PutItem", `{"TableName":"things","Item":{"pk":{"S":"a"}}}`), "the control: it could have members")
}
