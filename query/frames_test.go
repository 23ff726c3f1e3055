package query_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// stackClient records the functions of the library that call it, the caller's first.
type stackClient struct {
	trestle.Client
	frames []string
}

func (c *stackClient) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	c.frames = libraryFrames()
	return c.Client.Query(ctx, in, o...)
}

func (c *stackClient) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c.frames = libraryFrames()
	return c.Client.PutItem(ctx, in, o...)
}

func libraryFrames() []string {
	const module = "github.com/trestledb/trestle/"
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var own []string
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, module) && !strings.Contains(f.Function, "_test.") {
			own = append(own, strings.TrimPrefix(f.Function, module))
		}
		if !more {
			slices.Reverse(own)
			return own
		}
	}
}

// TestFewFramesBetweenCallerAndSDK keeps the way of a read and of a write short.
func TestFewFramesBetweenCallerAndSDK(t *testing.T) {
	t.Parallel()
	type leaf struct {
		_    entity.Key `type:"leaf" pk:"TREE#<tree>" sk:"LEAF#<id>"`
		Tree string     `dynamodbav:"tree"`
		ID   string     `dynamodbav:"id"`
	}
	s := entity.NewSchema(entity.Config{})
	leaves := entity.Define[leaf](s)
	client := &stackClient{Client: ddbtest.Client(t)}
	table, err := s.Open(client, "leaves", entity.PlainCursors())
	require.NoError(t, err)
	direct, err := s.Open(client.Client, "leaves")
	require.NoError(t, err)
	require.NoError(t, direct.Create(t.Context()))

	repo := leaves.In(table)
	require.NoError(t, repo.Put(t.Context(), &leaf{Tree: "oak", ID: "1"}))
	t.Logf("Put:\n\t%s", strings.Join(client.frames, "\n\t"))
	require.LessOrEqual(t, len(client.frames), 7)

	for _, err := range query.Of(repo, leaf{Tree: "oak"}).All(t.Context()) {
		require.NoError(t, err)
	}
	t.Logf("All:\n\t%s", strings.Join(client.frames, "\n\t"))
	require.LessOrEqual(t, len(client.frames), 5)

	_, err = query.Of(repo, leaf{Tree: "oak"}).Page(t.Context(), "")
	require.NoError(t, err)
	t.Logf("Page:\n\t%s", strings.Join(client.frames, "\n\t"))
	require.LessOrEqual(t, len(client.frames), 7)
}
