package trestle

import (
	"fmt"
	"slices"
	"strings"
)

// TransactionExplanation describes what a transaction would send and its estimated cost. The
// methods Explain of package tx return it; they send nothing. It shows no values.
type TransactionExplanation struct {
	Operations []Explanation // with the share of each in the cost
	// Actions is the number of actions: DynamoDB accepts 100. It is one for each operation, and
	// those that the library adds, such as guards of unique values.
	Actions int
	Units   Capacity // the sum of the operations
	Writes  bool     // it was made by NewWrite, not by NewRead
}

// Conflicts lists the items by the templates of their keys. A write of one of these items at the
// same time, alone or in another transaction, conflicts with this transaction. One of the two then
// fails and is retried. A read of a single item is no transaction and conflicts with nothing.
func (e TransactionExplanation) Conflicts() []string {
	if !e.Writes && e.Actions == 1 {
		return nil
	}
	var list []string
	for _, o := range e.Operations {
		for _, text := range append([]string{o.Key}, o.Also...) {
			if text = o.Table + ": " + text; !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// String returns the explanation as lines of text, for people and for golden files.
func (e TransactionExplanation) String() string {
	if len(e.Operations) == 0 {
		return ""
	}
	kind, cost := "reads", amount(e.Units.Read, "read")
	if e.Writes {
		kind, cost = "writes", amount(e.Units.Write, "write")
		if e.Units.Read > 0 {
			cost = amount(e.Units.Read, "read") + " and " + cost
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "transaction that %s, %d operation%s\n", kind, len(e.Operations), plural(len(e.Operations)))
	if e.Writes || e.Actions > 1 {
		cost += ", at twice the units of each item"
	}
	fmt.Fprintf(&b, "  %-10s %d of at most %d\n", "actions", e.Actions, MaxTransactionActions)
	for _, item := range e.Conflicts() {
		fmt.Fprintf(&b, "  %-10s with writers of %s\n", "conflicts", item)
	}
	fmt.Fprintf(&b, "  %-10s %s\n", "estimate", cost)
	for _, o := range e.Operations {
		o.Transaction = false // it is stated above
		for line := range strings.Lines(o.String()) {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
