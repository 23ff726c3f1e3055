package entity_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// tree is an item with a value of any depth.
type tree struct {
	_    entity.Key `type:"tree" pk:"TREE#<id>" sk:"TREE"`
	ID   string     `dynamodbav:"id"`
	Root any        `dynamodbav:"root"`
}

var treeRoot = attr.Must(func(t *tree) *any { return &t.Root })

// nested returns a value with n levels: a text in lists and maps.
func nested(n int) any {
	var v any = "leaf"
	for i := range n - 1 {
		if i%2 == 0 {
			v = []any{v}
		} else {
			v = map[string]any{"a": v}
		}
	}
	return v
}

// An attribute of 32 levels is stored. One of 33 levels is not sent, and both engines reject it.
func TestNestingLimit(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		s := entity.NewSchema(entity.Config{})
		trees := entity.Define[tree](s)
		table, err := s.Open(client, "trees")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := trees.In(table)
		for levels, fits := range map[int]bool{31: true, 32: true, 33: false, 40: false} {
			check := func(err error) {
				t.Helper()
				if fits {
					require.NoError(t, err, levels)
					return
				}
				requireOutcome(t, err, trestle.ErrLimit, trestle.NotApplied)
			}
			check(repo.Put(t.Context(), &tree{ID: "a", Root: nested(levels)}))
			_, err := repo.Upsert(t.Context(), tree{ID: "b"}, treeRoot.Set(nested(levels)))
			check(err)
			item, err := trees.Encode(&tree{ID: "c", Root: nested(32)})
			require.NoError(t, err)
			for range levels - 32 {
				item["root"] = &types.AttributeValueMemberL{Value: []types.AttributeValue{item["root"]}}
			}
			_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("trees"), Item: item})
			require.Equal(t, fits, err == nil, levels)
		}
	})
}
