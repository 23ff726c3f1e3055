package query_test

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// lastError returns the error of a loop.
func lastError[T any](items iter.Seq2[T, error]) error {
	for _, err := range items {
		if err != nil {
			return err
		}
	}
	return nil
}

// Every call returns at once when its context is canceled: while a request hangs, in the pause
// before the next attempt, and on the second page as on the first. The deletion of a collection is
// unknown exactly if a write may have been applied. The negative controls of CancelIssue are in
// package entity.
func TestCanceledCalls(t *testing.T) {
	t.Parallel()
	read, single := ddbtest.Op("Query", "Scan", "BatchGetItem"), ddbtest.Op("TransactWriteItems")
	batch := ddbtest.Op("BatchWriteItem")
	type moment struct {
		options []ddbtest.RuleOption
		want    trestle.Outcome
	}
	moments := map[string]moment{
		"a read hangs":              {[]ddbtest.RuleOption{ddbtest.Hang, read}, trestle.NoWrite},
		"pause of a throttled read": {[]ddbtest.RuleOption{ddbtest.Throttle(), read}, trestle.NoWrite},
		"pause of a lost read":      {[]ddbtest.RuleOption{ddbtest.Reset, read}, trestle.NoWrite},
	}
	pages := map[string]moment{"the second page hangs": {[]ddbtest.RuleOption{ddbtest.Hang, read, ddbtest.Nth(2)}, trestle.NoWrite}}
	deletes := map[string]moment{
		"a read hangs":                 {[]ddbtest.RuleOption{ddbtest.Hang, read}, trestle.NoWrite},
		"pause of a throttled read":    {[]ddbtest.RuleOption{ddbtest.Throttle(), read}, trestle.NoWrite},
		"the second page hangs":        {[]ddbtest.RuleOption{ddbtest.Hang, read, ddbtest.Nth(2)}, trestle.NotApplied},
		"a batch hangs":                {[]ddbtest.RuleOption{ddbtest.Hang, batch}, trestle.Unknown},
		"an applied batch hangs":       {[]ddbtest.RuleOption{ddbtest.AfterCommit(ddbtest.Hang), batch}, trestle.Unknown},
		"pause of unprocessed writes":  {[]ddbtest.RuleOption{ddbtest.Unprocessed(25), batch}, trestle.NotApplied},
		"a transaction hangs":          {[]ddbtest.RuleOption{ddbtest.Hang, single}, trestle.Unknown},
		"pause of a conflict":          {[]ddbtest.RuleOption{ddbtest.Conflict, single}, trestle.NotApplied},
		"pause of a lost transaction":  {[]ddbtest.RuleOption{ddbtest.Reset, single}, trestle.Unknown},
		"pause of a throttled request": {[]ddbtest.RuleOption{ddbtest.Throttle(), batch}, trestle.NotApplied},
	}
	for name, c := range map[string]struct {
		call    func(ctx context.Context, g *gallery) error
		moments []map[string]moment
	}{
		"collect": {func(ctx context.Context, g *gallery) error {
			_, err := query.Of(g.visits, stay{User: "a"}).PageSize(10).Collect(ctx)
			return err
		}, []map[string]moment{moments, pages}},
		"all": {func(ctx context.Context, g *gallery) error {
			return lastError(query.Of(g.visits, stay{User: "a"}).PageSize(10).All(ctx))
		}, []map[string]moment{moments, pages}},
		"count": {func(ctx context.Context, g *gallery) error {
			_, err := query.Of(g.visits, stay{User: "a"}).PageSize(10).Count(ctx)
			return err
		}, []map[string]moment{moments, pages}},
		"first": {func(ctx context.Context, g *gallery) error {
			_, err := query.Of(g.visits, stay{User: "a"}).First(ctx)
			return err
		}, []map[string]moment{moments}},
		"one": {func(ctx context.Context, g *gallery) error {
			_, err := query.Of(g.profiles, profile{User: "a"}).One(ctx)
			return err
		}, []map[string]moment{moments}},
		"page": {func(ctx context.Context, g *gallery) error {
			_, err := query.Of(g.visits, stay{User: "a"}).Page(ctx, "")
			return err
		}, []map[string]moment{moments}},
		"items": {func(ctx context.Context, g *gallery) error {
			return lastError(query.Items(ctx, query.Of(g.visits, stay{User: "a"}).PageSize(10).Collection()))
		}, []map[string]moment{moments, pages}},
		"load": {func(ctx context.Context, g *gallery) error {
			var view struct {
				Profile profile
				Visits  []stay
				Photos  []photo
			}
			return query.Load(ctx, query.Of(g.profiles, profile{User: "a"}).Collection(), &view)
		}, []map[string]moment{moments}},
		"scan": {func(ctx context.Context, g *gallery) error {
			return lastError(query.Scan(g.visits).PageSize(10).All(ctx))
		}, []map[string]moment{moments, pages}},
		"get many": {func(ctx context.Context, g *gallery) error {
			_, err := query.GetMany(ctx, query.Ref(g.profiles, profile{User: "a"}))
			return err
		}, []map[string]moment{moments}},
		"delete": {func(ctx context.Context, g *gallery) error {
			_, err := query.Of(g.profiles, profile{User: "a"}).PageSize(20).Collection().Delete(ctx, entity.Concurrency(2))
			return err
		}, []map[string]moment{deletes}},
	} {
		for _, some := range c.moments {
			for at, m := range some {
				synctest.Test(t, func(t *testing.T) {
					db := ddbtest.Start(t)
					g := newGallery(t, db.Client())
					g.fill(t, 60)
					rule := db.Fail(m.options...)
					issue, err := engines.CancelIssue(t.Context(), func(ctx context.Context) error { return c.call(ctx, g) })
					require.Empty(t, issue, "%s: %s", name, at)
					require.Equal(t, m.want, trestle.OutcomeOf(err), "%s: %s: %v", name, at, err)
					require.Positive(t, rule.Hits(), "%s: %s", name, at)
					require.Empty(t, db.Pending(), "%s: %s", name, at)
				})
			}
		}
	}
}
