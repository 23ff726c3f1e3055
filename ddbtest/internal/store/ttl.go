package store

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TTL is the time-to-live setting of a table.
type TTL struct {
	Attribute string // "" if disabled
	ChangedAt time.Time
}

// longPast is the age beyond which an expiry time is ignored: the service does not delete items
// that expired more than five years ago.
const longPast = 5 * 365 * 24 * time.Hour

// expiresAt returns the expiry time of an item in seconds since 1970. ok is false if it does not
// expire.
func (t *Table) expiresAt(item value.Map) (seconds int64, ok bool) {
	if t.TTL.Attribute == "" || item == nil {
		return 0, false
	}
	n, ok := item.Get(t.TTL.Attribute).(value.Number)
	if !ok {
		return 0, false
	}
	seconds, ok = n.Int64()
	// A fraction is truncated. A number beyond 64 bits never expires.
	if !ok {
		whole, _, _ := strings.Cut(n.String(), ".")
		parsed, err := strconv.ParseInt(whole, 10, 64)
		seconds, ok = parsed, err == nil
	}
	return seconds, ok && seconds > 0
}

// expiryPlace returns the key of an item in the order of expiry.
func (t *Table) expiryPlace(place string, item value.Map) (string, bool) {
	seconds, ok := t.expiresAt(item)
	if !ok {
		return "", false
	}
	return expiryKey(seconds) + place, true
}

// expiryKey returns the common prefix of the keys of all items that expire in that second.
func expiryKey(seconds int64) string {
	return string(binary.BigEndian.AppendUint64(make([]byte, 0, expirySize), uint64(max(seconds, 0))))
}

const expirySize = 8

// replaceExpiry moves an item in the order of expiry, from old to item. nil is no item. An item
// that expired more than [longPast] before it was written is not deleted, and not added.
func (s *State) replaceExpiry(t *Table, place string, old, item value.Map) {
	if before, was := t.expiryPlace(place, old); was {
		t.expiry.Delete(before)
	}
	if seconds, is := t.expiresAt(item); is && seconds >= s.Now.Add(-longPast).Unix() {
		t.expiry.Set(expiryKey(seconds)+place, struct{}{})
		s.due.addExpiry(seconds)
	}
}

// SetTTL enables expiry by an attribute; "" disables it.
func (s *State) SetTTL(t *Table, attribute string) {
	t.TTL = TTL{Attribute: attribute, ChangedAt: s.Now}
	t.expiry.Clear()
	for place, item := range t.items.From("") {
		s.replaceExpiry(t, place, nil, item)
	}
}

// expired returns the items that expired at least the delay ago.
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

// nextExpiry returns the earliest expiry of the items that [Table.expired] does not return.
func (t *Table) nextExpiry(now time.Time, delay time.Duration) (seconds int64, ok bool) {
	for place := range t.expiry.From(expiryKey(now.Add(-delay).Unix() + 1)) {
		return int64(binary.BigEndian.Uint64([]byte(place[:expirySize]))), true
	}
	return 0, false
}
