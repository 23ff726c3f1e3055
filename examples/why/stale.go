package main

import (
	"context"
	"fmt"

	"github.com/trestledb/trestle/entity"
)

// staleWrite updates an account twice, both times from the same version.
func (t tour) staleWrite(ctx context.Context) error {
	t.Printf("\n4. Two writers of one item")
	ann, err := t.accounts.Get(ctx, Account{Tenant: "acme", User: "eu#7"})
	if err != nil {
		return err
	}
	bob := ann
	t.Printf("   Ann and Bob read an account. Its version is %d.", ann.Version)
	ann, err = t.accounts.Update(ctx, ann, Plan.Set("gold"))
	if err != nil {
		return err
	}
	t.Printf("     Ann sets its plan to %s. The version is now %d.", ann.Plan, ann.Version)
	_, err = t.accounts.Update(ctx, bob, Plan.Set("free"))
	stored, ok := entity.ItemFromError[Account](err)
	if !ok {
		return fmt.Errorf("the stale write was not rejected: %w", err)
	}
	t.Printf("     Bob sets its plan to free: %s. The error has the stored item: plan %s, version %d.", nameOf(err), stored.Plan, stored.Version)
	return nil
}
