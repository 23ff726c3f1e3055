package fault

import (
	"container/list"
	"slices"
)

// keep adds a request to the index of what it waits for. The caller holds the lock, as for all
// functions of this file.
func (l *Late) keep(h *Held) {
	if l.all == nil {
		l.all, l.sent, l.same, l.over = heldSet{}, map[string]heldSet{}, map[string]*list.List{}, map[string]heldSet{}
	}
	l.all[h] = struct{}{}
	l.n.Store(int64(len(l.all)))
	if h.When != OnTime {
		l.list(h)
		return
	}
	at, _ := slices.BinarySearchFunc(l.due, h, func(other, h *Held) int {
		if other.At.After(h.At) {
			return 1
		}
		return -1 // after those with the same time
	})
	l.due = slices.Insert(l.due, at, h)
}

// list adds a request to those that wait for a retry.
func (l *Late) list(h *Held) {
	sender, same := h.Call.sender(), h.Call.sameAs()
	add(l.sent, sender, h)
	if l.same[same] == nil {
		l.same[same] = list.New()
	}
	h.place = l.same[same].PushBack(h)
}

// unlist removes a request from those that wait for a retry.
func (l *Late) unlist(h *Held) {
	if h.place == nil {
		return
	}
	sender, same := h.Call.sender(), h.Call.sameAs()
	remove(l.sent, sender, h)
	if l.same[same].Remove(h.place); l.same[same].Len() == 0 {
		delete(l.same, same)
	}
	h.place = nil
}

// await adds a request to those that wait for another writer.
func (l *Late) await(h *Held) {
	for _, item := range h.Call.Items {
		add(l.over, item, h)
	}
}

func add(index map[string]heldSet, key string, h *Held) {
	if index[key] == nil {
		index[key] = heldSet{}
	}
	index[key][h] = struct{}{}
}

func remove(index map[string]heldSet, key string, h *Held) {
	if delete(index[key], h); len(index[key]) == 0 {
		delete(index, key)
	}
}

// take removes and returns requests.
func (l *Late) take(held []*Held) []Held {
	taken := make([]Held, len(held))
	for i, h := range held {
		taken[i] = *h
		l.unlist(h)
		for _, item := range h.Call.Items {
			remove(l.over, item, h)
		}
		delete(l.all, h)
	}
	l.n.Store(int64(len(l.all)))
	return taken
}
