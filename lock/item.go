package lock

import (
	"context"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// The attributes of a lock.
const (
	attrFence = "fence" // the number of the last lease
	attrOwner = "owner" // the ID of the last lease; absent if it was released
	attrUntil = "until" // when it ends, in nanoseconds since 1970
)

var ownAttributes = []string{attrFence, attrOwner, attrUntil}

// key returns the key of a lock.
func (l *Locks) key(name string) (op.Item, error) {
	partition, sort, number := reserved.LockKey(l.family, name)
	key := l.schema.ReservedKey(l.exec.Tenant.ID(), partition, sort, number)
	if libitem.KeyTooLong(l.schema, key) {
		var wrong errs.Problems
		wrong.AddLimit("", "the lock would have a partition key of more than 2048 bytes", "use a shorter name")
		return nil, wrong.Err()
	}
	return key, nil
}

// end sets the end of a lease, and the time to live of the item.
func (l *Locks) end(u *libitem.Update, until time.Time) {
	u.Set(attrUntil, libitem.Number(until.UnixNano()))
	if l.schema.TTL != "" {
		u.Set(l.schema.TTL, &types.AttributeValueMemberN{Value: strconv.FormatInt(until.Add(l.config.Keep).Unix(), 10)})
	}
}

func text(s string) core.AV { return &types.AttributeValueMemberS{Value: s} }

// do sends an action and returns the item of the reply; nil: none.
func (l *Locks) do(ctx context.Context, operation string, a op.Action) (item op.Item, err error) {
	a.Plan = l.plan
	err = exec.Do(ctx, l.exec, &op.Operation{Name: operation, Plan: l.plan, Actions: []op.Action{a}}, func(r op.Reply) error {
		if row := r.Rows.First(); !row.Empty() {
			item = row.Item()
		}
		return nil
	})
	return item, err
}
