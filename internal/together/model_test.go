package together_test

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/trestledb/trestle"
)

// row is an item in the model.
type row struct {
	kind, tenant, id string
	text             map[string]string // without absent ones
	points, members  int64
	version          int64
	created, updated time.Time
	expires          int64 // 0: never
}

// key identifies an item.
type key struct{ kind, tenant, id string }

func (r row) key() key { return key{r.kind, r.tenant, r.id} }

func (r row) clone() row {
	r.text = maps.Clone(r.text)
	return r
}

// verb is what a call does.
type verb string

const (
	create    verb = "create"
	put       verb = "put"
	overwrite verb = "overwrite"
	update    verb = "update"
	upsert    verb = "upsert"
	remove    verb = "delete"
	check     verb = "check"
)

// change is a change of an update: a text, which is removed if it is empty, or a number.
type change struct {
	field, text string
	number      int64
	add         bool
}

// cond is a condition: points are at least a number, or a text is equal, or absent if it is empty.
type cond struct {
	field, text string
	number      int64
}

// store is the state of the model: the items, also expired ones that are not deleted yet.
type store map[key]row

// live returns an item that has not expired.
func (s store) live(k key, now int64) (row, bool) {
	r, ok := s[k]
	return r, ok && (r.expires == 0 || r.expires > now)
}

func (s store) clone() store { return maps.Clone(s) }

// effect is what one call of an operation does.
type effect struct {
	call     call
	old, new *row    // nil: no item
	reasons  []error // why it fails
	possible []error // why it can fail if another call of the transaction does
}

// plan returns the effect of a call on its own item.
func (s store) plan(c call, now time.Time) effect {
	e := effect{call: c}
	if old, ok := s.live(c.row.key(), now.Unix()); ok {
		e.old = &old
	}
	k := kinds[c.row.kind]
	for _, d := range c.conds {
		if !d.holds(e.old) {
			e.reasons = append(e.reasons, trestle.ErrCondition)
		}
	}
	switch c.verb {
	case create:
		if e.old != nil {
			e.reasons = append(e.reasons, trestle.ErrExists)
		}
		e.new = c.stored(now)
		e.new.version, e.new.members = 1, 0
	case put, overwrite:
		e.new = c.stored(now)
		e.new.version = 1
		if e.old != nil {
			e.new.version = e.old.version + 1
			if k.versioned && e.old.members != c.row.members {
				e.reasons = append(e.reasons, trestle.ErrStale)
			}
		}
		if c.verb == put && k.versioned && c.row.version != e.oldVersion() {
			e.reasons = append(e.reasons, trestle.ErrStale)
		}
	case update, upsert:
		switch {
		case e.old != nil:
			r := e.old.clone()
			e.new = &r
		case c.verb == update:
			e.reasons = append(e.reasons, trestle.ErrNotFound)
			return e
		case c.row.version > 0:
			e.reasons = append(e.reasons, trestle.ErrStale)
			return e
		default:
			e.new = &row{kind: c.row.kind, tenant: c.row.tenant, id: c.row.id, text: map[string]string{}, created: now}
			if k.lifetime > 0 {
				e.new.expires = now.Unix() + k.lifetime
			}
		}
		if e.old != nil && c.row.version > 0 && c.row.version != e.old.version {
			e.reasons = append(e.reasons, trestle.ErrStale)
		}
		e.change(c, now)
	case remove:
		if e.old == nil && (c.row.version > 0 || len(c.conds) > 0) {
			e.reasons = append(e.reasons, trestle.ErrNotFound)
		}
		e.checkVersion(c)
	case check:
		if e.old == nil {
			e.reasons = append(e.reasons, trestle.ErrNotFound)
		}
		e.checkVersion(c)
		e.new = e.old
	}
	if k := kinds[c.row.kind]; e.new != nil && !k.versioned {
		e.new.version, e.new.created, e.new.updated, e.new.members = 0, time.Time{}, time.Time{}, 0
	}
	return e
}

func (e *effect) oldVersion() int64 {
	if e.old == nil {
		return 0
	}
	return e.old.version
}

func (e *effect) checkVersion(c call) {
	if e.old != nil && c.row.version > 0 && c.row.version != e.old.version {
		e.reasons = append(e.reasons, trestle.ErrStale)
	}
}

// stored returns the item that a put stores, apart from its version.
func (c call) stored(now time.Time) *row {
	r := c.row.clone()
	if r.created.IsZero() {
		r.created = now
	}
	r.updated = now
	if k := kinds[r.kind]; r.expires == 0 && k.lifetime > 0 {
		r.expires = now.Unix() + k.lifetime
	}
	return &r
}

// change applies the changes of an update to the new item.
func (e *effect) change(c call, now time.Time) {
	for _, d := range c.changes {
		switch {
		case d.field == "points" && d.add:
			e.new.points += d.number
		case d.field == "points":
			e.new.points = d.number
		case d.field == "expires":
			e.new.expires = d.number
		case d.text == "":
			delete(e.new.text, d.field)
		default:
			e.new.text[d.field] = d.text
		}
	}
	e.new.version++
	e.new.updated = now
}

