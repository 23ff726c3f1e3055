package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

const nobody = "983d39a3-bdd6-4b61-88d5-58595d555b8"

var (
	stones = "team t1 Stones"
	all    = []string{"match m1 t1 t2", "player p1 Ada", stones, "tournament Go Japanese"}
)

// Every read returns exactly these rows, reads no other rows, and takes one request.
func TestReadsReturnOnlyTheirRows(t *testing.T) {
	t.Parallel()
	reads := []struct {
		name string
		read func(model, context.Context, string) ([]string, error)
		want []string
	}{
		{"everything", model.Everything, all},
		{"teams", model.Teams, []string{stones}},
		{"teams, by a prefix of the sort key", model.TeamsBySortKeyPrefix, []string{stones}},
		{"players", model.Players, []string{"player p1 Ada"}},
		{"program", model.Program, all},
	}
	onBoth(t, func(t *testing.T, b model, m meter) {
		for _, r := range reads {
			*m.used = usage{}
			got, err := r.read(b, t.Context(), cup)
			require.NoError(t, err, r.name)
			require.Equal(t, r.want, got, r.name)
			require.Equal(t, usage{requests: 1, count: len(r.want), scanned: len(r.want), units: 0.5}, *m.used, r.name)
		}
		_, err := b.Program(t.Context(), nobody)
		require.ErrorIs(t, err, trestle.ErrNotFound)
		got, err := b.Everything(t.Context(), nobody)
		require.NoError(t, err)
		require.Empty(t, got)
	})
}

// A get by key returns the tournament itself or its projection for a list.
func TestGetReturnsTheItemOrItsProjection(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b model, m meter) {
		details, err := b.Details(t.Context(), cup)
		require.NoError(t, err)
		require.Equal(t, "tournament Go Japanese", details)
		basics, err := b.Basics(t.Context(), cup)
		require.NoError(t, err)
		require.Equal(t, Basics{Location: "Oslo", Date: time.Date(2026, time.September, 5, 0, 0, 0, 0, time.UTC), Game: "Go", Prize: 5000}, basics)
		require.Zero(t, m.used.requests, "a get is not a query")
		_, err = b.Details(t.Context(), nobody)
		require.ErrorIs(t, err, trestle.ErrNotFound)
		_, err = b.Basics(t.Context(), nobody)
		require.ErrorIs(t, err, trestle.ErrNotFound)
	})
}

// A read of the teams skips an item of an unknown type among them. A read of the whole collection
// does not fail because of it.
func TestItemOfUnknownTypeIsSkipped(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b model, m meter) {
		putRaw(t, m.Client, b.UnknownItem())
		for name, read := range map[string]func(context.Context, string) ([]string, error){"typed": b.Teams, "by prefix": b.TeamsBySortKeyPrefix} {
			*m.used = usage{}
			got, err := read(t.Context(), cup)
			require.NoError(t, err, name)
			require.Equal(t, []string{stones}, got, name)
			require.Equal(t, 1, m.used.scanned, name)
		}
		got, err := b.Everything(t.Context(), cup)
		require.NoError(t, err)
		require.Len(t, got, 5)
		require.Contains(t, got, "raw")
		got, err = b.Program(t.Context(), cup)
		require.NoError(t, err)
		require.Equal(t, all, got)
	})
}

// An ID may contain the delimiter. It is read back unchanged and does not collide with another ID.
func TestIDMayContainTheDelimiter(t *testing.T) {
	t.Parallel()
	const id = "0e37df36-f698-11e6-8dd4-cb9ced3df976"
	onBoth(t, func(t *testing.T, b model, _ meter) {
		require.NoError(t, b.AddTeam(t.Context(), cup, id, "Hyphens"))
		require.ErrorIs(t, b.AddTeam(t.Context(), cup, id, "Impostors"), trestle.ErrExists)
		require.NoError(t, b.AddTeam(t.Context(), cup, "t1-", "Dash"))
		got, err := b.Teams(t.Context(), cup)
		require.NoError(t, err)
		require.Equal(t, []string{"team " + id + " Hyphens", stones, "team t1- Dash"}, got)
	})
}
