package differential

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// explanations are all known differences for which the candidate is right. Each has a test of its
// own.
var explanations = []explanation{
	{
		name:    "units of reads and writes apart",
		service: "ConsumedCapacity has ReadCapacityUnits and WriteCapacityUnits beside CapacityUnits.",
		applies: unitsApart,
		source:  "API reference, ConsumedCapacity",
	},
	{
		name:    "capacity of a transaction",
		service: "ConsumedCapacity is that of all actions. A transaction writes every item twice; the indexes follow, by ordinary writes.",
		applies: anyOf(severalActions, indexInTransaction),
		source:  "developer guide, Managing complex workflows with transactions, Capacity management for transactions",
	},
	{
		name:    "capacity of what is not there",
		service: "A read that finds nothing, a condition on nothing and a delete of nothing cost what they do for one of the smallest items.",
		applies: anyOf(missedRead, missedWrite),
		source:  "developer guide, Read and write operations, Capacity unit consumption",
	},
	{
		name:    "capacity of an index without the item",
		service: "An index that holds an item neither before nor after a write is not written to.",
		applies: indexWithoutItem,
		source:  "developer guide, Using global secondary indexes, Write capacity units",
	},
	{
		name:    "capacity of reading an index",
		service: "A read of an index costs by the sizes of its entries, the table's key among them; what a local one lacks is fetched from the table besides.",
		applies: anyOf(indexScan, fetchOfKeys),
		source:  "developer guide, Using global secondary indexes, Read capacity units; Local secondary indexes, Read capacity units",
	},
	{
		name:    "item collection metrics",
		service: "ItemCollectionMetrics are returned for tables with local secondary indexes where they are asked for.",
		applies: collectionMetrics,
		source:  "API reference, PutItem, ReturnItemCollectionMetrics",
	},
	{
		name:    "reasons of a canceled transaction",
		service: "A transaction is canceled where an action does not suit its item, with a reason for each action, in order.",
		applies: anyOf(actionError, readReasons),
		source:  "API reference, TransactWriteItems, TransactionCanceledException",
	},
	{
		name:    "start at the end of a range",
		service: "Any LastEvaluatedKey can be given as ExclusiveStartKey, also that of the last item.",
		applies: startAtEdge,
		source:  "API reference, Query, ExclusiveStartKey",
	},
	{
		name:    "large batch from one partition",
		service: "BatchGetItem returns a partial result where more than 1 MB of one partition is requested.",
		applies: largeBatch,
		source:  "API reference, BatchGetItem",
	},
	{
		name:    "attributes of a nested path",
		service: "UPDATED_OLD and UPDATED_NEW return only the paths that the update names.",
		applies: nestedAttributes,
		source:  "API reference, UpdateItem, ReturnValues",
	},

	// The histories avoid the differences below: they would make the states differ permanently, or
	// they are not part of a reply.
	{
		name:    "spelling of numbers",
		service: "Leading and trailing zeroes are trimmed, wherever a number stands: two spellings are one number, and one key.",
		source:  "developer guide, Supported data types, Number",
	},
	{
		name:    "update that only takes away, of an item that is not there",
		service: "An update that only removes and deletes makes no item.",
		source:  "none: replies captured from the service",
	},
	{
		name: "wrong requests that are taken",
		service: "ReturnConsumedCapacity is one of INDEXES, TOTAL and NONE. size is a reserved word. Placeholders can only be given with " +
			"expressions. An update that gives an index's key an attribute of another type is refused.",
		source: "API reference, ReturnConsumedCapacity; developer guide, Reserved words, Expression attribute names, Using indexes",
	},
	{
		name:    "change of an attribute without an action",
		service: "An entry of AttributeUpdates without an Action is a PUT.",
		source:  "API reference, AttributeValueUpdate, Action",
	},
	{
		name: "wrong legacy parameters that are taken",
		service: "Legacy parameters cannot be used together with expressions, also if they have no entries. AttributesToGet has at least one name. " +
			"ConditionalOperator is AND or OR. A key condition has an operator that a key can have.",
		source: "developer guide, Legacy parameters; API reference, GetItem, AttributesToGet, and Query, ConditionalOperator and KeyConditions",
	},
	{
		name:    "capacity that was not asked for",
		service: "ConsumedCapacity is only returned where ReturnConsumedCapacity asks for it.",
		source:  "API reference, ReturnConsumedCapacity",
	},
	{
		name: "filter by what a global index lacks",
		service: "A global index holds no other attributes than those projected to it. A query with a filter on another is refused; a scan is served, " +
			"and the attribute is absent.",
		source: "developer guide, Using global secondary indexes, Attribute projections; replies captured from the service to SELECT statements " +
			"with and without the index key",
	},
	{
		name:    "size of a page",
		service: "A page holds 1 MB of what is read: of the entries of an index, and before its filter is applied.",
		source:  "developer guide, Paginating table query results",
	},
	{
		name:    "changes of the time to live",
		service: "It may take up to an hour for a change to go through, and no other is taken meanwhile.",
		source:  "API reference, UpdateTimeToLive",
	},
	{
		name:    "empty map in a stream",
		service: "An image has the item's attributes as they are.",
		source:  "API reference, Streams, StreamRecord",
	},
}

// anyOf is for a difference that has two forms.
func anyOf(one, other func(outcomes, difference) bool) func(outcomes, difference) bool {
	return func(m outcomes, d difference) bool { return one(m, d) || other(m, d) }
}

// collectionMetrics: DynamoDB Local never returns them.
func collectionMetrics(_ outcomes, d difference) bool {
	return strings.HasPrefix(d.what, factMetrics) && d.reference == absent
}

// actionError: DynamoDB Local rejects the whole request.
func actionError(m outcomes, d difference) bool {
	return d.what == factError && m.reference.code == codeValidation && m.candidate.code == codeCanceled &&
		strings.Contains(m.candidate.facts[factReasons], "ValidationError")
}

// readReasons: DynamoDB Local cancels such a read without reasons.
func readReasons(m outcomes, d difference) bool {
	_, ok := m.op.input.(*dynamodb.TransactGetItemsInput)
	return ok && d.what == factReasons && d.reference == ""
}

// startAtEdge: DynamoDB Local rejects a start key after which nothing can follow.
func startAtEdge(m outcomes, d difference) bool {
	in, ok := m.op.input.(*dynamodb.QueryInput)
	return ok && d.what == factError && in.ExclusiveStartKey != nil && m.reference.code == codeValidation && m.candidate.page != nil && m.candidate.page.scanned == 0
}

// largeBatch: DynamoDB Local reads up to 16 MB even from one partition.
func largeBatch(m outcomes, d difference) bool {
	_, ok := m.op.input.(*dynamodb.BatchGetItemInput)
	return ok && d.what == factUnprocessed && d.reference == "0"
}