// holds evaluates a condition. An absent attribute meets no comparison.
func (d cond) holds(r *row) bool {
	switch {
	case r == nil:
		return d.field != "points" && d.text == ""
	case d.field == "points":
		return r.points >= d.number
	default:
		return r.text[d.field] == d.text
	}
}

// apply returns the state after the calls of one transaction, or the reasons for which each fails.
// It returns false if the order of the calls would matter.
func (s store) apply(calls []call, now time.Time) (after store, effects []effect, defined bool) {
	after = s.clone()
	changed := map[key]bool{}
	for _, c := range calls {
		e := s.plan(c, now)
		if changed[c.row.key()] {
			return nil, nil, false
		}
		changed[c.row.key()] = true
		effects = append(effects, e)
		switch {
		case e.new == nil && (e.old != nil || c.verb == remove):
			delete(after, c.row.key())
		case e.new != nil && c.verb != check:
			after[c.row.key()] = *e.new
		}
	}
	return after, effects, s.count(after, effects, now) && after.claim(s, effects, now)
}

// count changes the counts of teams. The version of a team increases with its count, unless its own
// call increases it.
func (s store) count(after store, effects []effect, now time.Time) bool {
	if meets(effects) {
		return false
	}
	for of, by := range deltas(effects) {
		sum := int64(0)
		for _, n := range by {
			sum += n
		}
		team, alive := s.live(of, now.Unix())
		switch {
		case !alive:
			addReason(effects, by, 1, trestle.ErrNotFound)
		case team.members+sum < 0:
			addReason(effects, by, -1, trestle.ErrCondition)
		case sum != 0:
			r := after[of]
			r.members += sum
			if !slices.ContainsFunc(effects, func(e effect) bool { return e.call.row.key() == of && e.call.verb == update }) {
				r.version++
			}
			after[of] = r
		}
	}
	return true
}

// deltas returns how much each call changes the count of each team.
func deltas(effects []effect) map[key]map[int]int64 {
	teams := map[key]map[int]int64{}
	add := func(r *row, i int, n int64) {
		if r == nil || r.text["team"] == "" {
			return
		}
		of := key{"team", r.tenant, r.text["team"]}
		if teams[of] == nil {
			teams[of] = map[int]int64{}
		}
		teams[of][i] += n
	}
	for i, e := range effects {
		stays := e.old != nil && e.new != nil && e.old.text["team"] == e.new.text["team"]
		if e.call.row.kind == "member" && !stays {
			add(e.old, i, -1)
			add(e.new, i, 1)
		}
	}
	return teams
}

// addReason adds a reason to the calls that change a count in a direction.
func addReason(effects []effect, by map[int]int64, sign int64, reason error) {
	for i, n := range by {
		if n*sign > 0 {
			effects[i].reasons = append(effects[i].reasons, reason)
		}
	}
}

// meets reports whether a transaction stores or deletes a team and writes a member of it. Such
// transactions have rules of their own.
func meets(effects []effect) bool {
	for _, e := range effects {
		if e.call.row.kind != "team" || e.call.verb == update || e.call.verb == check {
			continue
		}
		for _, m := range effects {
			if m.call.row.kind == "member" && (m.old != nil && m.old.text["team"] == e.call.row.id || m.new != nil && m.new.text["team"] == e.call.row.id) {
				return true
			}
		}
	}
	return false
}

// claim checks the unique values of new items.
func (s store) claim(before store, effects []effect, now time.Time) bool {
	claimed := map[[3]string]int{}
	for i := range effects {
		e := &effects[i]
		if e.new == nil || e.call.verb == check {
			continue
		}
		value := kinds[e.new.kind].unique(*e.new)
		if value == "" {
			continue
		}
		id := [3]string{e.new.kind, e.new.tenant, value}
		if _, twice := claimed[id]; twice {
			return false
		}
		claimed[id] = i
		if e.old != nil && kinds[e.old.kind].unique(*e.old) == value {
			continue // it has the guard
		}
		for k := range before {
			other, alive := before.live(k, now.Unix())
			if !alive || k == e.new.key() || k.kind != e.new.kind || k.tenant != e.new.tenant || kinds[k.kind].unique(other) != value {
				continue
			}
			if kept, still := s[k]; still && kinds[k.kind].unique(kept) == value {
				e.reasons = append(e.reasons, trestle.ErrTaken)
			} else { // another call of the transaction releases it, if it does not fail
				e.possible = append(e.possible, trestle.ErrTaken)
			}
		}
	}
	return true
}

// among reports whether an error is one of some reasons.
func among(err error, reasons []error) bool {
	for _, r := range reasons {
		if errors.Is(err, r) {
			return true
		}
	}
	return false
}
