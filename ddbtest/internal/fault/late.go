package fault

import (
	"cmp"
	"container/list"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Late holds requests that are applied late. The zero value is empty. All methods are safe for
// concurrent use. The cost of a request does not grow with the number of held requests.
type Late struct {
	n    atomic.Int64
	mu   sync.Mutex
	seq  uint64
	all  heldSet
	due  []*Held               // requests with a time, the earliest first
	sent map[string]heldSet    // requests that wait for a retry, by sender
	same map[string]*list.List // the same requests by content, the oldest first
	over map[string]heldSet    // requests that wait for another writer, by item
}

type heldSet map[*Held]struct{}

// Held is a request that was not applied when it arrived.
type Held struct {
	Call  Call
	When  Lateness // when it is applied; [OnTime] means at the time At
	At    time.Time
	Info  any // returned by [Late.Kept]
	Apply func()

	seq     uint64
	place   *list.Element // in the list of requests with the same content
	retrier string        // the invocation that was taken for the retry
}

// Call distinguishes requests.
type Call struct {
	Operation string
	Content   string // equal for requests with the same content
	// Invocation is the client's ID of the call, the same for all its attempts. It is "" if the
	// client sends none.
	Invocation string
	Items      []string // the items that it writes
}

// Hold adds a request.
func (l *Late) Hold(h Held) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	h.seq = l.seq
	l.keep(&h)
}

// Any reports whether requests are held.
func (l *Late) Any() bool { return l.n.Load() > 0 }

// Served records that a request was served, with or without success, and returns the requests to
// apply now.
func (l *Late) Served(c *Call, ok bool) []Held {
	if !l.Any() {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	ready := heldSet{}
	if ok {
		l.overwritten(c, ready)
	}
	for _, h := range l.retried(c).inOrder() {
		if l.unlist(h); h.When == AfterRetry {
			ready[h] = struct{}{}
			continue
		}
		h.retrier = c.Invocation
		l.await(h)
	}
	return l.take(ready.inOrder())
}

// Due returns the requests that are due at now, ordered by time, and removes them.
func (l *Late) Due(now time.Time) []Held {
	if !l.Any() {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n, _ := slices.BinarySearchFunc(l.due, now, func(h *Held, now time.Time) int {
		if h.At.After(now) {
			return 1
		}
		return -1
	})
	taken := make([]Held, n)
	for i, h := range l.due[:n] {
		taken[i] = *h
		delete(l.all, h)
	}
	l.due = slices.Delete(l.due, 0, n)
	l.n.Store(int64(len(l.all)))
	return taken
}

// All returns all held requests in the order of their arrival, and removes them.
func (l *Late) All() []Held {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = nil
	return l.take(l.all.inOrder())
}

// Kept returns the Info of all held requests in the order of their arrival.
func (l *Late) Kept() []any {
	l.mu.Lock()
	defer l.mu.Unlock()
	infos := make([]any, 0, len(l.all))
	for _, h := range l.all.inOrder() {
		infos = append(infos, h.Info)
	}
	return infos
}

// retried returns the held requests of the same sender. If there are none, it takes the oldest held
// request with the same content, and returns all requests of its sender.
func (l *Late) retried(c *Call) heldSet {
	if own := l.sent[c.sender()]; own != nil {
		return own
	}
	if same := l.same[c.sameAs()]; same != nil {
		return l.sent[same.Front().Value.(*Held).Call.sender()]
	}
	return nil
}

// overwritten adds the held requests that share an item with the call of another writer.
func (l *Late) overwritten(c *Call, found heldSet) {
	for _, item := range c.Items {
		for h := range l.over[item] {
			if !h.isOf(c) {
				found[h] = struct{}{}
			}
		}
	}
}

// isOf reports whether c is another attempt of the held request.
func (h *Held) isOf(c *Call) bool {
	if c.Invocation == "" {
		return h.Call.Invocation == "" && h.Call.sameAs() == c.sameAs()
	}
	return c.Invocation == h.Call.Invocation || c.Invocation == h.retrier
}

// sameAs is equal for requests with the same operation and content.
func (c *Call) sameAs() string { return c.Operation + "\x00" + c.Content }

// sender is equal for the attempts of one call. Requests without an invocation ID have the same
// sender if they have the same content.
func (c *Call) sender() string {
	if c.Invocation == "" {
		return c.sameAs()
	}
	return c.Invocation
}

// inOrder returns the requests in the order of their arrival.
func (s heldSet) inOrder() []*Held {
	return slices.SortedFunc(maps.Keys(s), func(a, b *Held) int { return cmp.Compare(a.seq, b.seq) })
}
