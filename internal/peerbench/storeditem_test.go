package peerbench

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/schemas"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/aws/smithy-go/transport/http/protocol/awsjson"
)

// storedOrder has the 18 attributes of the item of an order as fields. peerRow is the same with the
// struct tags of guregu/dynamo.
type storedOrder struct {
	PK        string    `dynamodbav:"PK"`
	SK        string    `dynamodbav:"SK"`
	Type      string    `dynamodbav:"_type"`
	GSI1PK    string    `dynamodbav:"GSI1PK"`
	GSI1SK    string    `dynamodbav:"GSI1SK"`
	Customer  string    `dynamodbav:"customer"`
	ID        string    `dynamodbav:"id"`
	PlacedAt  time.Time `dynamodbav:"placed_at"`
	Status    string    `dynamodbav:"status"`
	Total     int64     `dynamodbav:"total"`
	Weight    float64   `dynamodbav:"weight"`
	Paid      bool      `dynamodbav:"paid"`
	Street    string    `dynamodbav:"street"`
	City      string    `dynamodbav:"city"`
	Note      string    `dynamodbav:"note"`
	Tags      []string  `dynamodbav:"tags"`
	Line      Line      `dynamodbav:"line"`
	UpdatedAt time.Time `dynamodbav:"updated_at"`
}

func storedOrderOf(i int) storedOrder {
	o, p := orderOf(i), peerRowOf(orderOf(i))
	return storedOrder{
		PK: p.PK, SK: p.SK, Type: p.Type, GSI1PK: p.GSI1PK, GSI1SK: p.GSI1SK, Customer: o.Customer, ID: o.ID, PlacedAt: o.PlacedAt, Status: o.Status,
		Total: o.Total, Weight: o.Weight, Paid: o.Paid, Street: o.Street, City: o.City, Note: o.Note, Tags: o.Tags, Line: o.Line, UpdatedAt: o.UpdatedAt,
	}
}

// The SDK's own codec of requests and responses.
var (
	sdkProtocol = awsjson.New10(schemas.DynamoDB_20120810)
	getItem     = smithy.NewOperationSchema(schemas.GetItem, schemas.GetItemInput, schemas.GetItemOutput)
	putItem     = smithy.NewOperationSchema(schemas.PutItem, schemas.PutItemInput, schemas.PutItemOutput)
)

// sdkItem decodes the JSON of an item with the SDK.
func sdkItem(ctx context.Context, item []byte) (map[string]types.AttributeValue, error) {
	body := io.MultiReader(strings.NewReader(`{"Item":`), bytes.NewReader(item), strings.NewReader("}"))
	response := &smithyhttp.Response{Response: &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body)}}
	var got dynamodb.GetItemOutput
	err := sdkProtocol.DeserializeResponse(ctx, getItem, nil, response, &got)
	return got.Item, err
}

// sdkRequest encodes an item as a request with the SDK.
func sdkRequest(ctx context.Context, item map[string]types.AttributeValue) (*smithyhttp.Request, error) {
	request := smithyhttp.NewStackRequest().(*smithyhttp.Request)
	err := sdkProtocol.SerializeRequest(ctx, putItem, &dynamodb.PutItemInput{Item: item}, request)
	return request, err
}
