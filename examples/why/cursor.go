package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/query"
)

// forgedCursor reads pages as a web service does: it sends the cursor of the next page to the
// browser, and the browser sends it back.
func (t tour) forgedCursor(ctx context.Context) error {
	t.Printf("\n5. A forged cursor")
	for n := range 5 {
		if err := t.payments.Create(ctx, &Payment{Tenant: "acme", User: "7", Number: n + 1}); err != nil {
			return err
		}
	}
	first, err := t.pages("7", "ann").Page(ctx, "")
	if err != nil {
		return err
	}
	t.Printf("   Ann reads the payments %s. Her browser sends the cursor of the next page:", numbers(first.Items))
	middle := len(first.Next) / 2
	changed := first.Next[:middle] + other(first.Next[middle]) + first.Next[middle+1:]
	for _, c := range []struct {
		what, cursor string
		q            query.Query[Payment]
	}{
		{"unchanged", first.Next, t.pages("7", "ann")},
		{"one character changed", changed, t.pages("7", "ann")},
		{"for another account", first.Next, t.pages("8", "ann")},
		{"for another reader", first.Next, t.pages("7", "bob")},
	} {
		page, err := c.q.Page(ctx, c.cursor)
		if err != nil {
			t.Printf("     %-24s%s", c.what+":", nameOf(err))
			continue
		}
		t.Printf("     %-24spayments %s", c.what+":", numbers(page.Items))
	}
	return nil
}

// pages returns a query for the payments of a user. Its cursors are bound to the reader.
func (t tour) pages(user, reader string) query.Query[Payment] {
	return query.Of(t.payments, Payment{Tenant: "acme", User: user}).Limit(3).Bind(reader)
}

func numbers(payments []Payment) string {
	texts := make([]string, len(payments))
	for i, p := range payments {
		texts[i] = strconv.Itoa(p.Number)
	}
	return strings.Join(texts, ", ")
}

// other returns a character that differs from c.
func other(c byte) string {
	if c == 'A' {
		return "B"
	}
	return "A"
}
