package maintain

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// maxProblems is the maximum number of problems that are listed.
const maxProblems = 1000

// problemList collects problems. It is safe for concurrent use.
type problemList struct {
	schema *core.Schema

	mu     sync.Mutex
	list   []Problem
	byKind [Changing + 1]int // also those that are not listed
	ended  bool              // the run ended because of their number
}

// add adds a problem.
func (l *problemList) add(p Problem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.append(p)
}

// append adds a problem while the list is locked.
func (l *problemList) append(p Problem) {
	l.byKind[p.Kind]++
	if len(l.list) < maxProblems {
		l.list = append(l.list, p)
	}
}

// count returns the number of problems.
func (l *problemList) count() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.countLocked()
}

func (l *problemList) countLocked() (n int) {
	for _, of := range l.byKind {
		n += of
	}
	return n
}

// full reports whether no more problems are listed. The run ends.
func (l *problemList) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = len(l.list) == maxProblems
	return l.ended
}

// ofKinds returns the number of problems of some kinds.
func (l *problemList) ofKinds(kinds ...Kind) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range kinds {
		n += l.byKind[k]
	}
	return n
}

// err returns an *Error with the problems, or nil if there are none, also of earlier runs.
func (l *problemList) err(operation, table string, earlier int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.countLocked()
	if n+earlier == 0 {
		return nil
	}
	order := map[string]int{}
	for i, plan := range l.schema.Plans {
		order[plan.Name] = i
	}
	order[""] = len(order) // of no type
	slices.SortStableFunc(l.list, func(a, b Problem) int {
		return cmp.Or(order[a.Entity]-order[b.Entity], strings.Compare(a.Name, b.Name), int(a.Kind)-int(b.Kind),
			strings.Compare(l.id(a.Item), l.id(b.Item)), strings.Compare(l.id(a.Guard), l.id(b.Guard)))
	})
	return &Error{Op: operation, Table: table, Problems: l.list, More: l.ended || n > len(l.list), Earlier: earlier}
}

// id identifies the item with a key.
func (l *problemList) id(key op.Item) string { return l.schema.Identity(core.NewRow(key)) }
