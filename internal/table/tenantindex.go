package table

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// attrForm is the attribute of the item about the tenant index that has the form of its keys.
const attrForm = "_form"

// completeKey returns the key of the item that says that the tenant index is complete.
func (t Table) completeKey() op.Item {
	partition, sort, number := reserved.TenantIndexKey(t.Schema.TenantIndex.Name)
	return t.Schema.ReservedKey("", partition, sort, number)
}

// SetComplete stores that all items of tenants are on the tenant index.
func (t Table) SetComplete(ctx context.Context, operation string) error {
	item := t.Schema.OwnItem(reserved.TenantIndexType, t.completeKey(), op.Item{attrForm: &types.AttributeValueMemberS{Value: t.Schema.TenantIndexForm()}})
	return t.do(ctx, operation, op.Action{Verb: op.Put, Item: op.NewContent(item), Idempotent: true}, func(op.Reply) error { return nil })
}

// SetIncomplete stores that items of tenants may be missing on the tenant index.
func (t Table) SetIncomplete(ctx context.Context, operation string) error {
	return t.do(ctx, operation, op.Action{Verb: op.Delete, Key: t.completeKey(), Idempotent: true}, func(op.Reply) error { return nil })
}

// IsComplete reports whether all items of tenants are on the tenant index.
func (t Table) IsComplete(ctx context.Context, operation string) (complete bool, err error) {
	get := op.Action{Verb: op.Get, Key: t.completeKey(), Strong: true, Idempotent: true}
	err = t.do(ctx, operation, get, func(reply op.Reply) error {
		if row := reply.Rows.First(); !row.Empty() {
			form, _ := row.Attribute(attrForm).(*types.AttributeValueMemberS)
			complete = form != nil && form.Value == t.Schema.TenantIndexForm()
		}
		return nil
	})
	return complete, err
}

// do executes an action of an operation on the table.
func (t Table) do(ctx context.Context, operation string, a op.Action, take func(op.Reply) error) error {
	a.Plan = &core.Plan{Schema: t.Schema}
	return exec.Do(ctx, t.Config, &op.Operation{Name: operation, Plan: a.Plan, Actions: []op.Action{a}}, take)
}
