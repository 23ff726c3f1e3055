package shard

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// Return gives back what [Bounded.Take] took with a key, once: if it was returned before, Return
// does nothing. The key cannot take again.
//
// It costs a read unit and 4 write units. Errors: [trestle.ErrNotFound] if the key took nothing, or
// its marker was deleted because it had expired. A Take whose outcome is unknown can be applied
// after that: repeat it first. [trestle.ErrUnknown] if a reply is lost: repeat the call.
func (b *Bounded) Return(ctx context.Context, name, key string) error {
	if err := b.ready(opReturn, name); err != nil {
		return err
	}
	if err := libitem.CheckText("the key of the take", key); err != nil {
		return b.base.failed(opReturn, err)
	}
	stored, err := b.marker(ctx, opReturn, name, key)
	if err != nil {
		return unlessApplied(withOutcome(err, trestle.NotApplied))
	}
	m, err := returnable(stored)
	if err != nil || m.returned {
		return b.base.failed(opReturn, err)
	}
	return b.giveBack(ctx, name, key, m)
}

var errTookNothing = refusal(errs.NotFound, "the key took nothing", "use the name and the key of a Take that succeeded")

// returnable decodes the marker of a key that took something.
func returnable(stored op.Item) (marker, error) {
	if stored == nil {
		return marker{}, errTookNothing
	}
	return markerOf(stored)
}

// giveBack returns what a marker took to its shard.
func (b *Bounded) giveBack(ctx context.Context, name, key string, m marker) error {
	at, err := b.base.layout.takenKey(name, key)
	if err != nil {
		return b.base.failed(opReturn, err)
	}
	actions, err := b.returnOf(name, at, m)
	if err != nil {
		return b.base.failed(opReturn, err)
	}
	_, err = b.base.do(ctx, opReturn, actions)
	if err == nil {
		return nil
	}
	unmet, _ := unmetConditions(err, 2)
	stored := unmet[0].item
	if trestle.OutcomeOf(err) == trestle.Unknown && !unmet[0].failed {
		var failure error
		if stored, failure = b.marker(ctx, opReturn, name, key); failure != nil {
			return err
		}
	} else if !unmet[0].failed {
		return err
	}
	switch now, wrong := returnable(stored); {
	case wrong == nil && now.returned:
		return nil
	case trestle.OutcomeOf(err) == trestle.Unknown:
		return err
	default:
		return b.base.failed(opReturn, wrong)
	}
}

// returnOf returns the updates of a marker, which must be as it was read, and of its shard.
func (b *Bounded) returnOf(name string, at op.Item, m marker) ([]op.Action, error) {
	u := libitem.NewUpdate(at)
	u.Set(attrReturned, &types.AttributeValueMemberBOOL{Value: true})
	u.RequireEqual(attrValue, m.n)
	u.RequireNone(attrReturned)
	mark := u.Action()
	mark.Label = "the marker of the key"
	list, err := b.actions(name, []change{{of: m.shard, free: m.n, taken: -m.n}})
	return append([]op.Action{mark}, list...), err
}
