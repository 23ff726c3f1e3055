package table

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// problems collects the problems of guards. It is safe for concurrent use.
type problems struct {
	schema *core.Schema

	mu   sync.Mutex
	list []trestle.GuardProblem
	more int // problems that are not listed
	// holders has an item with the value of each guard that is missing or names another item, and
	// unowned the guards without an item, as indexes of the list.
	holders map[string]op.Item
	unowned map[string]int
}

func newProblems(s *core.Schema) problems {
	return problems{schema: s, holders: map[string]op.Item{}, unowned: map[string]int{}}
}

// addOf adds a problem of the guard with a key. Two items that lack the guard of one value have the
// same value. A guard that names another item is reported once: with the item that has the value,
// if there is one.
func (p *problems) addOf(problem trestle.GuardProblem, guard op.Item) {
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

// add adds a problem.
func (p *problems) add(problem trestle.GuardProblem) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.append(problem)
}

func (p *problems) append(problem trestle.GuardProblem) {
	if len(p.list) == maxProblems {
		p.more++
		return
	}
	p.list = append(p.list, problem)
}

// full reports whether no more problems are listed.
func (p *problems) full() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.list) == maxProblems
}

// count returns the number of problems.
func (p *problems) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.list) + p.more
}

func (p *problems) id(key op.Item) string { return p.schema.Identity(core.NewRow(key)) }

// err returns a *trestle.GuardError with the problems, sorted by type, unique value and kind, or
// nil if there are none.
func (p *problems) err(t Table) error {
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

// noSink is a sink without targets, so the run passes the stored items to Unmatched.
type noSink struct{}

// Target returns no target.
func (noSink) Target(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

// Commit is never called.
func (noSink) Commit(*core.Plan) error { return nil }
