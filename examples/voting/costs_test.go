package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// The methods of the store cost what package shard documents. A candidate has four shards.
func TestCosts(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	table, err := Schema.Open(db.Client(), tableName)
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	s := NewStore(table)
	require.NoError(t, cast(t.Context(), s, ballots(0, 12), 0))
	for name, c := range map[string]struct {
		read, write float64
		call        func() error
	}{
		"vote":       {0, 4, func() error { return s.Vote(t.Context(), "eve", ada) }},
		"total":      {5, 0, func() error { _, err := s.Total(t.Context(), ada); return err }},
		"publish":    {16 + 3*5, 3, func() error { return s.Publish(t.Context()) }},
		"published":  {0.5, 0, func() error { _, err := s.Published(t.Context(), ada); return err }},
		"standings":  {16 + 3*5, 0, func() error { _, err := s.Standings(t.Context(), 3); return err }},
		"of the job": {16 + 3*0.5, 0, func() error { _, err := s.PublishedStandings(t.Context(), 3); return err }},
		"shards":     {1, 0, func() error { _, err := s.Shards(t.Context(), ada); return err }},
		"its values": {5, 0, func() error { _, err := s.ShardValues(t.Context(), ada); return err }},
	} {
		if name == "published" || name == "of the job" {
			require.NoError(t, s.Publish(t.Context()))
		}
		cost := db.Measure(func() { require.NoError(t, c.call(), name) })
		require.Equal(t, [2]float64{c.read, c.write}, [2]float64{cost.ReadUnits, cost.WriteUnits}, name)
	}
}
