package tenancy

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// Request returns an error for an input of the SDK that could touch another tenant. It refuses
// inputs that it does not know.
func (g *Guard) Request(in any) error {
	if g == nil {
		return nil
	}
	switch in := in.(type) {
	case *dynamodb.GetItemInput:
		return g.key(in.TableName, in.Key)
	case *dynamodb.PutItemInput:
		return g.put(in.TableName, in.Item)
	case *dynamodb.DeleteItemInput:
		return g.key(in.TableName, in.Key)
	case *dynamodb.UpdateItemInput:
		if in.AttributeUpdates != nil {
			return errForm
		}
		return g.update(in.TableName, in.Key, in.UpdateExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	case *dynamodb.QueryInput:
		return g.query(in)
	case *dynamodb.BatchGetItemInput:
		return g.batchGet(in)
	case *dynamodb.BatchWriteItemInput:
		return g.batchWrite(in.RequestItems)
	case *dynamodb.TransactGetItemsInput:
		return g.transactGet(in)
	case *dynamodb.TransactWriteItemsInput:
		return each(in.TransactItems, g.transactWrite)
	default: // also a scan
		return errForm
	}
}

// each returns the first error of f.
func each[E any](list []E, f func(E) error) error {
	for _, e := range list {
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

// key checks a key of the table.
func (g *Guard) key(table *string, key item) error {
	if aws.ToString(table) != g.table {
		return errForm
	}
	if !g.partition.owns(key[g.partition.name]) {
		return errRequest
	}
	return g.attributes(key)
}

// put checks an item to be stored.
func (g *Guard) put(table *string, stored item) error { return g.key(table, stored) }

// attributes checks the partition keys of indexes that are among some attributes, and the key of
// the item that a guard of a unique value names.
func (g *Guard) attributes(list item) error {
	for i := range g.partitions {
		s := &g.partitions[i]
		if av, found := list[s.name]; found && !s.owns(av) {
			return errRequest
		}
	}
	if !g.ownsOwner(core.NewRow(list)) {
		return errRequest
	}
	return nil
}

func (g *Guard) batchGet(in *dynamodb.BatchGetItemInput) error {
	for table, of := range in.RequestItems {
		if err := each(of.Keys, func(key item) error { return g.key(&table, key) }); err != nil {
			return err
		}
	}
	return nil
}

func (g *Guard) batchWrite(tables map[string][]types.WriteRequest) error {
	for table, writes := range tables {
		for i := range writes {
			if err := g.write(&table, &writes[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *Guard) write(table *string, w *types.WriteRequest) error {
	switch {
	case w.PutRequest != nil && w.DeleteRequest == nil:
		return g.put(table, w.PutRequest.Item)
	case w.DeleteRequest != nil && w.PutRequest == nil:
		return g.key(table, w.DeleteRequest.Key)
	default:
		return errForm
	}
}

func (g *Guard) transactGet(in *dynamodb.TransactGetItemsInput) error {
	return each(in.TransactItems, func(t types.TransactGetItem) error {
		if t.Get == nil {
			return errForm
		}
		return g.key(t.Get.TableName, t.Get.Key)
	})
}

// transactWrite checks the actions of a transaction. DynamoDB accepts one of them.
func (g *Guard) transactWrite(t types.TransactWriteItem) error {
	var checks []error
	if c := t.ConditionCheck; c != nil {
		checks = append(checks, g.key(c.TableName, c.Key))
	}
	if p := t.Put; p != nil {
		checks = append(checks, g.put(p.TableName, p.Item))
	}
	if d := t.Delete; d != nil {
		checks = append(checks, g.key(d.TableName, d.Key))
	}
	if u := t.Update; u != nil {
		checks = append(checks, g.update(u.TableName, u.Key, u.UpdateExpression, u.ExpressionAttributeNames, u.ExpressionAttributeValues))
	}
	if len(checks) != 1 {
		return errForm
	}
	return checks[0]
}
