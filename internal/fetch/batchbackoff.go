package fetch

import (
	"context"

	"github.com/trestledb/trestle/internal/errs"
)

// maxStalls is the number of consecutive pauses before which no key was processed after which a
// batch read gives up.
const maxStalls = 8

// backoff is what a batch read knows about keys that DynamoDB leaves unprocessed. While it is due,
// no request is sent.
type backoff struct {
	due       bool // a pause
	tries     int  // pauses since DynamoDB processed a whole request
	stalls    int  // the last pauses before which no key was processed
	processed bool // a key was processed since the last pause
}

// note notes that some keys of a request are unprocessed, or none.
func (p *backoff) note(unprocessed, sent int) {
	p.processed = p.processed || unprocessed < sent
	switch {
	case unprocessed > 0:
		p.due = true
	case !p.due:
		*p = backoff{}
	}
}

// pause waits before the unprocessed keys are sent again.
func (b *batch) pause(ctx context.Context) error {
	p := &b.backoff
	if p.stalls++; p.processed {
		p.stalls = 0
	}
	if p.stalls == maxStalls {
		return b.call.Fail(errStalled)
	}
	p.tries++
	p.due, p.processed = false, false
	return b.call.Pause(ctx, p.tries, errs.Unprocessed)
}

var errStalled = &errs.ValidationError{Problems: []errs.Problem{{
	Reason: "the service left keys unprocessed, eight times in a row",
	Hint:   "the table is throttled: retry later, spread the load, or raise the capacity",
	Cause:  errs.Unprocessed,
}}}
