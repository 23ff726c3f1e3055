package entity_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
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

// seen is what a middleware sees of the last request.
type seen struct {
	input, output any
	items         bool // the output has items or attributes
}

func (s *seen) install(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Seen", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
		out, meta, err := next.HandleInitialize(ctx, in)
		s.input, s.output = in.Parameters, out.Result
		switch o := out.Result.(type) {
		case *dynamodb.GetItemOutput:
			s.items = o.Item != nil
		case *dynamodb.QueryOutput:
			s.items = o.Items != nil
		case *dynamodb.ScanOutput:
			s.items = o.Items != nil
		case *dynamodb.BatchGetItemOutput:
			s.items = o.Responses != nil
		case *dynamodb.TransactGetItemsOutput:
			s.items = o.Responses != nil
		case *dynamodb.UpdateItemOutput:
			s.items = o.Attributes != nil
		default:
			s.items = false
		}
		return out, meta, err
	}), middleware.After)
}

// A middleware sees the items of inputs, and those of outputs only with AttributeValues.
func TestMiddlewareSeesInputsAndOutputs(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		var last seen
		schema := entity.NewSchema(entity.Config{})
		notes := entity.Define[sealedNote](schema)
		client := dynamodb.New(e.Client(t).Options(), func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, last.install) })
		first := sealedNote{ID: "1", Text: "text"}
		for _, withItems := range []bool{false, true} {
			var options []entity.TableOption
			if withItems {
				options = append(options, entity.AttributeValues())
			}
			table, err := schema.Open(client, "notes", options...)
			require.NoError(t, err)
			if !withItems {
				require.NoError(t, table.Create(ctx))
			}
			repo := notes.In(table)
			for name, call := range map[string]func() error{
				"GetItem": func() error { _, err := repo.Get(ctx, first); return err },
				"Query":   func() error { _, err := query.Of(repo, first).Collect(ctx); return err },
				"Scan": func() error {
					for _, err := range query.Scan(repo).All(ctx) {
						if err != nil {
							return err
						}
					}
					return nil
				},
				"BatchGetItem":     func() error { _, err := repo.GetMany(ctx, []sealedNote{first}); return err },
				"TransactGetItems": func() error { var v *sealedNote; return tx.Read(ctx, tx.Get(repo, first, &v)) },
				"UpdateItem": func() error {
					_, err := repo.Op().Update(first, sealedText.Set("text")).Return(trestle.AllOld).Do(ctx)
					return err
				},
			} {
				require.NoError(t, repo.Put(ctx, &first))
				put, ok := last.input.(*dynamodb.PutItemInput)
				require.True(t, ok)
				require.Equal(t, avS("text"), put.Item["text"], "the input has the item")
				require.NoError(t, call(), name)
				require.Equal(t, withItems, last.items, "%s: %T", name, last.output)
			}
		}
	})
}

var sealedText = attr.Must(func(n *sealedNote) *string { return &n.Text })
