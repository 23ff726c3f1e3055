package ddbtest

import "slices"

// Budget is a budget that fails no test, for programs that serve a database to other processes. See
// [DB.StartBudget].
type Budget struct {
	db     *DB
	budget *budget
}

// BudgetUse is what was used of one limit.
type BudgetUse struct {
	Limit    Limit
	Used     float64
	Exceeded bool
	First    Request // the first request that exceeded the limit
}

// StartBudget starts a budget without a test: [Budget.Uses] returns what was used of it. Like
// [DB.Budget], it does not count earlier requests. It returns everything that is wrong with the
// limits.
func (db *DB) StartBudget(limits ...Limit) (*Budget, error) {
	b := newBudget(limits)
	if err := b.check(); err != nil {
		return nil, err
	}
	db.test().Helper()
	if err := db.checkPlace(); err != nil {
		return nil, err
	}
	db.usage.addBudget(b)
	return &Budget{db, b}, nil
}

// Uses returns what was used of each limit, in the order of the limits.
func (b *Budget) Uses() []BudgetUse {
	b.db.runDue()
	u := &b.db.usage
	u.mu.Lock()
	defer u.mu.Unlock()
	uses := make([]BudgetUse, len(b.budget.limits))
	for i, l := range b.budget.limits {
		used := b.budget.used[i]
		uses[i] = BudgetUse{Limit: l, Used: used, Exceeded: used > l.max, First: b.budget.first[i]}
	}
	return uses
}

// Exceeded reports whether a limit is exceeded.
func (b *Budget) Exceeded() bool {
	return slices.ContainsFunc(b.Uses(), func(u BudgetUse) bool { return u.Exceeded })
}

// End ends the budget: it counts no more requests.
func (b *Budget) End() { b.db.usage.removeBudget(b.budget) }
