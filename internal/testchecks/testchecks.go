// Package testchecks checks whole tables at the end of a test.
package testchecks

import (
	"context"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/maintain"
)

// Guards returns the problems of the guards of a table.
func Guards(ctx context.Context, t *entity.Table) error {
	_, err := maintain.RepairGuards(ctx, t, maintain.Run{DryRun: true})
	return err
}

// Counts returns the problems of the counts of a table.
func Counts(ctx context.Context, t *entity.Table) error {
	_, err := maintain.RepairCounts(ctx, t, maintain.Run{DryRun: true})
	return err
}

// Items returns what differs in a number of items of a table.
func Items(ctx context.Context, t *entity.Table, items int) error {
	_, err := maintain.CheckItems(ctx, t, items, maintain.Run{})
	return err
}
