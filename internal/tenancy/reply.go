package tenancy

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/reserved"
)

// Reply returns an error if an output of the SDK holds a key of another tenant beside its items,
// which [Guard.Rows] checks, or if the error instead of it holds an item of one. It refuses outputs
// that it does not know.
func (g *Guard) Reply(out any, err error) error {
	switch {
	case g == nil:
		return nil
	case err != nil:
		return g.failure(err)
	}
	switch out := out.(type) {
	case *dynamodb.QueryOutput:
		return g.returned(out.LastEvaluatedKey)
	case *dynamodb.BatchGetItemOutput:
		for _, left := range out.UnprocessedKeys {
			if err := each(left.Keys, g.item); err != nil {
				return err
			}
		}
		return nil
	case *dynamodb.BatchWriteItemOutput:
		if g.batchWrite(out.UnprocessedItems) != nil {
			return &ReplyError{}
		}
		return nil
	case *dynamodb.GetItemOutput, *dynamodb.PutItemOutput, *dynamodb.UpdateItemOutput, *dynamodb.DeleteItemOutput,
		*dynamodb.TransactGetItemsOutput, *dynamodb.TransactWriteItemsOutput:
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
	return g.item(i)
}

// Rows returns an error if the items of an output hold one of another tenant. Only requests on
// single items may return an item without attributes.
func (g *Guard) Rows(out any, rows core.Rows) error {
	if g == nil {
		return nil
	}
	check, mayBeEmpty := g.whole, true
	switch out.(type) {
	case *dynamodb.UpdateItemOutput: // some attributes
		check = g.changed
	case *dynamodb.QueryOutput, *dynamodb.ScanOutput, *dynamodb.BatchGetItemOutput:
		mayBeEmpty = false
	}
	for i := range rows.Len() {
		row := rows.At(i)
		if row.Empty() && mayBeEmpty {
			continue
		}
		if err := check(row); err != nil {
			return err
		}
	}
	return nil
}

func (g *Guard) item(i item) error { return g.whole(core.NewRow(i)) }

// whole checks an item or a key, which has the partition key of the table.
func (g *Guard) whole(row core.Row) error {
	if !g.partition.owns(row.Attribute(g.partition.name)) {
		return g.withheld(row)
	}
	return g.changed(row)
}

// changed checks some attributes of an item: keys, the field with the role tenant, and the key of
// the item that a guard of a unique value names.
func (g *Guard) changed(row core.Row) error {
	for n := range g.partitions {
		s := &g.partitions[n]
		if s.known && row.Has(s.name) && !s.owns(row.Attribute(s.name)) {
			return g.withheld(row)
		}
	}
	if !g.ownsOwner(row) || !g.ownsField(row) {
		return g.withheld(row)
	}
	return nil
}

// ownsField reports whether the field with the role tenant holds the tenant in an item. It returns
// true for an item without the field, and for one that no type reads.
func (g *Guard) ownsField(row core.Row) bool {
	for _, name := range g.fields {
		av := row.Attribute(name)
		if text, ok := av.(*types.AttributeValueMemberS); av == nil || ok && text.Value == g.tenant {
			continue
		}
		of := g.schema.PlanOf(row)
		for _, p := range g.schema.Plans {
			if f := p.Tenant; f != nil && f.Name == name && (of == p || of == nil && p.MatchesKey(row)) && !g.holds(p, av) {
				return false
			}
		}
	}
	return true
}

// holds reports whether a value of the field with the role tenant is the tenant or none. It returns
// true for a value that cannot be decoded, which the read of the item reports.
func (g *Guard) holds(p *core.Plan, av types.AttributeValue) bool {
	entity := p.NewEntity()
	if p.Tenant.Decode(av, entity) != nil {
		return true
	}
	v, err := p.Tenant.Key(entity)
	return err != nil || v.IsAbsent() || v.Text() == g.tenant
}

// ownsOwner reports whether the item that a guard of a unique value names is one of the tenant. It
// returns true for any other item.
func (g *Guard) ownsOwner(row core.Row) bool {
	if !row.Has(reserved.OwnerAttribute) || !g.isReserved(row) {
		return true
	}
	owner, ok := row.Attribute(reserved.OwnerAttribute).(*types.AttributeValueMemberM)
	return !ok || g.partition.owns(owner.Value[g.partition.name])
}

// isReserved reports whether an item is one of the library.
func (g *Guard) isReserved(row core.Row) bool {
	v, ok := row.Attribute(g.partition.name).(*types.AttributeValueMemberS)
	return ok && reserved.Is(g.schema.CutTenant(v.Value))
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
