package batch

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// request is a BatchWriteItem request, or a request of a single write.
type request struct {
	entries []*entry  // of one table
	alone   bool      // a request of a single write
	tries   int       // how often its entries were sent
	stalls  int       // the number of these requests, the last ones, that processed nothing
	began   time.Time // when a single write with a token of the caller was sent first
}

// forgotten returns when DynamoDB may have forgotten the token of a single write.
func (r *request) forgotten() time.Time { return r.began.Add(exec.TokenLife) }

// result is the result of a request.
type result struct {
	*request
	unsent   error         // why the request was not sent
	response exec.Response // of a BatchWriteItem request
	event    trestle.Event // of a single write
	err      error         // of a single write
	returned bool          // without a panic
	panicked any
}

// perform waits before a retry, and sends the request. It runs in a goroutine of its own.
func (r *request) perform(ctx, pauses context.Context, c *exec.Config, results chan<- *result) {
	res := &result{request: r}
	defer func() {
		if !res.returned {
			res.panicked = recover()
		}
		results <- res
	}()
	if res.unsent = pauses.Err(); r.tries > 0 {
		res.unsent = c.Pause(pauses, r.tries)
	}
	switch {
	case res.unsent != nil:
	case r.alone:
		w := &r.entries[0].write
		switch {
		case !r.entries[0].token:
		case r.began.IsZero():
			r.began = time.Now()
		default: // applied later, the write would be applied twice
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, r.forgotten())
			defer cancel()
		}
		config := *w.Config
		config.Observer = trestle.ObserverFunc(func(_ context.Context, e trestle.Event) { res.event = e })
		res.err = exec.Do(ctx, &config, &w.Operation, func(op.Reply) error { return nil })
	default:
		actions := make([]*op.Action, len(r.entries))
		for i, e := range r.entries {
			actions[i] = &e.write.Actions[0]
		}
		res.response = c.BatchWrite(ctx, r.entries[0].table, actions)
	}
	res.returned = true
}

// split returns the entries that DynamoDB processed, and those that it did not.
func (r *result) split() (processed, left []*entry) {
	if len(r.response.Unwritten) == 0 {
		return r.entries, nil
	}
	unprocessed := map[string]bool{}
	first := r.entries[0]
	for _, writes := range r.response.Unwritten {
		for i := range writes {
			unprocessed[first.plan.Schema.IdentityIn(first.table, keyOf(&writes[i]))] = true
		}
	}
	for _, e := range r.entries {
		if unprocessed[e.items[0]] {
			left = append(left, e)
		} else {
			processed = append(processed, e)
		}
	}
	return processed, left
}

// keyOf returns the item or the key of a put or a delete.
func keyOf(w *types.WriteRequest) core.Row {
	switch {
	case w.PutRequest != nil:
		return core.NewRow(w.PutRequest.Item)
	case w.DeleteRequest != nil:
		return core.NewRow(w.DeleteRequest.Key)
	default:
		return core.Row{}
	}
}
