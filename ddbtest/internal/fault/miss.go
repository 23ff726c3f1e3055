package fault

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// condition is a set of conditions of a rule.
type condition uint8

const (
	ofTime condition = 1 << iota
	ofOperation
	ofSupport // the effects or the conditions are for other operations
	ofTable
	ofIndex
	ofKey
	ofMatch   // a function returned false
	ofEarlier // an earlier rule determined the reply
)

// miss describes requests that did not match a rule.
type miss struct {
	operation, table, index string
	class                   operationSet
	failed                  condition // what did not hold
}

// distance is larger for a request that is less like those that the rule selects.
func (m miss) distance() int {
	distance := 0
	for c := ofTime; c <= ofKey; c <<= 1 {
		if m.failed&c != 0 {
			distance++
		}
	}
	return distance
}

// maxMisses is the most kinds of nearest requests that are counted.
const maxMisses = 8

// misses counts the requests that came nearest to a rule.
type misses struct {
	distance int
	kinds    []miss
	counts   []int
}

// add counts a request. A nearer one replaces all others.
func (ms *misses) add(m miss) {
	d := m.distance()
	if len(ms.kinds) == 0 || d < ms.distance {
		*ms = misses{distance: d}
	}
	if d > ms.distance {
		return
	}
	i := slices.Index(ms.kinds, m)
	if i < 0 && len(ms.kinds) < maxMisses {
		i = len(ms.kinds)
		ms.kinds, ms.counts = append(ms.kinds, m), append(ms.counts, 0)
	}
	if i >= 0 {
		ms.counts[i]++
	}
}

// nearest returns the most frequent kind, or the first of several, and its count.
func (ms *misses) nearest() (m miss, n int) {
	for i, count := range ms.counts {
		if count > n {
			m, n = ms.kinds[i], count
		}
	}
	return m, n
}

// addMiss counts a request that the rule does not match. It does not call functions of the user,
// and assumes that their condition is the one that failed if all others hold. Once the rule acted,
// it does nothing.
func (r *Rule) addMiss(request *Request, last condition) {
	r.mu.Lock()
	acted := r.count.Hits > 0
	r.mu.Unlock()
	if acted {
		return
	}
	m := r.missOf(request)
	if m.failed == 0 {
		m.failed = last
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.misses.add(m)
}

// missOf returns which conditions a request does not meet, for the target that meets most.
func (r *Rule) missOf(request *Request) miss {
	s, m := &r.spec, miss{operation: request.Operation, class: request.class()}
	if s.ended(request) {
		m.failed |= ofTime
	}
	switch {
	case !s.hasOperation(request):
		m.failed |= ofOperation
	case request.class()&r.on == 0:
		m.failed |= ofSupport
	}
	best := s.targetMiss(request, new(engine.Target))
	for i := range request.Targets {
		if of := s.targetMiss(request, &request.Targets[i]); i == 0 || of.distance() < best.distance() {
			best = of
		}
	}
	m.table, m.index = best.table, best.index
	m.failed |= best.failed
	return m
}

// targetMiss returns which conditions a target does not meet.
func (s *Spec) targetMiss(r *Request, t *engine.Target) miss {
	m := miss{table: t.Table, index: t.Index}
	if s.Table != "" && s.Table != t.Table {
		m.failed |= ofTable
	}
	if s.Index != "" && !s.onIndex(r, t) {
		m.failed |= ofIndex
	}
	if !hasAttributes(t.Key, s.Key) {
		m.failed |= ofKey
	}
	return m
}

// Nearest describes the requests that came nearest to a rule that matched none, and what kept the
// rule from matching them. It returns "" if there were none.
func (r *Rule) Nearest() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, n := r.misses.nearest()
	if n == 0 {
		return ""
	}
	on := ""
	if m.table != "" {
		on = fmt.Sprintf(" on table %q", m.table)
	}
	if m.index != "" {
		on += fmt.Sprintf(", index %q", m.index)
	}
	return fmt.Sprintf("%d %s%s, but %s", n, m.operation, on, strings.Join(r.spec.reasons(m), ", and "))
}

// reasons explains why a rule does not match a request.
func (s *Spec) reasons(m miss) (texts []string) {
	if m.failed&(ofOperation|ofSupport) != 0 {
		m.failed &^= ofIndex | ofKey // other operations have them
	}
	var wants []string
	want := func(c condition, format string, args ...any) {
		if m.failed&c != 0 {
			wants = append(wants, fmt.Sprintf(format, args...))
		}
	}
	want(ofOperation, "Op(%s)", quoted(s.Operations, ", "))
	want(ofTable, "OnTable(%q)", s.Table)
	want(ofIndex, "OnIndex(%q)", s.Index)
	want(ofKey, "another item (OnKey)")
	if len(wants) > 0 {
		texts = append(texts, "the rule wants "+strings.Join(wants, " and "))
	}
	if m.failed&ofSupport != 0 {
		for _, part := range s.requirements() {
			if m.class&part.operations == 0 {
				texts = append(texts, fmt.Sprintf("%s is for %s", part.option, part.operations))
			}
		}
	}
	if m.failed&ofTime != 0 {
		texts = append(texts, fmt.Sprintf("For(%s) had ended", s.For))
	}
	if m.failed&ofMatch != 0 {
		texts = append(texts, "Matching returned false")
	}
	if m.failed&ofEarlier != 0 {
		texts = append(texts, "an earlier rule determined the reply")
	}
	return texts
}
