package tx_test

import (
	"errors"
	"maps"

	"github.com/trestledb/trestle"
)

// expirable is an item of the random test of transactions with expired items: of any kind.
type expirable struct {
	ID, Code, Room, Hall string
	N                    int
	Guests               int
	Version, Expires     int64
}

// expirableKind is what a type of that test has.
type expirableKind struct {
	name                                  string
	ttl, version, unique, counts, counted bool
}

// expirableCall is an operation of that test.
type expirableCall struct {
	kind, verb string
	id         string    // of the item
	e          expirable // of a put; of the example: its version
	to         string    // of a move: the new ID
	cond       *int      // the item must have this N
	n          *int      // what an update changes
	code       *string
	room, hall *string
	expires    *int64
}

func (c *expirableCall) keys() []string {
	if c.verb == "move" {
		return []string{c.kind + c.id, c.kind + c.to}
	}
	return []string{c.kind + c.id}
}

// expirableModel is the state of a table without its expired items.
type expirableModel struct {
	kinds map[string]expirableKind
	items map[string]expirable // by kind and ID
	now   int64
}

func (m *expirableModel) clone() *expirableModel {
	return &expirableModel{m.kinds, maps.Clone(m.items), m.now}
}

// expire drops the items that have expired.
func (m *expirableModel) expire() {
	maps.DeleteFunc(m.items, func(_ string, e expirable) bool { return e.Expires != 0 && e.Expires <= m.now })
}

// counting returns the keys of the room and the hall that count an item, or "".
func (m *expirableModel) counting(c *expirableCall, e *expirable) (keys [2]string) {
	if e == nil || !m.kinds[c.kind].counted {
		return keys
	}
	if e.Room != "" {
		keys[0] = "room" + e.Room
	}
	if e.Hall != "" {
		keys[1] = "hall" + e.Hall
	}
	return keys
}

// find returns an item, or nil.
func (m *expirableModel) find(key string) *expirable {
	if e, ok := m.items[key]; ok {
		return &e
	}
	return nil
}

// failings are the sentinel errors that each operation may fail with. An operation whose own
// conditions hold can fail because of several other items.
type failings map[int][]error

// apply applies a transaction, or a single operation, if no operation fails. It returns false for a
// transaction that the library refuses before it sends it.
func (m *expirableModel) apply(calls []expirableCall) (failed failings, valid bool) {
	failed = failings{}
	before, after := make([]*expirable, len(calls)), make([]*expirable, len(calls))
	written := map[string]int{} // the operation on an item, by its key
	for i := range calls {
		for _, key := range calls[i].keys() {
			if _, twice := written[key]; twice {
				return nil, false
			}
			written[key] = i
		}
		before[i] = m.find(calls[i].kind + calls[i].id)
		var err error
		if after[i], err = m.own(&calls[i], before[i]); err != nil {
			failed[i] = []error{err}
		}
	}
	own := maps.Clone(failed)
	if !m.claim(calls, after, written, failed) {
		return nil, false
	}
	counts, valid := m.count(calls, before, after, written, failed)
	maps.Copy(failed, own)
	if !valid || len(failed) > 0 {
		return failed, valid
	}
	for i := range calls {
		c := &calls[i]
		delete(m.items, c.kind+c.id)
		if after[i] != nil {
			m.items[c.kind+after[i].ID] = *after[i]
		}
	}
	for key, n := range counts {
		e, exists := m.items[key]
		if !exists || n == 0 {
			continue
		}
		e.Guests = max(0, e.Guests+n)
		i, own := written[key]
		if changes := own && calls[i].verb != "check"; m.kinds[key[:4]].version && !changes {
			e.Version++
		}
		m.items[key] = e
	}
	m.expire()
	return failed, true
}

