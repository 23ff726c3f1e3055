package differential

import (
	"strings"
)

// explanations are all differences that are known and right as the candidate has them. Each has a test of its own.
var explanations = []explanation{
	{
		name:    "units of reads and writes apart",
		says:    "ConsumedCapacity has ReadCapacityUnits and WriteCapacityUnits beside CapacityUnits.",
		applies: unitsApart,
	},
	{
		name:    "capacity of what is not there",
		says:    "A read of an item that is not there, and a query or a scan that finds nothing, cost what one of the smallest item costs.",
		applies: missedRead,
	},
	{
		name:    "capacity of writing what is not there",
		says:    "A delete of an item that is not there costs one write unit, and any action of a transaction twice what it costs alone.",
		applies: missedWrite,
	},
	{
		name:    "capacity of several actions of a transaction",
		says:    "ConsumedCapacity is that of the whole operation.",
		applies: severalActions,
	},
	{
		name:    "capacity of indexes in a transaction",
		says:    "A transaction makes two writes of every item; its indexes follow afterwards, by ordinary writes.",
		applies: indexInTransaction,
	},
	{
		name:    "capacity of an index without the item",
		says:    "An index that holds an item neither before nor after a write is not written to.",
		applies: indexWithoutItem,
	},
	{
		name:    "capacity of scanning an index",
		says:    "A read of an index costs by the sizes of its entries; what a local one must fetch from the table costs besides.",
		applies: indexScan,
	},
	{
		name:    "capacity of a local index that holds what is asked",
		says:    "What a local index does not hold is fetched from the table; the table's key is in every index.",
		applies: fetchOfKeys,
	},
	{
		name:    "item collection metrics",
		says:    "ItemCollectionMetrics are returned for tables with local secondary indexes where they are asked for.",
		applies: collectionMetrics,
	},
	{
		name:    "an action's own error in a transaction",
		says:    "A transaction is canceled, with the reason ValidationError, where an action does not suit its item.",
		applies: actionError,
	},
	{
		name:    "attributes of a nested path",
		says:    "UPDATED_OLD and UPDATED_NEW return only the paths that the update names.",
		applies: nestedAttributes,
	},
}

// collectionMetrics: DynamoDB Local never returns them.
func collectionMetrics(_ meeting, d difference) bool {
	return strings.HasPrefix(d.what, factMetrics) && d.reference == absent
}

// actionError: DynamoDB Local refuses the whole request.
func actionError(m meeting, d difference) bool {
	return d.what == factError && m.reference.code == codeValidation && m.candidate.code == codeCanceled &&
		strings.Contains(m.candidate.facts[factReasons], "ValidationError")
}
