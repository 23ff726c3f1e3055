package fault

import (
	"container/list"
	"slices"
)

// add adds a request to the index of what it waits for. The caller holds the lock, as for all
// functions of this file.
func (l *HeldRequests) add(h *Held) {
	if l.all == nil {
		l.all, l.bySender, l.byContent, l.byItem = heldSet{}, map[string]heldSet{}, map[string]*list.List{}, map[string]heldSet{}
	}
	l.all[h] = struct{}{}
	l.count.Store(int64(len(l.all)))
	if h.Delivery != OnTime {
		l.addToSender(h)
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

// addToSender adds a request to those that wait for a retry.
func (l *HeldRequests) addToSender(h *Held) {
	sender, same := h.Call.sender(), h.Call.operationAndContent()
	addHeld(l.bySender, sender, h)
	if l.byContent[same] == nil {
		l.byContent[same] = list.New()
	}
	h.inContent = l.byContent[same].PushBack(h)
}

// removeFromSender removes a request from those that wait for a retry.
func (l *HeldRequests) removeFromSender(h *Held) {
	if h.inContent == nil {
		return
	}
	sender, same := h.Call.sender(), h.Call.operationAndContent()
	removeHeld(l.bySender, sender, h)
	if l.byContent[same].Remove(h.inContent); l.byContent[same].Len() == 0 {
		delete(l.byContent, same)
	}
	h.inContent = nil
}

// addToItems adds a request to those that wait for another writer.
func (l *HeldRequests) addToItems(h *Held) {
	for _, item := range h.Call.Items {
		addHeld(l.byItem, item, h)
	}
}

func addHeld(index map[string]heldSet, key string, h *Held) {
	if index[key] == nil {
		index[key] = heldSet{}
	}
	index[key][h] = struct{}{}
}

func removeHeld(index map[string]heldSet, key string, h *Held) {
	if delete(index[key], h); len(index[key]) == 0 {
		delete(index, key)
	}
}

// take removes and returns requests.
func (l *HeldRequests) take(held []*Held) []Held {
	taken := make([]Held, len(held))
	for i, h := range held {
		taken[i] = *h
		l.removeFromSender(h)
		for _, item := range h.Call.Items {
			removeHeld(l.byItem, item, h)
		}
		delete(l.all, h)
	}
	l.count.Store(int64(len(l.all)))
	return taken
}
