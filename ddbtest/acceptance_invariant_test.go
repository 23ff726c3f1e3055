package ddbtest_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// indexOf is the part of an index that determines its entries.
type indexOf struct {
	name       string
	key        []types.KeySchemaElement
	projection *types.Projection
}

// entries returns the entries that the index must have for the rows of its table.
func (i *indexOf) entries(rows []attributes, table []types.KeySchemaElement, kinds map[string]types.ScalarAttributeType) []string {
	var list []string
	for _, r := range rows {
		if !slices.ContainsFunc(i.key, func(k types.KeySchemaElement) bool { return !isKey(r[*k.AttributeName], kinds[*k.AttributeName]) }) {
			list = append(list, written(i.project(r, table)))
		}
	}
	slices.Sort(list)
	return list
}

// isKey reports whether a value can be a key attribute.
func isKey(v types.AttributeValue, kind types.ScalarAttributeType) bool {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return kind == types.ScalarAttributeTypeS && v.Value != ""
	case *types.AttributeValueMemberN:
		return kind == types.ScalarAttributeTypeN
	case *types.AttributeValueMemberB:
		return kind == types.ScalarAttributeTypeB && len(v.Value) > 0
	default:
		return false
	}
}

// project returns the attributes of a row that the index projects.
func (i *indexOf) project(r attributes, table []types.KeySchemaElement) attributes {
	if i.projection.ProjectionType == types.ProjectionTypeAll {
		return r
	}
	held := i.projection.NonKeyAttributes
	for _, k := range slices.Concat(i.key, table) {
		held = append(held, *k.AttributeName)
	}
	entry := maps.Clone(r)
	maps.DeleteFunc(entry, func(name string, _ types.AttributeValue) bool { return !slices.Contains(held, name) })
	return entry
}

// written returns an item as text. Equal items have equal texts.
func written(item attributes) string {
	var b strings.Builder
	write(&b, &types.AttributeValueMemberM{Value: item})
	return b.String()
}

func write(b *strings.Builder, v types.AttributeValue) {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		b.WriteString("{")
		for _, name := range slices.Sorted(maps.Keys(v.Value)) {
			fmt.Fprintf(b, "%q:", name)
			write(b, v.Value[name])
		}
		b.WriteString("}")
	case *types.AttributeValueMemberL:
		b.WriteString("[")
		for _, element := range v.Value {
			write(b, element)
		}
		b.WriteString("]")
	case *types.AttributeValueMemberS:
		fmt.Fprintf(b, "S%q ", v.Value)
	case *types.AttributeValueMemberN:
		fmt.Fprintf(b, "N%s ", v.Value)
	case *types.AttributeValueMemberB:
		fmt.Fprintf(b, "B%s ", hex.EncodeToString(v.Value))
	case *types.AttributeValueMemberSS:
		fmt.Fprintf(b, "SS%q ", slices.Sorted(slices.Values(v.Value)))
	case *types.AttributeValueMemberNS:
		fmt.Fprintf(b, "NS%q ", slices.Sorted(slices.Values(v.Value)))
	case *types.AttributeValueMemberBS:
		members := make([]string, len(v.Value))
		for i, m := range v.Value {
			members[i] = hex.EncodeToString(m)
		}
		fmt.Fprintf(b, "BS%q ", slices.Sorted(slices.Values(members)))
	case *types.AttributeValueMemberBOOL:
		fmt.Fprintf(b, "%t ", v.Value)
	default:
		fmt.Fprintf(b, "%T ", v)
	}
}

// wantIndexesAgree checks that the entries of every index match a scan of the table, without
// duplicate rows or entries.
func wantIndexesAgree(t testing.TB, c *dynamodb.Client, table string) (rows []attributes) {
	t.Helper()
	out, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &table})
	require.NoError(t, err)
	kinds := map[string]types.ScalarAttributeType{}
	for _, d := range out.Table.AttributeDefinitions {
		kinds[*d.AttributeName] = d.AttributeType
	}
	rows = scanAll(t.Context(), t, c, table, "")
	keys := map[string]bool{}
	for _, r := range rows {
		key := attributes{}
		for _, k := range out.Table.KeySchema {
			key[*k.AttributeName] = r[*k.AttributeName]
		}
		require.False(t, keys[written(key)], "the row %v came twice", key)
		keys[written(key)] = true
	}
	for _, i := range indexesOf(out.Table) {
		var got []string
		for _, entry := range scanAll(t.Context(), t, c, table, i.name) {
			got = append(got, written(entry))
		}
		slices.Sort(got)
		require.Equal(t, i.entries(rows, out.Table.KeySchema, kinds), got, "the index %s of %s", i.name, table)
	}
	return rows
}

func indexesOf(t *types.TableDescription) (list []indexOf) {
	for _, i := range t.LocalSecondaryIndexes {
		list = append(list, indexOf{*i.IndexName, i.KeySchema, i.Projection})
	}
	for _, i := range t.GlobalSecondaryIndexes {
		if i.IndexStatus == types.IndexStatusActive {
			list = append(list, indexOf{*i.IndexName, i.KeySchema, i.Projection})
		}
	}
	return list
}

func scanAll(ctx context.Context, t testing.TB, c *dynamodb.Client, table, index string) (items []attributes) {
	t.Helper()
	in := &dynamodb.ScanInput{TableName: &table, IndexName: ptr(index), ConsistentRead: aws.Bool(index == "")}
	pages := 0
	for p := dynamodb.NewScanPaginator(c, in); p.HasMorePages(); pages++ {
		require.Less(t, pages, manyPages)
		out, err := p.NextPage(ctx)
		require.NoError(t, err)
		items = append(items, out.Items...)
	}
	return items
}
