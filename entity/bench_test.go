package entity_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// fixed is a transport that returns the same body for every request.
type fixed struct{ body []byte }

func (f fixed) Do(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(f.body)), Body: io.NopCloser(bytes.NewReader(f.body)),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Requestid": {"REQ1"}},
	}, nil
}

const annJSON = `{"Item":{"PK":{"S":"ORG#acme"},"SK":{"S":"ACC#ann"},"_type":{"S":"account"},"GSI1PK":{"S":"MAIL#ann@example.com"},` +
	`"GSI1SK":{"S":"ACC#active#ann"},"id":{"S":"ann"},"mail":{"S":"ann@example.com"},"status":{"S":"active"},"home":{"M":{"city":{"S":"Bergen"}}},` +
	`"skills":{"L":[{"S":"go"}]},"logins":{"N":"7"},"version":{"N":"3"},"created_at":{"S":"2026-08-01T12:00:00Z"},"updated_at":{"S":"2026-08-01T12:00:00Z"}}}`

func benchOffice(b testing.TB, body string) *office {
	b.Helper()
	return newOffice(b, canned(nil, func(o *dynamodb.Options) { o.HTTPClient = fixed{[]byte(body)} }))
}

// sdkKey and sdkItem are the equivalent code with the SDK alone.
func sdkKey() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"PK": avS("ORG#" + "acme"), "SK": avS("ACC#" + "ann")}
}

func sdkItem(b testing.TB, a *account) map[string]types.AttributeValue {
	b.Helper()
	item, err := attributevalue.MarshalMap(a)
	require.NoError(b, err)
	item["PK"], item["SK"], item["_type"] = avS("ORG#"+a.Org), avS("ACC#"+a.ID), avS("account")
	item["GSI1PK"], item["GSI1SK"] = avS("MAIL#"+a.Mail), avS("ACC#"+a.Status+"#"+a.ID)
	return item
}

func benchGet(ctx context.Context, b testing.TB, o *office) {
	b.Helper()
	a, err := o.accounts.Get(ctx, annKey())
	if err != nil || a.Version != 3 || a.Home.City != "Bergen" {
		b.Fatal(err, a)
	}
}

func benchGetSDK(ctx context.Context, b testing.TB, o *office) {
	b.Helper()
	out, err := o.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("office"), Key: sdkKey()})
	if err != nil {
		b.Fatal(err)
	}
	var a account
	if err := attributevalue.UnmarshalMap(out.Item, &a); err != nil || a.Version != 3 || a.Home.City != "Bergen" {
		b.Fatal(err, a)
	}
}

func benchPut(ctx context.Context, b testing.TB, o *office) {
	b.Helper()
	a := ann()
	a.Version = 3
	if err := o.accounts.Put(ctx, &a); err != nil || a.Version != 4 {
		b.Fatal(err, a.Version)
	}
}

func benchPutSDK(ctx context.Context, b testing.TB, o *office) {
	b.Helper()
	a := ann()
	a.Version = 4
	_, err := o.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("office"), Item: sdkItem(b, &a), ConditionExpression: aws.String("#v = :v"),
		ExpressionAttributeNames:            map[string]string{"#v": "version"},
		ExpressionAttributeValues:           map[string]types.AttributeValue{":v": avN("3")},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if err != nil {
		b.Fatal(err)
	}
}

var calls = []struct {
	name string
	body string
	call func(context.Context, testing.TB, *office)
}{
	{"Get/trestle", annJSON, benchGet},
	{"Get/sdk", annJSON, benchGetSDK},
	{"Put/trestle", `{}`, benchPut},
	{"Put/sdk", `{}`, benchPutSDK},
}

// BenchmarkCall measures a whole call without a network, and the same call with the SDK alone.
func BenchmarkCall(b *testing.B) {
	for _, c := range calls {
		b.Run(c.name, func(b *testing.B) {
			o := benchOffice(b, c.body)
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				c.call(ctx, b, o)
			}
		})
	}
}

// The benchmarked calls return the correct results.
func TestBenchmarkedCalls(t *testing.T) {
	t.Parallel()
	for _, c := range calls {
		c.call(t.Context(), t, benchOffice(t, c.body))
	}
}
