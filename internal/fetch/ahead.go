package fetch

import (
	"context"
	"slices"
)

// request requests the next page of a stream beside the caller.
func (r *Run) request(ctx context.Context, s *stream) {
	if r.arrived == nil {
		r.arrived = make(chan *stream, len(r.streams))
	}
	r.sent++
	config := r.call.Config
	s.asked = r.limit(s)
	query, scan := s.inputs(config.Table, r.plan, s.asked)
	s.requested = true
	ctx, s.running = context.WithCancel(ctx)
	go func() {
		s.page = config.Page(ctx, query, scan)
		r.arrived <- s
	}()
}

// requestAll requests a page of each stream without a running request, until a budget is used up.
// Of a query, these are streams of the groups that are read at the same time.
func (r *Run) requestAll(ctx context.Context) {
	for _, s := range r.streams {
		if s.running == nil && !r.spent() && (r.plan.Scans() || r.atOnce(s) && r.running() < maxRunning) {
			r.request(ctx, s)
		}
	}
}

// atOnce reports whether a stream is of a group that is read at the same time as the first one.
func (r *Run) atOnce(s *stream) bool {
	return r.groupOf(s)-r.groupOf(r.streams[0]) < max(1, r.bounds.AtOnce)
}

// maxRunning is the maximum number of requests of a query that run at the same time.
const maxRunning = 64

// running returns the number of running requests.
func (r *Run) running() (n int) {
	for _, s := range r.streams {
		if s.running != nil {
			n++
		}
	}
	return n
}

// readAhead requests what the run needs after the current page.
func (r *Run) readAhead(ctx context.Context) {
	switch {
	case r.left == 0:
	case r.order == AnyOrder:
		r.requestAll(ctx)
	case r.bounds.Ahead && !r.Ended() && !r.spent():
		r.request(ctx, r.streams[0])
	}
}

// await returns the stream with the next page that is being read, or nil if there is none. A run in
// any order first requests a page of each stream.
func (r *Run) await(ctx context.Context) *stream {
	if r.order == AnyOrder {
		r.requestAll(ctx)
	}
	return r.arrival()
}

// arrival returns the next stream whose running request has ended, or nil if no request is running.
func (r *Run) arrival() *stream {
	if !r.isRunning() {
		return nil
	}
	s := <-r.arrived
	s.running()
	s.running = nil
	return s
}

func (r *Run) isRunning() bool {
	return slices.ContainsFunc(r.streams, func(s *stream) bool { return s.running != nil })
}

// drain cancels all running requests and waits for their ends. They were sent, so their cost
// counts.
func (r *Run) drain() {
	for _, s := range r.streams {
		if s.running != nil {
			s.running()
		}
	}
	for s := r.arrival(); s != nil; s = r.arrival() {
		_ = r.call.Account(&s.page)
	}
}
