package ddbtest_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestDatabaseOutsideBubble makes a database outside a bubble. Each use inside fails its test,
// once, with the way out. A fork that is made inside works, and so does the database outside again.
func TestDatabaseOutsideBubble(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(*testing.T, *ddbtest.DB){
		"request": func(t *testing.T, db *ddbtest.DB) {
			err := get(t.Context(), db.Client(once))
			require.Equal(t, "refused", resultOf(err))
			require.ErrorContains(t, err, "make the database in the bubble")
		},
		"several requests": func(t *testing.T, db *ddbtest.DB) {
			require.Error(t, put(t.Context(), db.Client()))
			require.Error(t, get(t.Context(), db.Client()))
		},
		"Dump":    func(t *testing.T, db *ddbtest.DB) { require.Nil(t, db.Dump(things)) },
		"Advance": func(_ *testing.T, db *ddbtest.DB) { db.Advance(time.Hour) },
		"Settle":  func(_ *testing.T, db *ddbtest.DB) { db.Settle() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, test := startFake()
			db.Load(t, things, thing("a", 1, attributes{"n": number(1)}))
			synctest.Test(t, func(t *testing.T) {
				use(t, db)
				fork := db.ForkFor(t)
				require.Equal(t, 1, n(t, fork))
				require.NoError(t, increment(t.Context(), fork.Client()))
			})
			failsOnce(t, test, "make the database in the bubble", "db.ForkFor(t)")
			require.Equal(t, 1, n(t, db))
			require.NoError(t, get(t.Context(), db.Client()))
			test.end()
		})
	}
}

// TestDatabaseInsideBubble makes a database in a bubble, where requests are delayed and hang. Its
// use outside is an error. What only tells about the past works, and so does closing it.
func TestDatabaseInsideBubble(t *testing.T) {
	t.Parallel()
	test := new(fakeTest)
	var db *ddbtest.DB
	synctest.Test(t, func(t *testing.T) {
		db = ddbtest.Start(test)
		db.CreateTable(t, thingsTable())
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Delay(time.Minute))
		db.Fail(ddbtest.Op("GetItem"), ddbtest.Hang)
		require.NoError(t, increment(t.Context(), db.Client()))
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.Equal(t, "gone", resultOf(get(brief, db.Client())))
	})
	require.Len(t, db.Requests(), 2)
	require.Empty(t, test.failures)
	fork := db.ForkFor(t)
	require.Equal(t, 1, n(t, fork))
	require.Empty(t, test.failures)

	err := get(t.Context(), db.Client(once))
	require.Equal(t, "refused", resultOf(err))
	require.ErrorContains(t, err, "made in a bubble")
	require.Nil(t, db.Dump(things))
	failsOnce(t, test, "made in a bubble", "use it in the bubble")
	test.end()
	require.Len(t, test.failures, 1)
}

// TestForkFailsTestOfOrigin uses a fork of a database on the other side of a bubble.
func TestForkFailsTestOfOrigin(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	fork := db.Fork()
	synctest.Test(t, func(t *testing.T) { require.Nil(t, fork.Dump(things)) })
	failsOnce(t, test, "make the database in the bubble")
}
