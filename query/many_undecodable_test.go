package query_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// grade decodes itself. Its error uses a sentinel error of the library.
type grade int

func (g *grade) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	s, ok := av.(*types.AttributeValueMemberS)
	if !ok || s.Value != "good" {
		return fmt.Errorf("no grade: %w", trestle.ErrInvalid)
	}
	*g = 1
	return nil
}

func (g grade) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberS{Value: "good"}, nil
}

type report struct {
	_     entity.Key `type:"report" pk:"R#<id>" sk:"R"`
	ID    string     `dynamodbav:"id"`
	Grade grade      `dynamodbav:"grade"`
}

type reportGrade struct {
	Grade grade `dynamodbav:"grade"`
}

// The error for an item that cannot be decoded contains the remaining examples and the item's key,
// whatever the decoder returned. The item is not counted as returned.
func TestGetManyOfUnmarshalers(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, seen := e.Client(t), []trestle.Event{}
		s := entity.NewSchema(entity.Config{Observer: trestle.ObserverFunc(func(_ context.Context, e trestle.Event) { seen = append(seen, e) })})
		reports := entity.Define[report](s)
		grades := entity.Project[reportGrade](reports)
		var in [2]*entity.Repo[report]
		for i, name := range []string{"first", "second"} {
			table, err := s.Open(client, name)
			require.NoError(t, err)
			require.NoError(t, table.Create(t.Context()))
			in[i] = reports.In(table)
			require.NoError(t, in[i].Put(t.Context(), &report{ID: "1"}))
		}
		bad, good := report{ID: "0"}, report{ID: "1"}
		putTexts(t, client, "second", map[string]string{"PK": "R#0", "SK": "R", "_type": "report", "id": "0", "grade": "bad"})
		var whole *trestle.UnprocessedError
		var mixed *trestle.UnprocessedError
		for name, c := range map[string]struct {
			read func() error
			left func(error) any
		}{
			"whole": {
				func() error { _, err := in[1].GetMany(t.Context(), []report{good, bad}); return err },
				func(err error) any { require.ErrorAs(t, err, &whole); return trestle.Unprocessed[report](err) },
			},
			"parts": {
				func() error { _, err := grades.GetMany(t.Context(), in[1], []report{good, bad}); return err },
				func(err error) any { require.ErrorAs(t, err, &whole); return trestle.Unprocessed[report](err) },
			},
			"tables": {
				func() error {
					_, err := query.GetMany(t.Context(), query.Ref(in[0], good), query.Ref(in[1], bad))
					return err
				},
				func(err error) any { require.ErrorAs(t, err, &mixed); return trestle.Unprocessed[any](err) },
			},
		} {
			seen = nil
			err := c.read()
			require.Len(t, c.left(err), 1, name)
			require.Contains(t, c.left(err), bad, name)
			var failed *trestle.OpError
			require.ErrorAs(t, err, &failed, name)
			require.Equal(t, "second", failed.Table, name)
			require.Equal(t, &types.AttributeValueMemberS{Value: "R#0"}, failed.Key["PK"], name)
			require.Len(t, seen, 1, name)
			require.Equal(t, 1, seen[0].Items, name)
		}
	})
}
