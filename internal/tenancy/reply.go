package tenancy

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/reserved"
)

// Reply returns an error if an output of the SDK, or the error instead of it, holds an item or a
// key of another tenant. It refuses outputs that it does not know.
func (g *Guard) Reply(out any, err error) error {
	switch {
	case g == nil:
		return nil
	case err != nil:
		return g.failure(err)
	}
	switch out := out.(type) {
	case *dynamodb.GetItemOutput:
		return g.returned(out.Item)
	case *dynamodb.PutItemOutput:
		return g.returned(out.Attributes)
	case *dynamodb.DeleteItemOutput:
		return g.returned(out.Attributes)
	case *dynamodb.UpdateItemOutput:
		return g.changed(out.Attributes)
	case *dynamodb.QueryOutput:
		if err := each(out.Items, g.whole); err != nil {
			return err
		}
		return g.returned(out.LastEvaluatedKey)
	case *dynamodb.BatchGetItemOutput:
		return g.batchRead(out)
	case *dynamodb.BatchWriteItemOutput:
		if g.batchWrite(out.UnprocessedItems) != nil {
			return errReply
		}
		return nil
	case *dynamodb.TransactGetItemsOutput:
		return each(out.Responses, func(r types.ItemResponse) error { return g.returned(r.Item) })
	case *dynamodb.TransactWriteItemsOutput:
		return nil
	default:
		return errForm
	}
}

// returned checks an item or a key, or none.
func (g *Guard) returned(i item) error {
	if len(i) == 0 {
		return nil
	}
	return g.whole(i)
}

// whole checks an item or a key, which has the partition key of the table.
func (g *Guard) whole(i item) error {
	if !g.partition.owns(i[g.partition.name]) {
		return errReply
	}
	return g.changed(i)
}

// changed checks some attributes of an item, and the key of the item that a guard of a unique value
// names.
func (g *Guard) changed(i item) error {
	for n := range g.partitions {
		s := &g.partitions[n]
		if av, found := i[s.name]; found && s.known && !s.owns(av) {
			return errReply
		}
	}
	if owner, ok := i[reserved.OwnerAttribute].(*types.AttributeValueMemberM); ok && g.isReserved(i) && !g.partition.owns(owner.Value[g.partition.name]) {
		return errReply
	}
	return nil
}

// isReserved reports whether an item is one of the library.
func (g *Guard) isReserved(i item) bool {
	v, ok := i[g.partition.name].(*types.AttributeValueMemberS)
	return ok && reserved.Is(g.schema.CutTenant(v.Value))
}

func (g *Guard) batchRead(out *dynamodb.BatchGetItemOutput) error {
	for _, items := range out.Responses {
		if err := each(items, g.whole); err != nil {
			return err
		}
	}
	for _, left := range out.UnprocessedKeys {
		if err := each(left.Keys, g.whole); err != nil {
			return err
		}
	}
	return nil
}

// failure checks the items in an error of DynamoDB.
func (g *Guard) failure(err error) error {
	var failed *types.ConditionalCheckFailedException
	var canceled *types.TransactionCanceledException
	switch {
	case errors.As(err, &failed):
		return g.returned(failed.Item)
	case errors.As(err, &canceled):
		return each(canceled.CancellationReasons, func(r types.CancellationReason) error { return g.returned(r.Item) })
	default:
		return nil
	}
}
