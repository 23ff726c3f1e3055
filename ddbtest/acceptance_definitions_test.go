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
	rejectsTables(t, []rejectedTable{
		{"a key with two types", "Attribute Name is duplicated: pk", "Cannot have two attributes with the same name",
			defining(tableOf(keys), "pk", "N")},
		{"a key twice", "Attribute Name is duplicated: sk", "Cannot have two attributes with the same name",
			defining(tableOf(keys), "sk", "N")},
		{"the key of an index with two types", "Attribute Name is duplicated: g", "Cannot have two attributes with the same name",
			defining(tableOf(keys, index), "g", "N")},
		{"unused beside an index", unused, "The number of attributes in key schema must match the number of attributes defined in attribute definitions.",
			defining(tableOf(keys, index), "x", "N")},
		{"unused beside indexes that share a key", unused, "", defining(tableOf(keys, index, local), "x", "N")},
	})
}

// TestKeySchemas creates tables with an index whose key breaks one rule.
func TestKeySchemas(t *testing.T) {
	t.Parallel()
	const wrong, twice = "One or more parameter values were invalid: ", "Two keys can not have the same name"
	by := func(key string) *dynamodb.CreateTableInput { return tableOf("pk:S", ix{name: "index", key: key}) }
	rejectsTables(t, []rejectedTable{
		{"5 partition attributes", wrong + "The KeySchema exceeds the maximum allowed number of HASH key attributes",
			"Too many partition keys. GSI can have at most 4 partition keys", by("a:S b:S c:S d:S e:S |")},
		{"5 sort attributes", wrong + "The KeySchema exceeds the maximum allowed number of RANGE key attributes",
			"Too many sort keys. GSI can have at most 4 sort keys", by("f:S | a:S b:S c:S d:S e:S")},
		{"a partition attribute twice", "The KeySchema contains multiple key attributes with the same name", twice, by("a:S b:S a:S |")},
		{"one of several twice", "The KeySchema contains multiple key attributes with the same name", twice, by("a:S b:S | b:S")},
		{"one attribute as both", "Both the Hash Key and the Range Key element in the KeySchema have the same name", twice, by("a:S | a:S")},
		{"a name projected twice", wrong + "Duplicate element in NonKeyAttributes: x", "Cannot have two attributes with the same name",
			tableOf("pk:S", ix{name: "index", key: "a:S", holds: "x x"})},
	})
}

// rejectedTable is a table that the service rejects. An empty message of DynamoDB Local means that
// it takes the table.
type rejectedTable struct {
	name, message, local string
	in                   *dynamodb.CreateTableInput
}

// rejectsTables checks that every engine rejects the tables, each with its own message.
func rejectsTables(t *testing.T, tables []rejectedTable) {
	t.Helper()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		for _, c := range tables {
			message := c.message
			if s.local {
				message = c.local
			}
			in := named("second", c.in)
			_, err := s.client.CreateTable(s.Context(), in)
			if message != "" {
				wantCode(s, invalid, err, c.name)
				require.Equal(s, message, messageOf(err), c.name)
				continue
			}
			require.NoError(s, err, "the difference has gone: %s", c.name)
			_, err = s.client.DeleteTable(s.Context(), &dynamodb.DeleteTableInput{TableName: in.TableName})
			require.NoError(s, err)
		}
		_, err := s.client.CreateTable(s.Context(), named("second", tableOf("pk:S sk:N", ix{name: "index", key: "a:S b:S | c:S d:S"})))
		require.NoError(s, err, "the control")
	})
}
