package service

import (
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/policy"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/transact"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Accesses returns what a policy must allow for the request. A batch has one access for each of its
// tables, and a transaction one for each of its actions. The error is that of an expression that
// cannot be parsed, with which the request fails too.
func (r *Request) Accesses(config *engine.Config, s *store.State) ([]policy.Access, error) {
	b := accessBuilder{operation: r.Operation, config: config, state: s}
	switch in := r.input.(type) {
	case *api.GetItemInput:
		b.add(r.Operation, in.TableName, b.read(in.TableName, []value.Map{in.Key}, projection{
			in.ProjectionExpression, in.ExpressionAttributeNames, in.AttributesToGet,
		}, in.ReturnConsumedCapacity))
	case *api.PutItemInput:
		b.addWrite(r.Operation, item.PutOf(in), in.Returns)
	case *api.UpdateItemInput:
		b.addWrite(r.Operation, item.UpdateOf(in), in.Returns)
	case *api.DeleteItemInput:
		b.addWrite(r.Operation, item.DeleteOf(in), in.Returns)
	case *api.QueryInput:
		b.addPage(pageAccess{
			table: in.TableName, index: in.IndexName, sel: in.Select, capacity: in.ReturnConsumedCapacity,
			condition: in.KeyConditionExpression, filter: in.FilterExpression, projection: in.ProjectionExpression, Expressions: in.Expressions,
			attributesToGet: in.AttributesToGet, keyConditions: in.KeyConditions, legacyFilter: in.QueryFilter,
		})
	case *api.ScanInput:
		b.addPage(pageAccess{
			table: in.TableName, index: in.IndexName, sel: in.Select, capacity: in.ReturnConsumedCapacity,
			filter: in.FilterExpression, projection: in.ProjectionExpression, Expressions: in.Expressions,
			attributesToGet: in.AttributesToGet, legacyFilter: in.ScanFilter,
		})
	case *api.BatchGetItemInput:
		for table, get := range in.RequestItems {
			if get != nil {
				b.add(r.Operation, table, b.read(table, get.Keys, projection{
					get.ProjectionExpression, get.ExpressionAttributeNames, get.AttributesToGet,
				}, in.ReturnConsumedCapacity))
			}
		}
	case *api.BatchWriteItemInput:
		for table, writes := range in.RequestItems {
			b.add(r.Operation, table, b.batchWrite(table, writes, in.ReturnConsumedCapacity))
		}
	case *api.TransactGetItemsInput:
		b.addTransactGets(in)
	case *api.TransactWriteItemsInput:
		b.addTransactWrites(in)
	case *api.ExecuteStatementInput:
		b.err = b.addStatement(in.Statement, in.Parameters, in.ReturnConsumedCapacity, "")
	case *api.BatchExecuteStatementInput:
		for _, s := range in.Statements {
			_ = b.addStatement(s.Statement, s.Parameters, in.ReturnConsumedCapacity, "") // an invalid one fails alone
		}
	case *api.ExecuteTransactionInput:
		for _, s := range in.TransactStatements {
			if err := b.addStatement(s.Statement, s.Parameters, in.ReturnConsumedCapacity, r.Operation); err != nil && b.err == nil {
				b.err = err
			}
		}
	default:
		b.addTable(r)
	}
	slices.SortStableFunc(b.list, func(a, b policy.Access) int { return strings.Compare(a.Resource, b.Resource) })
	return b.list, b.err
}

// accessBuilder collects the accesses of a request, and the first error.
type accessBuilder struct {
	operation string
	config    *engine.Config
	state     *store.State
	list      []policy.Access
	err       error
}

// keys are the values of condition keys.
type keys = map[string][]string

// add adds the access to a table.
func (b *accessBuilder) add(action, table string, k keys) {
	b.list = append(b.list, policy.Access{Action: "dynamodb:" + action, Resource: b.resource(table), Keys: k})
}

// resource returns the ARN of a table, by its name or ARN.
func (b *accessBuilder) resource(table string) string {
	if strings.HasPrefix(table, "arn:") {
		return table
	}
	return b.config.ARN(table, "")
}

// projection is the attributes that a read returns: an expression or AttributesToGet.
type projection struct {
	text       *string
	names      map[string]string
	attributes []string
}

func (p projection) given() bool { return p.text != nil || p.attributes != nil }

// read returns the keys of a read of items of one table.
func (b *accessBuilder) read(table string, items []value.Map, p projection, capacity string) keys {
	k := b.keysOf(table, items)
	k[policy.Select] = []string{selectOf("", false, p.given())}
	k[policy.ReturnConsumedCapacity] = []string{orNone(capacity)}
	b.addNames(k, expressions{projection: p.text, Expressions: api.Expressions{ExpressionAttributeNames: p.names}, attributes: p.attributes})
	return k
}

// addWrite adds the write of one item.
func (b *accessBuilder) addWrite(action string, w item.Write, returns api.Returns) {
	k := b.write(w)
	k[policy.ReturnValues] = []string{orNone(returns.ReturnValues)}
	k[policy.ReturnConsumedCapacity] = []string{orNone(returns.ReturnConsumedCapacity)}
	b.add(action, w.TableName, k)
}

// write returns the keys of a write that depend on its item and its expressions.
func (b *accessBuilder) write(w item.Write) keys {
	k := b.keysOf(w.TableName, []value.Map{w.Item})
	attributes := append(slices.Collect(maps.Keys(w.Updates)), slices.Collect(maps.Keys(w.Expected))...)
	b.addNames(k, expressions{update: w.Update, filter: w.Condition, kind: "ConditionExpression", Expressions: api.Expressions{
		ExpressionAttributeNames: w.Names, ExpressionAttributeValues: w.Values,
	}, attributes: attributes})
	return k
}

// batchWrite returns the keys of the writes of a batch to one table.
func (b *accessBuilder) batchWrite(table string, writes []api.WriteRequest, capacity string) keys {
	var items []value.Map
	for _, w := range writes {
		if w.PutRequest != nil {
			items = append(items, w.PutRequest.Item)
		}
		if w.DeleteRequest != nil {
			items = append(items, w.DeleteRequest.Key)
		}
	}
	k := b.keysOf(table, items)
	k[policy.ReturnConsumedCapacity] = []string{orNone(capacity)}
	return k
}

// addTransactGets adds one GetItem for each read. They are parsed like the read of one item.
func (b *accessBuilder) addTransactGets(in *api.TransactGetItemsInput) {
	for _, action := range in.TransactItems {
		if get := action.Get; get != nil {
			k := b.read(get.TableName, []value.Map{get.Key}, projection{text: get.ProjectionExpression, names: get.ExpressionAttributeNames},
				in.ReturnConsumedCapacity)
			k[policy.EnclosingOperation] = []string{b.operation}
			b.add("GetItem", get.TableName, k)
		}
	}
}

// writeActions are the actions of the writes of a transaction.
var writeActions = map[item.Kind]string{
	item.PutKind: "PutItem", item.UpdateKind: "UpdateItem", item.DeleteKind: "DeleteItem", item.CheckKind: "ConditionCheckItem",
}

func (b *accessBuilder) addTransactWrites(in *api.TransactWriteItemsInput) {
	writes, err := transact.Writes(in)
	if err != nil {
		b.err = err
		return
	}
	for _, w := range writes {
		k := b.write(w)
		k[policy.EnclosingOperation] = []string{b.operation}
		k[policy.ReturnConsumedCapacity] = []string{orNone(in.ReturnConsumedCapacity)}
		b.add(writeActions[w.Kind], w.TableName, k)
	}
}

func orNone(text string) string {
	if text == "" {
		return "NONE"
	}
	return text
}
