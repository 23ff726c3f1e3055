package wire_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
	"github.com/trestledb/trestle/internal/testsize"
)

// operations are the requests and replies of package api, by the SDK's names.
var operations = []struct {
	name           string
	request, reply any
}{
	{"GetItem", api.GetItemInput{}, api.GetItemOutput{}},
	{"PutItem", api.PutItemInput{}, api.WriteOutput{}},
	{"UpdateItem", api.UpdateItemInput{}, api.WriteOutput{}},
	{"DeleteItem", api.DeleteItemInput{}, api.WriteOutput{}},
	{"Query", api.QueryInput{}, api.PageOutput{}},
	{"Scan", api.ScanInput{}, api.PageOutput{}},
	{"BatchGetItem", api.BatchGetItemInput{}, api.BatchGetItemOutput{}},
	{"BatchWriteItem", api.BatchWriteItemInput{}, api.BatchWriteItemOutput{}},
	{"TransactGetItems", api.TransactGetItemsInput{}, api.TransactGetItemsOutput{}},
	{"TransactWriteItems", api.TransactWriteItemsInput{}, api.TransactWriteItemsOutput{}},
	{"CreateTable", api.CreateTableInput{}, api.TableOutput{}},
	{"UpdateTable", api.UpdateTableInput{}, api.TableOutput{}},
	{"DeleteTable", api.TableInput{}, api.TableOutput{}},
	{"DescribeTable", api.TableInput{}, api.DescribeTableOutput{}},
	{"ListTables", api.ListTablesInput{}, api.ListTablesOutput{}},
	{"UpdateTimeToLive", api.UpdateTimeToLiveInput{}, api.UpdateTimeToLiveOutput{}},
	{"DescribeTimeToLive", api.TableInput{}, api.DescribeTimeToLiveOutput{}},
	{"UpdateContinuousBackups", api.UpdateContinuousBackupsInput{}, api.ContinuousBackupsOutput{}},
	{"DescribeContinuousBackups", api.TableInput{}, api.ContinuousBackupsOutput{}},
	{"TagResource", api.TagResourceInput{}, api.Empty{}},
	{"UntagResource", api.UntagResourceInput{}, api.Empty{}},
	{"ListTagsOfResource", api.ListTagsOfResourceInput{}, api.ListTagsOfResourceOutput{}},
	{"ListBackups", api.ListBackupsInput{}, api.ListBackupsOutput{}},
	{"ListExports", api.ListExportsInput{}, api.ListExportsOutput{}},
	{"ListImports", api.ListImportsInput{}, api.ListImportsOutput{}},
	{"ListGlobalTables", api.ListGlobalTablesInput{}, api.ListGlobalTablesOutput{}},
	{"DescribeContributorInsights", api.DescribeContributorInsightsInput{}, api.ContributorInsightsOutput{}},
	{"DescribeKinesisStreamingDestination", api.TableInput{}, api.StreamingDestinationOutput{}},
	{"DescribeLimits", api.Empty{}, api.LimitsOutput{}},
	{"DescribeEndpoints", api.Empty{}, api.EndpointsOutput{}},
	{"ListStreams", api.ListStreamsInput{}, api.ListStreamsOutput{}},
	{"DescribeStream", api.DescribeStreamInput{}, api.DescribeStreamOutput{}},
	{"GetShardIterator", api.GetShardIteratorInput{}, api.GetShardIteratorOutput{}},
	{"GetRecords", api.GetRecordsInput{}, api.GetRecordsOutput{}},
}

// Every operation with every member: Decode reads what the SDK sends, and the SDK reads what Encode
// returns.
func TestSDK(t *testing.T) {
	t.Parallel()
	for _, operation := range operations {
		t.Run(operation.name, func(t *testing.T) {
			t.Parallel()
			f := filler{newRandom(t)}
			for range testsize.Pick(30, 200, 1000) {
				request, reply := f.random(reflect.TypeOf(operation.request)), f.random(reflect.TypeOf(operation.reply))
				server := canned{status: http.StatusOK, reply: wire.Encode(reply.Interface())}
				method := server.method(operation.name)
				input := reflect.New(method.Type().In(1).Elem())
				toSDK(t, request, input.Elem())
				results := method.Call([]reflect.Value{reflect.ValueOf(context.Background()), input})
				require.Nil(t, results[1].Interface(), "%s", server.reply)

				read := reflect.New(request.Type())
				require.NoError(t, wire.Decode(server.body, read.Interface()), "%s", server.body)
				require.Equal(t, request.Interface(), read.Elem().Interface(), "%s", server.body)

				want, got := reflect.New(method.Type().Out(0).Elem()), results[0]
				toSDK(t, reply, want.Elem())
				got.Elem().FieldByName("ResultMetadata").SetZero()
				require.Equal(t, want.Interface(), got.Interface(), "%s", server.reply)
			}
		})
	}
}

