package fetch

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/exec"
)

// maxBatches is the maximum number of requests of a batch read that run at the same time.
const maxBatches = 4

// batchReply is the reply to a request of a batch read.
type batchReply struct {
	sent     []int // indexes of its keys
	response exec.Response
	returned bool // else the client panicked, or it ended the goroutine
	panicked any
}

// send sends requests for the next keys of the queue, as many as may run at the same time.
func (b *batch) send(ctx context.Context) {
	for b.stopped == nil && !b.backoff.due && len(b.queue) > 0 && b.running < b.atOnce() && (b.mayRequest == nil || b.mayRequest()) {
		n := min(batchSize, len(b.queue))
		r := &batchReply{sent: b.queue[:n:n]}
		b.queue = b.queue[n:]
		in, list := b.input(r.sent)
		if alone := b.running == 0 && (len(b.queue) == 0 || b.atOnce() == 1); alone { // without a goroutine
			r.response, r.returned = b.call.Config.BatchGet(ctx, in, list), true
			b.arrived <- r
		} else {
			go r.perform(ctx, b.call.Config, in, list, b.arrived)
		}
		b.running++
	}
}

// atOnce returns how many requests may run at the same time: one of a read with a budget, and one
// after DynamoDB left keys unprocessed.
func (b *batch) atOnce() int {
	if b.mayRequest != nil || b.backoff.tries > 0 {
		return 1
	}
	return maxBatches
}

// perform sends the request in a goroutine of its own.
func (r *batchReply) perform(ctx context.Context, c *exec.Config, in *dynamodb.BatchGetItemInput, list *exec.KeyList, arrived chan<- *batchReply) {
	defer func() {
		if !r.returned {
			r.panicked = recover()
		}
		arrived <- r
	}()
	r.response, r.returned = c.BatchGet(ctx, in, list), true
}

// next waits for the next reply.
func (b *batch) next() *batchReply {
	r := <-b.arrived
	b.running--
	if r.panicked != nil {
		panic(r.panicked) //nolint:forbidigo // it is the panic of the client
	}
	return r
}

// account adds a reply to the statistics, and returns the error of its request.
func (b *batch) account(r *batchReply) error {
	if !r.returned {
		return b.call.Fail(exec.ErrAborted)
	}
	return b.call.Account(&r.response)
}

// wait waits for the running requests of a read that does not return.
func (b *batch) wait() {
	for ; b.running > 0; b.running-- {
		<-b.arrived
	}
}
