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

// Late keeps requests that are applied after their time. The zero value keeps none. All methods may be called at once. What a request costs does
// not grow with how many are kept.
type Late struct {
	n    atomic.Int64
	mu   sync.Mutex
	seq  uint64
	all  heldSet
	due  []*Held               // those on time, the earliest first
	sent map[string]heldSet    // those that wait for a retry, by who sent them,
	same map[string]*list.List // and by what they say, the oldest first
	over map[string]heldSet    // those that wait for another writer, by their items
}

type heldSet map[*Held]struct{}

// Held is a request that was not applied when it came.
type Held struct {
	Call  Call
	When  Lateness  // when it is applied; [OnTime] is at a time,
	At    time.Time // which is this
	Info  any       // what [Late.Kept] tells of it
	Apply func()

	seq     uint64
	place   *list.Element // in the list of those that say the same
	retrier string        // whose request was taken for the retry
}

// Call tells requests apart.
type Call struct {
	Operation  string
	Content    string   // equal where requests ask for the same
	Invocation string   // the client's own id of the call, the same in all its attempts; "" where it sends none
	Items      []string // those that it writes
}

// Hold keeps a request.
func (l *Late) Hold(h Held) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	h.seq = l.seq
	l.keep(&h)
}

// Any tells whether requests are kept.
func (l *Late) Any() bool { return l.n.Load() > 0 }

// Served takes note that a request was served, with or without success, and returns what is to be applied for that.
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

// Due returns what is to be applied at that time or before, in the order of the times.
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

// All returns whatever is kept, in the order in which it came.
func (l *Late) All() []Held {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = nil
	return l.take(l.all.inOrder())
}

// Kept tells of all that is kept, in the order in which it came.
func (l *Late) Kept() []any {
	l.mu.Lock()
	defer l.mu.Unlock()
	infos := make([]any, 0, len(l.all))
	for _, h := range l.all.inOrder() {
		infos = append(infos, h.Info)
	}
	return infos
}

// retried are those whose sender has sent them again. Where none of them is that sender's, a caller has asked once more for what the first of
// those that say the same was to do: all attempts of that one.
func (l *Late) retried(c *Call) heldSet {
	if own := l.sent[c.sender()]; own != nil {
		return own
	}
	if same := l.same[c.sameAs()]; same != nil {
		return l.sent[same.Front().Value.(*Held).Call.sender()]
	}
	return nil
}

// overwritten finds those that have an item to which somebody else has written now.
func (l *Late) overwritten(c *Call, found heldSet) {
	for _, item := range c.Items {
		for h := range l.over[item] {
			if !h.isOf(c) {
				found[h] = struct{}{}
			}
		}
	}
}

// isOf tells whether a request is another attempt of this one.
func (h *Held) isOf(c *Call) bool {
	if c.Invocation == "" {
		return h.Call.Invocation == "" && h.Call.sameAs() == c.sameAs()
	}
	return c.Invocation == h.Call.Invocation || c.Invocation == h.retrier
}

// sameAs is equal for requests that ask for the same.
func (c *Call) sameAs() string { return c.Operation + "\x00" + c.Content }

// sender is equal for the attempts of one call. Those of a client that does not tell them apart are all that say the same.
func (c *Call) sender() string {
	if c.Invocation == "" {
		return c.sameAs()
	}
	return c.Invocation
}

// inOrder is the requests in the order in which they came.
func (s heldSet) inOrder() []*Held {
	return slices.SortedFunc(maps.Keys(s), func(a, b *Held) int { return cmp.Compare(a.seq, b.seq) })
}
