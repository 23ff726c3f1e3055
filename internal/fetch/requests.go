package fetch

import "context"

// maxRunning is the maximum number of requests of a query that run at the same time.
const maxRunning = 64

// request requests the next page of a stream beside the caller.
func (r *Run) request(ctx context.Context, s *stream) {
	if r.arrived == nil {
		r.arrived = make(chan *stream, len(r.streams))
	}
	r.sent++
	config := r.call.Config
	s.asked = r.order.limit(s)
	query, scan := s.inputs(config.Table, r.plan, s.asked)
	s.requested = true
	ctx, s.running = context.WithCancel(ctx)
	go func() {
		s.page = config.Page(ctx, query, scan)
		r.arrived <- s
	}()
}

// running returns the number of running requests.
func (r *Run) running() (n int) {
	for _, s := range r.streams {
		if s.running != nil {
			n++
		}
	}
	return n
}

// arrival returns the next stream whose running request has ended, or nil if no request is running.
func (r *Run) arrival() *stream {
	if r.running() == 0 {
		return nil
	}
	s := <-r.arrived
	s.running()
	s.running = nil
	return s
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

// groupOf returns the number of a stream's group.
func (r *Run) groupOf(s *stream) int { return s.index / r.plan.Shards }

// isNear reports whether a stream is of a group that is read at the same time as the first one.
func (r *Run) isNear(s *stream) bool { return r.groupOf(s)-r.groupOf(r.streams[0]) < max(1, r.AtOnce) }
