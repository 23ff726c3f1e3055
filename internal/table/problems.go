package table

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// problemList collects problems. It is safe for concurrent use.
type problemList[P any] struct {
	mu       sync.Mutex
	list     []P
	unlisted int
}

// add adds a problem.
func (l *problemList[P]) add(problem P) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.append(problem)
}

// append adds a problem while the list is locked.
func (l *problemList[P]) append(problem P) {
	if len(l.list) == maxProblems {
		l.unlisted++
		return
	}
	l.list = append(l.list, problem)
}

// full reports whether no more problems are listed.
func (l *problemList[P]) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.list) == maxProblems
}

// count returns the number of problems.
func (l *problemList[P]) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.list) + l.unlisted
}

// guardProblems are the problems of guards.
type guardProblems struct {
	problemList[trestle.GuardProblem]
	schema *core.Schema
	// holders has an item with the value of each guard that is missing or names another item, and
	// unowned the guards without an item, as indexes of the list.
	holders map[string]op.Item
	unowned map[string]int
}

func newGuardProblems(s *core.Schema) guardProblems {
	return guardProblems{schema: s, holders: map[string]op.Item{}, unowned: map[string]int{}}
}

// addOf adds a problem of the guard with a key. Two items that lack the guard of one value have the
// same value. A guard that names another item is reported once: with the item that has the value,
// if there is one.
func (p *guardProblems) addOf(problem trestle.GuardProblem, guard op.Item) {
	id := p.id(guard)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch problem.Kind {
	case trestle.GuardMissing, trestle.GuardOfOther:
		if holder := p.holders[id]; holder != nil {
			problem.Kind, problem.Other = trestle.ValueTwice, holder
			break
		}
		p.holders[id] = problem.Item
		if i, found := p.unowned[id]; found {
			p.list[i] = problem
			return
		}
	case trestle.GuardUnowned:
		if p.holders[id] != nil {
			return
		}
		p.unowned[id] = len(p.list)
	default:
	}
	p.append(problem)
}

func (p *guardProblems) id(key op.Item) string { return p.schema.Identity(core.NewRow(key)) }

// err returns a *trestle.GuardError with the problems, sorted by type, unique value and kind, or
// nil if there are none.
func (p *guardProblems) err(t Table) error {
	if p.count() == 0 {
		return nil
	}
	order := map[string]int{}
	for i, plan := range t.Schema.Plans {
		order[plan.Name] = i
	}
	slices.SortFunc(p.list, func(a, b trestle.GuardProblem) int {
		return cmp.Or(order[a.Entity]-order[b.Entity], strings.Compare(a.Unique, b.Unique), int(a.Kind)-int(b.Kind),
			strings.Compare(p.id(a.Item), p.id(b.Item)), strings.Compare(p.id(a.Guard), p.id(b.Guard)))
	})
	return &trestle.GuardError{Table: t.Config.Table, Problems: p.list, More: p.full()}
}
