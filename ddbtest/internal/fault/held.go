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

// HeldRequests holds requests that are applied late. The zero value is empty. All methods are safe
// for concurrent use. The cost of a request does not grow with the number of held requests.
type HeldRequests struct {
	count     atomic.Int64
	mu        sync.Mutex
	seq       uint64
	all       heldSet
	due       []*Held               // requests with a time, the earliest first
	bySender  map[string]heldSet    // requests that wait for a retry, by sender
	byContent map[string]*list.List // the same requests by content, the oldest first
	byItem    map[string]heldSet    // requests that wait for another writer, by item
}

type heldSet map[*Held]struct{}

// Held is a request that was not applied when it arrived.
type Held struct {
	Call     Call
	Delivery Delivery // when it is applied; [OnTime] means at the time At
	At       time.Time
	Info     any // returned by [HeldRequests.Infos]
	Apply    func()

	seq       uint64
	inContent *list.Element // in the list of requests with the same content
	retryID   string        // the invocation that was taken for the retry
}

// Hold adds a request.
func (l *HeldRequests) Hold(h Held) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	h.seq = l.seq
	l.add(&h)
}

// Any reports whether requests are held.
func (l *HeldRequests) Any() bool { return l.count.Load() > 0 }

// Served records that a request was served, with or without success, and returns the requests to
// apply now.
func (l *HeldRequests) Served(c *Call, ok bool) []Held {
	if !l.Any() {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	ready := heldSet{}
	if ok {
		l.addOverwritten(c, ready)
	}
	for _, h := range l.ofRetry(c).inOrder() {
		if l.removeFromSender(h); h.Delivery == AfterRetry {
			ready[h] = struct{}{}
			continue
		}
		h.retryID = c.InvocationID
		l.addToItems(h)
	}
	return l.take(ready.inOrder())
}

// Due returns the requests that are due at now, ordered by time, and removes them.
func (l *HeldRequests) Due(now time.Time) []Held {
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
	l.count.Store(int64(len(l.all)))
	return taken
}

// All returns all held requests in the order of their arrival, and removes them.
func (l *HeldRequests) All() []Held {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = nil
	return l.take(l.all.inOrder())
}

// Infos returns the Info of all held requests in the order of their arrival.
func (l *HeldRequests) Infos() []any {
	l.mu.Lock()
	defer l.mu.Unlock()
	infos := make([]any, 0, len(l.all))
	for _, h := range l.all.inOrder() {
		infos = append(infos, h.Info)
	}
	return infos
}

// ofRetry returns the held requests of the same sender. If there are none, it takes the oldest held
// request with the same content, and returns all requests of its sender.
func (l *HeldRequests) ofRetry(c *Call) heldSet {
	if own := l.bySender[c.sender()]; own != nil {
		return own
	}
	if same := l.byContent[c.operationAndContent()]; same != nil {
		return l.bySender[same.Front().Value.(*Held).Call.sender()]
	}
	return nil
}

// addOverwritten adds the held requests that share an item with the call of another writer.
func (l *HeldRequests) addOverwritten(c *Call, found heldSet) {
	for _, item := range c.Items {
		for h := range l.byItem[item] {
			if !h.isOf(c) {
				found[h] = struct{}{}
			}
		}
	}
}

// isOf reports whether c is another attempt of the held request.
func (h *Held) isOf(c *Call) bool {
	if c.InvocationID == "" {
		return h.Call.InvocationID == "" && h.Call.operationAndContent() == c.operationAndContent()
	}
	return c.InvocationID == h.Call.InvocationID || c.InvocationID == h.retryID
}

// inOrder returns the requests in the order of their arrival.
func (s heldSet) inOrder() []*Held {
	return slices.SortedFunc(maps.Keys(s), func(a, b *Held) int { return cmp.Compare(a.seq, b.seq) })
}
