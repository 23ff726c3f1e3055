package main

import (
	"context"

	"github.com/trestledb/trestle"
)

// costs estimates the cost of requests without sending them: for a small item, and for one large
// item with all data of the user.
func (t tour) costs(context.Context) error {
	t.Printf("\ncapacity units          item of 1 KB  item of 150 KB")
	for _, row := range []struct {
		request string
		explain func(string, trestle.Assumption) (trestle.Explanation, error)
	}{
		{"read", t.store.ExplainRead},
		{"consistent read", t.store.ExplainStrongRead},
		{"update of the email", t.store.ExplainChange},
	} {
		small, err := row.explain(user, trestle.Assumption{ItemSize: 1 << 10})
		if err != nil {
			return err
		}
		large, err := row.explain(user, trestle.Assumption{ItemSize: 150 << 10})
		if err != nil {
			return err
		}
		t.Printf("%-20s %15g %15g", row.request, units(small), units(large))
	}
	return nil
}

func units(x trestle.Explanation) float64 { return x.Units.Read + x.Units.Write }

// ExplainRead returns the request and the estimated cost of Information.
func (s Store) ExplainRead(user string, a trestle.Assumption) (trestle.Explanation, error) {
	return s.informations.Op().Get(Information{UserID: user}).Explain(a)
}

// ExplainStrongRead is like ExplainRead for a strongly consistent read.
func (s Store) ExplainStrongRead(user string, a trestle.Assumption) (trestle.Explanation, error) {
	return s.informations.Strong().GetOp(Information{UserID: user}).Explain(a)
}

// ExplainChange returns the request and the estimated cost of ChangeEmail.
func (s Store) ExplainChange(user string, a trestle.Assumption) (trestle.Explanation, error) {
	return s.informations.Op().Update(Information{UserID: user}, Email.Set("x@example.com")).Explain(a)
}
