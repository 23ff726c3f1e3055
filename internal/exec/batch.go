package exec

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
)

// BatchAnswer is the result of one request of a batch read.
type BatchAnswer struct {
	Items map[string][]op.Item               // by table
	Left  map[string]types.KeysAndAttributes // unprocessed keys
}

// BatchGet sends one request of a batch read and adds it to r's statistics. An error is a *Failure.
func (r *Read) BatchGet(ctx context.Context, in *dynamodb.BatchGetItemInput) (BatchAnswer, error) {
	a := newAttempts(r.Env.timeout(), true)
	out, err := r.Env.Client.BatchGetItem(ctx, in, a.options(r.Env.SDK)...)
	answer := Answer{attempts: a, err: err}
	if err == nil {
		answer.meta = out.ResultMetadata
	}
	if err := r.Account(&answer); err != nil {
		return BatchAnswer{}, err
	}
	for i := range out.ConsumedCapacity {
		if units := out.ConsumedCapacity[i].CapacityUnits; units != nil {
			r.Capacity.Read += *units
		}
	}
	for _, left := range out.UnprocessedKeys {
		r.Unprocessed += len(left.Keys)
	}
	return BatchAnswer{Items: out.Responses, Left: out.UnprocessedKeys}, nil
}

// Pause waits before unprocessed keys are sent again. It uses full jitter: at most 20 ms after the
// first try, doubled after each further try, at most 2.56 s.
func (r *Read) Pause(ctx context.Context, tries int) error {
	if err := pause(ctx, min(tries, 8)); err != nil {
		return r.Fail(err)
	}
	return nil
}
