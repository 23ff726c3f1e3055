package entity_test

import (
	"net/netip"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testchecks"
)

// CheckItems reports no count of 0 of a field with omitempty: not the one that the library wrote,
// nor a missing one. Encode returns what Put stores.
func TestCheckItemsOfCounts(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx, key := t.Context(), map[string]types.AttributeValue{"PK": avS("POST#p"), "SK": avS("POST")}
		require.NoError(t, b.posts.Create(ctx, &post{ID: "p"}))
		before := stored(t, b.client, "blog", key)
		require.Equal(t, &types.AttributeValueMemberN{Value: "0"}, before["stars"])
		require.NoError(t, testchecks.Items(ctx, b.table, 10))
		p := b.post(t, "p")
		require.NoError(t, b.posts.Put(ctx, &p))
		require.NoError(t, testchecks.Items(ctx, b.table, 10))
		for _, form := range []types.AttributeValue{nil, &types.AttributeValueMemberNULL{Value: true}} {
			if before["stars"] = form; form == nil {
				delete(before, "stars")
			}
			_, err := b.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("blog"), Item: before})
			require.NoError(t, err)
			require.NoError(t, testchecks.Items(ctx, b.table, 10))
		}
	})
	s := entity.NewSchema(entity.Config{})
	posts := entity.Define[post](s)
	entity.Define[comment](s)
	entity.Define[star](s)
	item, err := posts.Encode(&post{ID: "p"})
	require.NoError(t, err)
	require.Equal(t, &types.AttributeValueMemberN{Value: "0"}, item["stars"])
}

type (
	reaction struct {
		_    entity.Key `type:"reaction" pk:"R#<id>" sk:"R"`
		ID   string     `dynamodbav:"id"`
		Err  error      `dynamodbav:"err"`
		Call func()     `dynamodbav:"call"`
		Peer peer       `dynamodbav:"peer"`
	}
	peer struct {
		netip.Addr
		Port int
	}
)

// Open refuses types whose values would be lost, and says what to do.
func TestTypesThatLoseValuesAreRefused(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	entity.Define[reaction](s)
	var wrong *trestle.DefinitionError
	require.ErrorAs(t, s.Err(), &wrong)
	var fields []string
	for _, issue := range wrong.Issues {
		fields = append(fields, issue.Field)
		require.NotEmpty(t, issue.Hint)
	}
	require.Equal(t, []string{"Err", "Call", "Peer"}, fields)
}
