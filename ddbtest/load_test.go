package ddbtest_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"
)

// TestRefusedItem checks that the error of a refused item has the text of PutItem, unless that
// repeats values.
func TestRefusedItem(t *testing.T) {
	t.Parallel()
	deep := text("secret")
	for range 33 {
		deep = &types.AttributeValueMemberL{Value: []types.AttributeValue{deep}}
	}
	for name, c := range map[string]struct {
		item  attributes
		shows bool // the text of PutItem shows a value
	}{
		"an empty index key":   {thing("secret", 1, attributes{"color": text("")}), false},
		"an empty key":         {thing("", 7654, attributes{"a": secret}), false},
		"a long index key":     {thing("secret", 1, attributes{"color": text(strings.Repeat("secret", 400))}), false},
		"a long key":           {thing(strings.Repeat("secret", 400), 1), false},
		"too large":            {thing("secret", 1, attributes{"a": text(strings.Repeat("secret", 70_000))}), false},
		"an empty set":         {thing("secret", 1, attributes{"a": &types.AttributeValueMemberSS{}}), false},
		"equal strings":        {thing("a", 1, attributes{"a": &types.AttributeValueMemberSS{Value: []string{"secret] at '", "secret] at '"}}}), true},
		"equal binary values":  {thing("a", 1, attributes{"a": &types.AttributeValueMemberBS{Value: [][]byte{[]byte("secret"), []byte("secret")}}}), true},
		"equal nested strings": {thing("a", 1, attributes{"a": attr([]any{map[string]any{"b": texts{"secret", "x", "secret"}}})}), true},
		"an invalid number":    {thing("a", 1, attributes{"a": attr(num("secret"))}), true},
		"equal numbers":        {thing("a", 1, attributes{"a": &types.AttributeValueMemberNS{Value: []string{"7654", "7654"}}}), false},
		"an empty name":        {thing("secret", 1, attributes{"": secret}), false},
		"a deep value":         {thing("a", 1, attributes{"a": deep}), false},
		"a null that is false": {thing("a", 1, attributes{"a": &types.AttributeValueMemberNULL{}}), false},
	} {
		db, test := startFake()
		_, err := db.Client().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: c.item})
		var rejected smithy.APIError
		require.ErrorAs(t, err, &rejected, name)
		hidden := func(text string) bool {
			return !strings.Contains(text, "secret") && !strings.Contains(text, "c2VjcmV0") && !strings.Contains(text, "7654")
		}
		require.Equal(t, c.shows, !hidden(rejected.ErrorMessage()), name)

		db.Load(test, things, c.item)
		require.Len(t, test.failures, 1, name)
		require.Contains(t, test.failures[0], "items[0]")
		require.True(t, hidden(test.failures[0]), name)
		if !c.shows && name != "a deep value" { // which are found before they are sent
			require.Contains(t, test.failures[0], rejected.ErrorCode()+": "+rejected.ErrorMessage(), name)
		}
		require.Empty(t, db.Dump(things))
	}
}
