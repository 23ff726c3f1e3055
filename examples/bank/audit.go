package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
)

// deposits is the sum of all deposits, and of all balances at any time.
const deposits = 150_00

// audit reads all accounts at one moment and adds up their balances.
func (t tour) audit(ctx context.Context) error {
	accounts, err := t.store.Snapshot(ctx, ann, bob, cat, dan)
	if err != nil {
		return err
	}
	text, sum := "", int64(0)
	for _, a := range accounts {
		text += fmt.Sprintf("%s %s, ", a.Owner, amount(a.Balance))
		sum += a.Balance
	}
	t.Printf("   audit: %ssum %s", text, amount(sum))
	if sum != deposits {
		return errors.New("the sum of the balances has changed")
	}
	return nil
}

// statements compares each balance with the entries of the account.
func (t tour) statements(ctx context.Context) error {
	t.Printf("\nThe audit at the end: each balance is the deposit and the sum of the entries")
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "account\towner\tdeposit\tentries\tsum\tbalance\t")
	for _, number := range []string{ann, bob, cat, dan} {
		st, err := t.store.Statement(ctx, number)
		if err != nil {
			return err
		}
		a, sum := st.Account, st.Sum()
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\t\n", a.Number, a.Owner, amount(a.Deposit), len(st.Entries), amount(sum), amount(a.Balance))
		if a.Balance != a.Deposit+sum {
			return errors.New("the entries of an account differ from its balance")
		}
	}
	return w.Flush()
}

// amount returns cents as text, such as -5.01.
func amount(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}