// The SDK recognizes the errors, and decodes all their members.
func TestSDKErrors(t *testing.T) {
	t.Parallel()
	item := tenAttributes()
	sdkItem := attributesForSDK(item)
	send := func(e *awserr.Error) error {
		server := canned{status: e.HTTPStatus(), reply: wire.EncodeError(e)}
		_, err := server.client().GetItem(context.Background(), &dynamodb.GetItemInput{
			TableName: aws.String("orders"), Key: map[string]types.AttributeValue{},
		})
		require.Error(t, err)
		return err
	}
	read := func(target any, e *awserr.Error) { require.ErrorAs(t, send(e), target) }

	var conditional *types.ConditionalCheckFailedException
	read(&conditional, awserr.ConditionFailed(item))
	require.Equal(t, "The conditional request failed", conditional.ErrorMessage())
	require.Equal(t, sdkItem, conditional.Item)

	var canceled *types.TransactionCanceledException
	read(&canceled, &awserr.Error{Code: awserr.CodeCanceled, Message: "The transaction failed", Reasons: []awserr.Reason{
		{Code: "None"}, {Code: "ConditionalCheckFailed", Message: "The conditional request failed", Item: item},
	}})
	require.Equal(t, "The transaction failed", canceled.ErrorMessage())
	require.Equal(t, []types.CancellationReason{
		{Code: aws.String("None")},
		{Code: aws.String("ConditionalCheckFailed"), Message: aws.String("The conditional request failed"), Item: sdkItem},
	}, canceled.CancellationReasons)

	reasons := []awserr.ThrottlingReason{{Reason: "TableReadKeyRangeThroughputExceeded", Resource: "arn:aws:dynamodb:eu-north-1:1:table/t"}}
	sdkReasons := []types.ThrottlingReason{{Reason: aws.String(reasons[0].Reason), Resource: aws.String(reasons[0].Resource)}}
	var exceeded *types.ProvisionedThroughputExceededException
	read(&exceeded, &awserr.Error{Code: "ProvisionedThroughputExceededException", Message: "m", Throttling: reasons})
	require.Equal(t, sdkReasons, exceeded.ThrottlingReasons)
	var throttling *types.ThrottlingException
	read(&throttling, &awserr.Error{Code: "ThrottlingException", Message: "m", Throttling: reasons})
	require.Equal(t, sdkReasons, throttling.ThrottlingReasons)
	var limit *types.RequestLimitExceeded
	read(&limit, &awserr.Error{Code: "RequestLimitExceeded", Message: "m", Throttling: reasons})
	require.Equal(t, sdkReasons, limit.ThrottlingReasons)

	var internal *types.InternalServerError
	read(&internal, awserr.Internal())
	for _, code := range []string{
		awserr.CodeValidation, awserr.CodeSerialization, awserr.CodeResourceNotFound, awserr.CodeResourceInUse, "LimitExceededException",
		"TransactionConflictException", "TransactionInProgressException", "IdempotentParameterMismatchException", "DuplicateItemException",
		"ItemCollectionSizeLimitExceededException", "UnknownOperationException", "UnrecognizedClientException", "AccessDeniedException",
		"ExpiredIteratorException", "TrimmedDataAccessException",
	} {
		var apiError interface {
			ErrorCode() string
			ErrorMessage() string
		}
		read(&apiError, awserr.New(code, "because of %q", "é<>"))
		require.Equal(t, code, apiError.ErrorCode())
		require.Equal(t, `because of "é<>"`, apiError.ErrorMessage(), "%s", code)
	}
}

// canned sends the same reply to every request, and keeps the last request.
type canned struct {
	status int
	reply  []byte
	body   []byte
}

func (c *canned) Do(request *http.Request) (*http.Response, error) {
	var err error
	if request.Body != nil {
		c.body, err = io.ReadAll(request.Body)
	}
	return &http.Response{
		StatusCode: c.status, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body: io.NopCloser(bytes.NewReader(c.reply)), Request: request,
	}, err
}

var credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "key", SecretAccessKey: "secret"}, nil
})

func (c *canned) client() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "eu-north-1", BaseEndpoint: aws.String("http://localhost"), HTTPClient: c, Credentials: credentials, Retryer: aws.NopRetryer{},
		DisableValidateResponseChecksum: true,
	})
}

// method returns the method of that name, of the DynamoDB or the streams client.
func (c *canned) method(operation string) reflect.Value {
	if method := reflect.ValueOf(c.client()).MethodByName(operation); method.IsValid() {
		return method
	}
	return reflect.ValueOf(dynamodbstreams.New(dynamodbstreams.Options{
		Region: "eu-north-1", BaseEndpoint: aws.String("http://localhost"), HTTPClient: c, Credentials: credentials, Retryer: aws.NopRetryer{},
	})).MethodByName(operation)
}
