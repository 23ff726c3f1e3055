package fault

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Rules holds the rules of a database in the order in which they were added. The zero value is
// empty. All methods are safe for concurrent use.
type Rules struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*Rule] // replaced, never modified
}

// Any reports whether there are rules.
func (rs *Rules) Any() bool { return rs.list.Load() != nil }

// HasKeys reports whether a rule has a condition on keys.
func (rs *Rules) HasKeys() bool {
	list := rs.list.Load()
	return list != nil && slices.ContainsFunc(*list, func(r *Rule) bool { return r.spec.Key != nil })
}

// Add appends a rule. It ignores an invalid rule.
func (rs *Rules) Add(r *Rule) {
	if r.err != nil {
		return
	}
	rs.change(func(list []*Rule) []*Rule { return append(list, r) })
}

// Remove removes a rule.
func (rs *Rules) Remove(r *Rule) {
	rs.change(func(list []*Rule) []*Rule {
		return slices.DeleteFunc(list, func(other *Rule) bool { return other == r })
	})
}

// Clear removes all rules.
func (rs *Rules) Clear() { rs.change(func([]*Rule) []*Rule { return nil }) }

func (rs *Rules) change(f func(list []*Rule) []*Rule) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var list []*Rule
	if now := rs.list.Load(); now != nil {
		list = slices.Clone(*now)
	}
	if list = f(list); len(list) == 0 {
		rs.list.Store(nil)
		return
	}
	rs.list.Store(&list)
}

// Plan evaluates the rules for a request, up to the first rule that determines the reply.
func (rs *Rules) Plan(request *Request) Plan {
	var p Plan
	if list := rs.list.Load(); list != nil {
		for i, r := range *list {
			if r.apply(&p, request) {
				for _, later := range (*list)[i+1:] {
					later.addMiss(request, ofEarlier)
				}
				break
			}
		}
	}
	return p
}
