package tenancy

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// query checks the partition and the start key of a query. Its key condition must start with the
// equality of the partition key, as those of the library do.
func (g *Guard) query(in *dynamodb.QueryInput) error {
	partition := g.queried(in.IndexName)
	if aws.ToString(in.TableName) != g.table || partition == nil || in.KeyConditions != nil || in.QueryFilter != nil {
		return errForm
	}
	name, value, ok := equality(aws.ToString(in.KeyConditionExpression))
	if !ok || in.ExpressionAttributeNames[name] != partition.name {
		return errForm
	}
	if !partition.owns(in.ExpressionAttributeValues[value]) {
		return errRequest
	}
	if len(in.ExclusiveStartKey) == 0 {
		return nil
	}
	return g.key(in.TableName, in.ExclusiveStartKey)
}

// queried returns the partition key of the index, or of the table for nil. It returns nil for an
// index that the schema does not have.
func (g *Guard) queried(index *string) *start {
	if index == nil {
		return &g.partition
	}
	x := g.schema.Index(*index)
	if x == nil {
		return nil
	}
	return g.startOf(x.Partition[0].Name)
}

// equality returns the placeholders of the equality that a key condition starts with. The rest, if
// any, must be joined to it by AND.
func equality(condition string) (name, value string, ok bool) {
	name, rest, _ := strings.Cut(condition, " = ")
	value, rest, more := strings.Cut(rest, " ")
	ok = isPlaceholder(name, '#') && isPlaceholder(value, ':') && (!more || strings.HasPrefix(rest, "AND "))
	return name, value, ok
}

// isPlaceholder reports whether a text is one placeholder.
func isPlaceholder(text string, mark byte) bool {
	if len(text) < 2 || text[0] != mark {
		return false
	}
	for i := 1; i < len(text); i++ {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_':
		default:
			return false
		}
	}
	return true
}
