package store

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TTL is a table's setting for expired items.
type TTL struct {
	Attribute string // "" where it is off
	ChangedAt time.Time
}

// longPast is the age from which on an expiry is taken for a mistake: the service does not delete items that expired more than five years ago.
const longPast = 5 * 365 * 24 * time.Hour

// expiresAt is the second since 1970 at which an item expires; ok is false for one that does not.
func (t *Table) expiresAt(item value.Map) (seconds int64, ok bool) {
	if t.TTL.Attribute == "" || item == nil {
		return 0, false
	}
	n, ok := item.Get(t.TTL.Attribute).(value.Number)
	if !ok {
		return 0, false
	}
	seconds, ok = n.Int64()
	if !ok { // a fraction, which does not matter, or a time that never comes
		whole, _, _ := strings.Cut(n.String(), ".")
		parsed, err := strconv.ParseInt(whole, 10, 64)
		seconds, ok = parsed, err == nil
	}
	return seconds, ok && seconds > 0
}

// expiryPlace orders an item by the time of its expiry.
func (t *Table) expiryPlace(place string, item value.Map) (string, bool) {
	seconds, ok := t.expiresAt(item)
	if !ok {
		return "", false
	}
	return expiryKey(seconds) + place, true
}

// expiryKey begins the places of all items that expire in that second.
func expiryKey(seconds int64) string {
	return string(binary.BigEndian.AppendUint64(make([]byte, 0, expirySize), uint64(max(seconds, 0))))
}

const expirySize = 8

// replaceExpiry moves an item in the order of expiry, from its old state to its new one; nil is no item. One that expired too long ago when it was
// written is kept, and has no place there.
func (s *State) replaceExpiry(t *Table, place string, old, item value.Map) {
	if before, was := t.expiryPlace(place, old); was {
		t.expiry.Delete(before)
	}
	if seconds, is := t.expiresAt(item); is && seconds >= s.Now.Add(-longPast).Unix() {
		t.expiry.Set(expiryKey(seconds)+place, struct{}{})
		s.due.expires(seconds)
	}
}

// SetTTL turns deletion on for an attribute, or off with "".
func (s *State) SetTTL(t *Table, attribute string) {
	t.TTL = TTL{Attribute: attribute, ChangedAt: s.Now}
	t.expiry.Clear()
	for place, item := range t.items.From("") {
		s.replaceExpiry(t, place, nil, item)
	}
}

// expired returns the items whose time came longer ago than the delay.
func (t *Table) expired(now time.Time, delay time.Duration) []value.Map {
	var items []value.Map
	end := expiryKey(now.Add(-delay).Unix() + 1)
	for place := range t.expiry.From("") {
		if place >= end {
			break
		}
		item, _ := t.items.Get(place[expirySize:])
		items = append(items, item)
	}
	return items
}

// nextExpiry is the time of the first of the items that [Table.expired] leaves for later.
func (t *Table) nextExpiry(now time.Time, delay time.Duration) (seconds int64, ok bool) {
	for place := range t.expiry.From(expiryKey(now.Add(-delay).Unix() + 1)) {
		return int64(binary.BigEndian.Uint64([]byte(place[:expirySize]))), true
	}
	return 0, false
}