// own returns the item after an operation, apart from counts, and the error of its own conditions.
// An operation that fails still gives its unique value up.
func (m *expirableModel) own(c *expirableCall, before *expirable) (after *expirable, err error) {
	k := m.kinds[c.kind]
	checks := k.version && c.e.Version != 0
	version, guests, none := int64(0), 0, expirable{ID: c.id}
	if before != nil {
		version, guests, none = before.Version, before.Guests, *before
	}
	after = &none
	switch c.verb {
	case "create", "put", "overwrite":
		e := c.e
		e.ID, e.Version, after = c.id, version+1, &e
	case "move":
		e := c.e
		e.ID, e.Version, after = c.to, c.e.Version+1, &e
	case "delete":
		after = nil
	case "update", "upsert":
		m.change(c, after)
		after.Version++
	}
	if after != nil && !k.version {
		after.Version = 0
	}
	needs := c.verb == "update" || c.verb == "check" || c.verb == "move" || c.verb == "delete" && (checks || c.cond != nil)
	switch {
	case c.verb == "create" && before != nil:
		return after, trestle.ErrExists
	case c.verb == "create":
		after.Guests = 0
		return after, nil
	case needs && before == nil:
		return after, trestle.ErrNotFound
	case c.verb == "move" && m.find(c.kind+c.to) != nil:
		return after, trestle.ErrExists
	case c.verb == "put" && k.version && c.e.Version != version,
		checks && c.verb != "put" && c.verb != "overwrite" && c.e.Version != version,
		k.counts && (c.verb == "put" || c.verb == "overwrite") && c.e.Guests != guests:
		return after, trestle.ErrStale
	case c.cond != nil && (before == nil || before.N != *c.cond):
		return after, trestle.ErrCondition
	default:
		return after, nil
	}
}

// change applies the changes of an update.
func (m *expirableModel) change(c *expirableCall, e *expirable) {
	for _, s := range []struct{ from, to *string }{{c.code, &e.Code}, {c.room, &e.Room}, {c.hall, &e.Hall}} {
		if s.from != nil {
			*s.to = *s.from
		}
	}
	if c.n != nil {
		e.N = *c.n
	}
	if c.expires != nil {
		e.Expires = *c.expires
	}
}

// claim adds the operations whose unique value another item has. It returns false if two of them
// store the same value.
func (m *expirableModel) claim(calls []expirableCall, after []*expirable, written map[string]int, failed failings) bool {
	claimed := map[string]bool{}
	for i := range calls {
		c := &calls[i]
		if after[i] == nil || after[i].Code == "" || !m.kinds[c.kind].unique {
			continue
		}
		if claimed[c.kind+after[i].Code] {
			return false
		}
		claimed[c.kind+after[i].Code] = true
		for key, e := range m.items {
			by, changes := written[key]
			// A create, and a move to it, do not read the item. They fail.
			gives := changes && calls[by].verb != "create" && key == calls[by].kind+calls[by].id &&
				(by == i || after[by] == nil || after[by].Code != e.Code)
			if key[:len(key)-1] == c.kind && e.Code == after[i].Code && !gives && failed[i] == nil {
				failed[i] = []error{trestle.ErrTaken}
			}
		}
	}
	return true
}

// count returns the changes of counts, by the key of the counting item. It adds the operations that
// fail because of them.
func (m *expirableModel) count(
	calls []expirableCall, before, after []*expirable, written map[string]int, failed failings,
) (counts map[string]int, valid bool) {
	counts = map[string]int{}
	more, fewer := map[string][]int{}, map[string][]int{}
	var order []string // of the counting items in the transaction
	for i := range calls {
		c := &calls[i]
		if c.verb == "check" {
			continue
		}
		was, is := m.counting(c, before[i]), m.counting(c, after[i])
		if c.verb == "create" { // it does not read the item
			was = [2]string{}
		}
		for n := range was {
			if was[n] == is[n] {
				continue
			}
			if was[n] != "" {
				order, fewer[was[n]] = append(order, was[n]), append(fewer[was[n]], i)
			}
			if is[n] != "" {
				order, more[is[n]] = append(order, is[n]), append(more[is[n]], i)
			}
		}
	}
	fail := func(list []int, err error) {
		for _, i := range list {
			failed[i] = append(failed[i], err)
		}
	}
	for _, key := range order {
		stored := m.find(key)
		by, own := written[key]
		verb := ""
		if own {
			verb = calls[by].verb
		}
		n := len(more[key]) - len(fewer[key])
		if stored == nil {
			n = len(more[key])
		}
		counts[key] = n
		switch {
		case verb == "delete" && len(more[key]) > 0:
			return nil, false
		case verb == "delete":
		case own && len(failed[by]) > 0: // its action fails, and has the counts
			if errors.Is(failed[by][0], trestle.ErrNotFound) {
				fail(more[key], trestle.ErrNotFound)
			}
		case own && stored == nil: // it is created
		case stored == nil:
			fail(more[key], trestle.ErrNotFound)
		case n < 0 && stored.Guests < -n:
			fail(fewer[key], trestle.ErrCondition)
		}
	}
	return counts, true
}
