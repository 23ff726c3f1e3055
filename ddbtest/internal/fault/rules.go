package fault

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Rules are the rules of a database, in the order in which they were added. The zero value has none. All methods may be called at once.
type Rules struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*Rule] // replaced, never changed in place
}

// Any tells whether there are rules at all.
func (rs *Rules) Any() bool { return rs.list.Load() != nil }

// ByKey tells whether there are rules that speak of keys.
func (rs *Rules) ByKey() bool {
	list := rs.list.Load()
	return list != nil && slices.ContainsFunc(*list, func(r *Rule) bool { return r.spec.Key != nil })
}

// Add adds a rule behind the others. One that is wrong is not added.
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

// Plan asks the rules about a request: all of them, up to the first that settles how the request ends.
func (rs *Rules) Plan(request *Request) Plan {
	var p Plan
	if list := rs.list.Load(); list != nil {
		for _, r := range *list {
			if r.meet(&p, request) {
				break
			}
		}
	}
	return p
}
