package main

import (
	"context"
	"errors"
	"strings"

	"github.com/trestledb/trestle/examples/internal/program"
)

// keys stores two accounts that have the same key if the values are joined without escaping.
func (t tour) keys(ctx context.Context) error {
	t.Printf("1. Values that contain the delimiter")
	t.Printf("   A key consists of a tenant and a user. If they are joined with #, two accounts have the same key:")
	first, second := Account{Tenant: "acme#eu", User: "7", Credits: 100}, Account{Tenant: "acme", User: "eu#7", Credits: 5}
	for _, a := range []Account{first, second} {
		t.Printf("     tenant %-9q  user %-6q  TENANT#%s", a.Tenant, a.User, strings.Join([]string{a.Tenant, a.User}, "#"))
	}
	if err := errors.Join(t.accounts.Create(ctx, &first), t.accounts.Create(ctx, &second)); err != nil {
		return err
	}
	t.Printf("   One tenant would read the account of the other. Trestle escapes values, so the keys differ:")
	for _, key := range []Account{{Tenant: "acme#eu", User: "7"}, {Tenant: "acme", User: "eu#7"}} {
		a, err := t.accounts.Get(ctx, key)
		if err != nil {
			return err
		}
		stored, err := Accounts.KeyOf(key)
		if err != nil {
			return err
		}
		t.Printf("     tenant %-9q  user %-6q  %s has %d credits", a.Tenant, a.User, program.Text(stored["PK"]), a.Credits)
	}
	return nil
}
