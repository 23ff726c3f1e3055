package control

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
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
	Limit    Limit    `json:"limit"`
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
func (b *NewBudget) limits(db *ddbtest.DB) (limits []ddbtest.Limit, problems []strict.Problem) {
	for i, l := range b.Limits {
		before := len(problems)
		field := fmt.Sprintf("limits[%d].", i)
		q, known := quantities[l.Quantity]
		if !known {
			problems = append(problems, strict.Problem{Field: field + "quantity", Message: "unknown quantity", Cure: strict.Nearest(l.Quantity, sortedKeys(quantities))})
		}
		problems = append(problems, required(field+"atMost", l.AtMost != nil)...)
		if l.AtMost != nil && *l.AtMost < 0 {
			problems = append(problems, strict.Problem{Field: field + "atMost", Message: "is negative", Cure: "0 allows none"})
		}
		for j, operation := range l.Operations {
			if p := operationProblem(db, operation); p != nil {
				p.Field = fmt.Sprintf("%soperations[%d]", field, j)
				problems = append(problems, p.Problem)
			}
		}
		if len(problems) == before {
			limits = append(limits, q.AtMost(*l.AtMost, l.Operations...))
		}
	}
	return limits, problems
}

func (b *NewBudget) validate(c *call) []strict.Problem {
	if b.Limits != nil && len(b.Limits) == 0 {
		return []strict.Problem{{Field: "limits", Message: "a budget has at least one limit", Cure: `add one, such as {"quantity":"Requests","atMost":10}`}}
	}
	_, problems := b.limits(c.db.DB)
	return problems
}

func startBudget(c *call, b *NewBudget) (Budget, error) {
	limits, _ := b.limits(c.db.DB)
	started, err := c.db.DB.StartBudget(limits...)
	if err != nil {
		return Budget{}, badRequest(problemsOf(err))
	}
	budget := databases.Budget{Budget: started, Source: b}
	return budgetOf(c.db.Budgets.Add(budget), budget), nil
}

func budgetOf(id int, b databases.Budget) Budget {
	budget := Budget{ID: id}
	source, _ := b.Source.(*NewBudget)
	for i, u := range b.Uses() {
		use := LimitUse{Limit: source.Limits[i], Used: u.Used, Exceeded: u.Exceeded}
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

// describe returns the quantity and its operations.
func (l *Limit) describe() string {
	if len(l.Operations) == 0 {
		return l.Quantity
	}
	return l.Quantity + " of " + strings.Join(l.Operations, " or ")
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
				Message: fmt.Sprintf("%s: %g used, at most %g allowed; request %d, a %s, was the first that exceeded it",
					l.Limit.describe(), l.Used, *l.Limit.AtMost, l.First.Seq, l.First.Operation),
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
