package fault

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Late keeps requests that are applied after their time. The zero value keeps none. All methods may be called at once.
type Late struct {
	n    atomic.Int64
	mu   sync.Mutex
	held []Held
}

// Held is a request that was not applied when it came.
type Held struct {
	Call  Call
	When  Lateness  // when it is applied; [OnTime] is at a time,
	At    time.Time // which is this
	Apply func()

	retried bool
}

// Call tells requests apart.
type Call struct {
	Operation string
	Body      string
	Writes    []string // the items that it writes
}

// Hold keeps a request.
func (l *Late) Hold(h Held) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = append(l.held, h)
	l.n.Store(int64(len(l.held)))
}

// Any tells whether requests are kept.
func (l *Late) Any() bool { return l.n.Load() > 0 }

// Served takes note that a request was served, with or without success, and returns what is to be applied for that.
func (l *Late) Served(c *Call, ok bool) []Held {
	return l.take(func(h *Held) bool {
		switch {
		case h.When == OnTime:
			return false
		case h.Call.isRetriedBy(c):
			h.retried = true
			return h.When == AfterRetry
		default:
			return h.When == AfterOtherWriter && h.retried && ok && h.Call.isOverwrittenBy(c)
		}
	})
}

// Due returns what is to be applied at that time or before, in the order of the times.
func (l *Late) Due(now time.Time) []Held {
	due := l.take(func(h *Held) bool { return h.When == OnTime && !h.At.After(now) })
	slices.SortStableFunc(due, func(a, b Held) int { return a.At.Compare(b.At) })
	return due
}

// All returns whatever is kept.
func (l *Late) All() []Held { return l.take(func(*Held) bool { return true }) }

func (l *Late) take(ready func(*Held) bool) []Held {
	if !l.Any() {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var taken, kept []Held
	for _, h := range l.held {
		if ready(&h) {
			taken = append(taken, h)
		} else {
			kept = append(kept, h)
		}
	}
	l.held = kept
	l.n.Store(int64(len(kept)))
	return taken
}

// isRetriedBy tells whether the other request is the same once more, whoever sends it: a client's next attempt, or a caller's.
func (c *Call) isRetriedBy(other *Call) bool {
	return c.Operation == other.Operation && c.Body == other.Body
}

// isOverwrittenBy tells whether another request wrote to an item of this one.
func (c *Call) isOverwrittenBy(other *Call) bool {
	return slices.ContainsFunc(other.Writes, func(item string) bool { return slices.Contains(c.Writes, item) })
}
