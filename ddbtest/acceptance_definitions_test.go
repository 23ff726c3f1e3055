package ddbtest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestAttributeDefinitions creates tables with one definition too many. DynamoDB Local has messages
// of its own, and takes a definition that no key uses if two indexes share a key.
func TestAttributeDefinitions(t *testing.T) {
	t.Parallel()
	const keys = "pk:S sk:N"
	index, local := ix{name: "index", key: "g:S"}, ix{name: "local", key: "pk:S g:S", local: true}
	const unused = "One or more parameter values were invalid: Some AttributeDefinitions are not used. " +
		"AttributeDefinitions: [pk, sk, g, x], keys used: [pk, sk, g]"
	defining := func(in *dynamodb.CreateTableInput, name string, kind types.ScalarAttributeType) *dynamodb.CreateTableInput {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &name, AttributeType: kind})
		return in
	}
	onEveryEngine(t, named("first", tableOf(keys)), func(s *session) {
		for _, c := range []struct {
			name, message, local string
			in                   *dynamodb.CreateTableInput
		}{
			{"a key with two types", "Attribute Name is duplicated: pk", "Cannot have two attributes with the same name",
				defining(tableOf(keys), "pk", "N")},
			{"a key twice", "Attribute Name is duplicated: sk", "Cannot have two attributes with the same name",
				defining(tableOf(keys), "sk", "N")},
			{"the key of an index with two types", "Attribute Name is duplicated: g", "Cannot have two attributes with the same name",
				defining(tableOf(keys, index), "g", "N")},
			{"unused beside an index", unused, "The number of attributes in key schema must match the number of attributes defined in attribute definitions.",
				defining(tableOf(keys, index), "x", "N")},
			{"unused beside indexes that share a key", unused, "", defining(tableOf(keys, index, local), "x", "N")},
		} {
			_, err := s.client.CreateTable(s.Context(), named("second", c.in))
			switch {
			case s.local && c.local == "":
				require.NoError(s, err, "the difference has gone: %s", c.name)
				_, err = s.client.DeleteTable(s.Context(), &dynamodb.DeleteTableInput{TableName: c.in.TableName})
				require.NoError(s, err)
			case s.local:
				wantCode(s, invalid, err, c.name)
				require.Equal(s, c.local, messageOf(err), c.name)
			default:
				wantCode(s, invalid, err, c.name)
				require.Equal(s, c.message, messageOf(err), c.name)
			}
		}
		_, err := s.client.CreateTable(s.Context(), named("second", tableOf(keys, index)))
		require.NoError(s, err, "the control")
	})
}
