package entity_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type sealedNote struct {
	_    entity.Key `type:"note" pk:"NOTE#<id>" sk:"#"`
	ID   string     `dynamodbav:"id"`
	Text string     `dynamodbav:"text"`
}

// unseal is a middleware that changes an attribute of the item in the SDK's output.
func unseal(s *middleware.Stack) error {
	return s.Initialize.Add(middleware.InitializeMiddlewareFunc("Unseal", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
		out, meta, err := next.HandleInitialize(ctx, in)
		if get, ok := out.Result.(*dynamodb.GetItemOutput); ok && get.Item["text"] != nil {
			get.Item["text"] = &types.AttributeValueMemberS{Value: "unsealed"}
		}
		return out, meta, err
	}), middleware.After)
}

// A middleware that changes the items of outputs needs AttributeValues.
func TestAttributeValues(t *testing.T) {
	t.Parallel()
	schema := entity.NewSchema(entity.Config{})
	notes := entity.Define[sealedNote](schema)
	client := ddbtest.Client(t, func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, unseal) })
	table, err := schema.Open(client, "notes")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	require.NoError(t, notes.In(table).Put(t.Context(), &sealedNote{ID: "1", Text: "sealed"}))
	for text, options := range map[string][]entity.CallOption{
		"sealed":   nil,
		"unsealed": {entity.AttributeValues()},
	} {
		note, err := notes.In(table).With(options...).Get(t.Context(), sealedNote{ID: "1"})
		require.NoError(t, err)
		require.Equal(t, text, note.Text)
	}
}
