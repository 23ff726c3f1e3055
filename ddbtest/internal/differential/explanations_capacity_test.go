package differential

import (
	"math"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// capacityDifference is a difference in the units of a table or an index.
type capacityDifference struct {
	table, part string  // part is an index, or the table itself
	units       float64 // of the candidate
	extra       float64 // units of the candidate minus those of the reference
}

// capacityDifferenceOf returns the charge of a difference. ok is false if it is another difference.
func capacityDifferenceOf(m outcomes, d difference) (c capacityDifference, ok bool) {
	name, ok := strings.CutPrefix(d.what, factCapacity)
	c.table, c.part, _ = strings.Cut(name, " ")
	c.units = m.candidate.capacity[name]
	c.extra = c.units - m.reference.capacity[name]
	return c, ok
}

// unitsApart: DynamoDB Local never returns separate units.
func unitsApart(m outcomes, d difference) bool {
	c, ok := capacityDifferenceOf(m, d)
	if !ok || c.units != c.extra {
		return false
	}
	part := strings.TrimSuffix(strings.TrimSuffix(c.part, unitsRead), unitsWritten)
	return part != c.part && c.units == m.candidate.capacity[c.table+" "+part]
}

// missedRead: DynamoDB Local charges nothing for a query or a scan that finds nothing, nor for
// missing items of a batch.
func missedRead(m outcomes, d difference) bool {
	c, ok := capacityDifferenceOf(m, d)
	if !ok || c.extra <= 0 {
		return false
	}
	switch in := m.op.input.(type) {
	case *dynamodb.QueryInput:
		return c.extra == readUnit(in.ConsistentRead)
	case *dynamodb.ScanInput:
		return c.extra == readUnit(in.ConsistentRead)
	case *dynamodb.BatchGetItemInput:
		asked := in.RequestItems[c.table]
		return times(c.extra, readUnit(asked.ConsistentRead), len(asked.Keys))
	default:
		return false
	}
}

// readUnit returns the units of a read that finds nothing.
func readUnit(strong *bool) float64 {
	if aws.ToBool(strong) {
		return 1
	}
	return 0.5
}

// times reports whether an amount is a multiple of a unit, from 1 to most.
func times(amount, unit float64, most int) bool {
	n := amount / unit
	return n == math.Trunc(n) && n >= 1 && n <= float64(most)
}

// missedWrite: for a delete of a missing item, DynamoDB Local charges two units in a batch and one
// in a transaction. It charges none for a ConditionCheck of a missing item, nor for a replayed
// transaction. A ConditionCheck costs as much as a read there.
func missedWrite(m outcomes, d difference) bool {
	c, ok := capacityDifferenceOf(m, d)
	if !ok || strings.TrimSuffix(strings.TrimSuffix(c.part, unitsRead), unitsWritten) != partTable {
		return false
	}
	switch in := m.op.input.(type) {
	case *dynamodb.BatchWriteItemInput:
		deletes := 0
		for _, request := range in.RequestItems[c.table] {
			if request.DeleteRequest != nil {
				deletes++
			}
		}
		return times(-c.extra, 1, deletes)
	case *dynamodb.TransactWriteItemsInput:
		return times(c.extra, 1, 2) || onlyCheck(in, c.table) && c.extra > 0
	default:
		return false
	}
}

// onlyCheck reports whether a transaction has only ConditionChecks for a table.
func onlyCheck(in *dynamodb.TransactWriteItemsInput, table string) bool {
	for _, action := range in.TransactItems {
		if action.ConditionCheck == nil && aws.ToString(tableOf(action)) == table {
			return false
		}
	}
	return true
}

// severalActions: DynamoDB Local reports only one of several actions on a table. The units of the
// table must suffice for all actions, and for those of any index: an entry is no larger than its
// item, and at worst one is deleted and one is put.
func severalActions(m outcomes, d difference) bool {
	c, ok := capacityDifferenceOf(m, d)
	in, transaction := m.op.input.(*dynamodb.TransactWriteItemsInput)
	if !ok || !transaction {
		return false
	}
	actions := 0
	for _, action := range in.TransactItems {
		if aws.ToString(tableOf(action)) == c.table {
			actions++
		}
	}
	if c.part == partTable || strings.HasPrefix(c.part, partTable) {
		return actions > 1 && c.units >= 2*float64(actions)
	}
	return actions > 1 && c.units <= m.candidate.capacity[c.table+" "+partTable]
}

func tableOf(action types.TransactWriteItem) *string {
	switch {
	case action.Put != nil:
		return action.Put.TableName
	case action.Update != nil:
		return action.Update.TableName
	case action.Delete != nil:
		return action.Delete.TableName
	case action.ConditionCheck != nil:
		return action.ConditionCheck.TableName
	default:
		return nil
	}
}

// indexInTransaction: DynamoDB Local doubles the units of indexes, too.
func indexInTransaction(m outcomes, d difference) bool {
	c, ok := capacityDifferenceOf(m, d)
	_, transaction := m.op.input.(*dynamodb.TransactWriteItemsInput)
	return ok && transaction && c.part != partTable && c.extra == -c.units
}

// indexWithoutItem: DynamoDB Local charges for an index if the old and the new item have only a
// part of its key, each a different one.
func indexWithoutItem(m outcomes, d difference) bool {
	const dearest = 310 // of one item with a long string
	c, ok := capacityDifferenceOf(m, d)
	if !ok || c.extra >= 0 {
		return false
	}
	reference := c.units - c.extra
	if _, transaction := m.op.input.(*dynamodb.TransactWriteItemsInput); transaction {
		reference /= 2 // see indexInTransaction
	}
	partly := 0
	for _, it := range written(m.op.input)[c.table] {
		names := m.index(c.table, c.part).names()
		if has := len(pickMembers(it, names)); has > 0 && has < len(names) {
			partly++
		}
	}
	partly += removals(m.op.input)
	return times(reference-c.units, 1, partly*dearest)
}

// removals returns the number of updates with a REMOVE, or of removed attributes.
func removals(input any) int {
	n := 0
	count := func(update *string) {
		if strings.Contains(aws.ToString(update), "REMOVE ") {
			n++
		}
	}
	switch in := input.(type) {
	case *dynamodb.UpdateItemInput:
		count(in.UpdateExpression)
		for _, u := range in.AttributeUpdates {
			if u.Action == types.AttributeActionDelete {
				n++
			}
		}
	case *dynamodb.TransactWriteItemsInput:
		for _, action := range in.TransactItems {
			if action.Update != nil {
				count(action.Update.UpdateExpression)
			}
		}
	}
	return n
}

// fetchOfKeys: DynamoDB Local charges for fetching the sort key of the table.
func fetchOfKeys(m outcomes, d difference) bool {
	c, ok := capacityDifferenceOf(m, d)
	in, query := m.op.input.(*dynamodb.QueryInput)
	if !ok || !query || c.part != partTable {
		return false
	}
	if !m.index(c.table, aws.ToString(in.IndexName)).local {
		return false
	}
	return c.units == 0 && (in.ProjectionExpression != nil || in.AttributesToGet != nil)
}

// indexScan: DynamoDB Local charges for the sizes of the items, and nothing for fetching them from
// the table.
func indexScan(m outcomes, d difference) bool {
	c, ok := capacityDifferenceOf(m, d)
	in, scan := m.op.input.(*dynamodb.ScanInput)
	if !ok || !scan || in.IndexName == nil {
		return false
	}
	x := m.index(c.table, aws.ToString(in.IndexName))
	if c.part == partTable {
		return x.local && c.extra > 0
	}
	if x.projection == types.ProjectionTypeAll || c.extra >= 0 {
		return false
	}
	whole := in.FilterExpression == nil && in.ProjectionExpression == nil && in.Select == "" && !x.local &&
		in.ScanFilter == nil && in.AttributesToGet == nil
	return !whole || c.units == readUnits(m.candidate.page.items, in.ConsistentRead)
}

// readUnits returns the units of a page of these entries.
func readUnits(entries []item, strong *bool) float64 {
	bytes := 0
	for _, entry := range entries {
		bytes += codec.ItemSize(entry)
	}
	return readUnit(strong) * max(1, math.Ceil(float64(bytes)/4096))
}

// index returns an index that existed at the start of the history.
func (m outcomes) index(table, name string) index {
	for _, t := range m.tables {
		for _, x := range t.indexes {
			if t.name == table && x.name == name {
				return x
			}
		}
	}
	return index{name: name}
}
