package exec

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/op"
)

// renames is an interceptor that changes the items of outputs.
type renames struct{}

func (renames) change(in *smithyhttp.InterceptorContext) error {
	if out, ok := in.Output.(*dynamodb.QueryOutput); ok {
		for _, item := range out.Items {
			item["PK"] = text("changed")
		}
	}
	return nil
}

func (r renames) AfterDeserialization(_ context.Context, in *smithyhttp.InterceptorContext) error {
	return r.change(in)
}

func (r renames) AfterAttempt(_ context.Context, in *smithyhttp.InterceptorContext) error {
	return r.change(in)
}

func (r renames) AfterExecution(_ context.Context, in *smithyhttp.InterceptorContext) error {
	return r.change(in)
}

func (r renames) BeforeDeserialization(_ context.Context, in *smithyhttp.InterceptorContext) error {
	return r.change(in)
}

// An interceptor that gets the output finds the items in it, and what it changes counts. The
// negative control is one that runs before there is an output.
func TestOutputsOfInterceptors(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		add  func(*smithyhttp.InterceptorRegistry)
		want string
	}{
		"AfterDeserialization":  {func(r *smithyhttp.InterceptorRegistry) { r.AddAfterDeserialization(renames{}) }, "changed"},
		"AfterAttempt":          {func(r *smithyhttp.InterceptorRegistry) { r.AddAfterAttempt(renames{}) }, "changed"},
		"AfterExecution":        {func(r *smithyhttp.InterceptorRegistry) { r.AddAfterExecution(renames{}) }, "changed"},
		"BeforeDeserialization": {func(r *smithyhttp.InterceptorRegistry) { r.AddBeforeDeserialization(renames{}) }, "a"},
	} {
		config := newEnv(&script{replies: []reply{says(200, oneItem)}})
		config.SDK = append(config.SDK, func(o *dynamodb.Options) { c.add(&o.Interceptors) })
		r := config.Page(t.Context(), &dynamodb.QueryInput{TableName: &config.Table}, nil)
		require.NoError(t, r.err, kind)
		require.Equal(t, c.want == "a", fromJSON(&r), kind)
		require.Equal(t, []op.Item{{"PK": text(c.want)}}, itemsOf(r.Rows), kind)
	}
}
