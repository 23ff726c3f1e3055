package entity_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/engines"
)

// The negative control drops what the requests say about NULL.
func TestNullCountsAsAbsent_control(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := newAbsenceRun(t, e, func(o *dynamodb.Options) {
			o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
				return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("naive", func(
					ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
				) (middleware.InitializeOutput, middleware.Metadata, error) {
					in.Parameters = naive(in.Parameters)
					return next.HandleInitialize(ctx, in)
				}), middleware.Before)
			})
		})
		require.NotZero(t, r.differences(t, e.Size(60, 60)))
	})
}

// naive returns a request that does not know NULL.
func naive(in any) any {
	switch in := in.(type) {
	case *dynamodb.UpdateItemInput:
		x := *in
		x.ConditionExpression, x.ExpressionAttributeValues = withoutNull(x.ConditionExpression, x.ExpressionAttributeValues)
		return &x
	case *dynamodb.DeleteItemInput:
		x := *in
		x.ConditionExpression, x.ExpressionAttributeValues = withoutNull(x.ConditionExpression, x.ExpressionAttributeValues)
		return &x
	case *dynamodb.QueryInput:
		x := *in
		x.FilterExpression, x.ExpressionAttributeValues = withoutNull(x.FilterExpression, x.ExpressionAttributeValues)
		return &x
	default:
		return in
	}
}

// withoutNull replaces comparisons with NULL by conditions that always hold, or never.
func withoutNull(text *string, values map[string]types.AttributeValue) (*string, map[string]types.AttributeValue) {
	if text == nil {
		return nil, values
	}
	kept, own := map[string]types.AttributeValue{}, *text
	for mark, av := range values {
		if _, null := av.(*types.AttributeValueMemberNULL); !null {
			kept[mark] = av
			continue
		}
		path := `([#\w.\[\]]+)`
		own = regexp.MustCompile(path+` <> `+mark+`\b`).ReplaceAllString(own, "(attribute_exists($1) OR attribute_not_exists($1))")
		own = regexp.MustCompile(path+` = `+mark+`\b`).ReplaceAllString(own, "(attribute_exists($1) AND attribute_not_exists($1))")
	}
	if len(kept) == 0 {
		kept = nil
	}
	return &own, kept
}
