package control

import (
	"fmt"
	"net/http"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

var budgetRoutes = []Route{
	read("/budgets", listBudgets),
	send(http.MethodPost, "/budgets", startBudget),
	read("/budgets/{id}", getBudget),
	act("/budgets/{id}/check", checkBudget),
	do(http.MethodDelete, "/budgets/{id}", endBudget),
}

// NewBudget is a budget to start.
type NewBudget struct {
	Limits []Limit `json:"limits"`
}

// Limit limits one quantity of a budget.
type Limit struct {
	Quantity   string   `json:"quantity"` // such as "ReadUnits"
	AtMost     *float64 `json:"atMost"`
	Operations []string `json:"operations,omitempty"` // none stands for all
}

// Budget is a budget and what was used of it.
type Budget struct {
	ID       int        `json:"id"`
	Exceeded bool       `json:"exceeded"`
	Limits   []LimitUse `json:"limits"`
}

// LimitUse is what was used of a limit.
type LimitUse struct {
	Limit    string   `json:"limit"` // as source text of Go
	Used     float64  `json:"used"`
	Exceeded bool     `json:"exceeded"`
	First    *Request `json:"first,omitempty"` // the first request that exceeded it
}

// BudgetList has the budgets.
type BudgetList struct {
	Budgets []Budget `json:"budgets"`
}

// quantities are all quantities, by name.
var quantities = func() map[string]ddbtest.Quantity {
	names := map[string]ddbtest.Quantity{}
	for _, q := range []ddbtest.Quantity{ddbtest.Requests, ddbtest.FilteredReads, ddbtest.ErrorReplies, ddbtest.ReadUnits, ddbtest.WriteUnits} {
		names[q.String()] = q
	}
	return names
}()

// limits returns the valid limits, and what is wrong with the others.
func (b *NewBudget) limits() (limits []ddbtest.Limit, problems []strict.Problem) {
	for i, l := range b.Limits {
		field := fmt.Sprintf("limits[%d].", i)
		q, known := quantities[l.Quantity]
		if !known {
			problems = append(problems, strict.Problem{Field: field + "quantity", Message: "unknown quantity", Cure: strict.Nearest(l.Quantity, sortedKeys(quantities))})
		}
		problems = append(problems, required(field+"atMost", l.AtMost != nil)...)
		if known && l.AtMost != nil {
			limits = append(limits, q.AtMost(*l.AtMost, l.Operations...))
		}
	}
	return limits, problems
}

func (b *NewBudget) validate(c *call) []strict.Problem {
	limits, problems := b.limits()
	if len(b.Limits) > 0 && len(limits) == 0 {
		return problems
	}
	budget, err := c.db.DB.StartBudget(limits...)
	if err == nil {
		budget.End()
	}
	return append(problems, problemsOf(err)...)
}

func startBudget(c *call, b *NewBudget) (Budget, error) {
	limits, _ := b.limits()
	budget, err := c.db.DB.StartBudget(limits...)
	if err != nil {
		return Budget{}, badRequest(problemsOf(err))
	}
	return budgetOf(c.db.Budgets.Add(budget), budget), nil
}

func budgetOf(id int, b *ddbtest.Budget) Budget {
	budget := Budget{ID: id}
	for _, u := range b.Uses() {
		use := LimitUse{Limit: u.Limit.String(), Used: u.Used, Exceeded: u.Exceeded}
		if u.Exceeded {
			first := requestOf(&u.First)
			use.First = &first
		}
		budget.Exceeded = budget.Exceeded || u.Exceeded
		budget.Limits = append(budget.Limits, use)
	}
	return budget
}

func listBudgets(c *call) (BudgetList, error) {
	list := BudgetList{Budgets: []Budget{}}
	for _, id := range c.db.Budgets.IDs() {
		if b, ok := c.db.Budgets.Get(id); ok {
			list.Budgets = append(list.Budgets, budgetOf(id, b))
		}
	}
	return list, nil
}

func getBudget(c *call) (Budget, error) {
	id, b, err := numbered(c, &c.db.Budgets, c.db.Budgets.Get)
	if err != nil {
		return Budget{}, err
	}
	return budgetOf(id, b), nil
}

// checkBudget fails if a limit is exceeded.
func checkBudget(c *call) (Budget, error) {
	budget, err := getBudget(c)
	if err != nil || !budget.Exceeded {
		return budget, err
	}
	e := &Error{Status: http.StatusConflict}
	for _, l := range budget.Limits {
		if l.Exceeded {
			e.Exceeded = append(e.Exceeded, l)
			e.Problems = append(e.Problems, strict.Problem{
				Message: fmt.Sprintf("%s: %g used", l.Limit, l.Used),
				Cure:    fmt.Sprintf("request %d, a %s, was the first that exceeded it", l.First.Seq, l.First.Operation),
			})
		}
	}
	return Budget{}, e
}

func endBudget(c *call) error {
	_, b, err := numbered(c, &c.db.Budgets, c.db.Budgets.Remove)
	if err != nil {
		return err
	}
	b.End()
	return nil
}
