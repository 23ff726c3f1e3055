package exec

import (
	"context"
	"errors"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func (t *stats) send(ctx context.Context, act *op.Action) (op.Reply, *Failure) {
	a := newAttempts(t.Env.timeout(), act.Idempotent)
	out, err := t.Env.exchange(ctx, act, a)
	t.sent(a)
	if err != nil {
		return op.Reply{}, t.failed(act, a, err)
	}
	if act.Verb != op.Get {
		t.Outcome = op.Applied
	}
	t.add(act, out.capacity)
	id, _ := awsmiddleware.GetRequestIDMetadata(out.meta)
	return op.Reply{Item: out.item, RequestID: id}, nil
}

func (t *stats) failed(act *op.Action, a *attempts, err error) *Failure {
	f := t.failure(err)
	f.Key, f.RequestID, f.Cure = keyOf(act), requestID(err), cure(a, err)
	if act.Verb == op.Get { // a read never writes
		return f
	}
	var condition *types.ConditionalCheckFailedException
	switch f.Outcome = a.result(err); {
	case f.Outcome == op.Unknown:
		f.Kind = errs.Unknown
	case errors.As(err, &condition):
		f.Existing = condition.Item
		f.Kind, f.Cure = act.Check.Kind(condition.Item), act.Check.Cure(condition.Item)
	}
	return f
}

func (t *stats) add(act *op.Action, c *types.ConsumedCapacity) {
	if c == nil || c.CapacityUnits == nil {
		return
	}
	if act.Verb == op.Get {
		t.Capacity.Read += *c.CapacityUnits
	} else {
		t.Capacity.Write += *c.CapacityUnits
	}
}

// answer holds the common results of the four calls on one item.
type answer struct {
	item     op.Item
	capacity *types.ConsumedCapacity
	meta     middleware.Metadata
}

func (e *Config) exchange(ctx context.Context, act *op.Action, a *attempts) (answer, error) {
	opts := a.options(e.SDK)
	switch act.Verb {
	case op.Put:
		out, err := e.Client.PutItem(ctx, act.PutItemInput(e.Table), opts...)
		if err != nil {
			return answer{}, err
		}
		return answer{out.Attributes, out.ConsumedCapacity, out.ResultMetadata}, nil
	case op.Update:
		out, err := e.Client.UpdateItem(ctx, act.UpdateItemInput(e.Table), opts...)
		if err != nil {
			return answer{}, err
		}
		return answer{out.Attributes, out.ConsumedCapacity, out.ResultMetadata}, nil
	case op.Delete:
		out, err := e.Client.DeleteItem(ctx, act.DeleteItemInput(e.Table), opts...)
		if err != nil {
			return answer{}, err
		}
		return answer{out.Attributes, out.ConsumedCapacity, out.ResultMetadata}, nil
	default:
		out, err := e.Client.GetItem(ctx, act.GetItemInput(e.Table), opts...)
		if err != nil {
			return answer{}, err
		}
		return answer{out.Item, out.ConsumedCapacity, out.ResultMetadata}, nil
	}
}
