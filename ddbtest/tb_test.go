package ddbtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestClientOfClosedDatabase checks that the error names the test of the closed database.
func TestClientOfClosedDatabase(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	fork := db.ForkFor(test)
	test.end()
	for _, closed := range []*ddbtest.DB{db, fork} {
		err := get(t.Context(), closed.Client())
		require.Equal(t, "refused", resultOf(err))
		require.ErrorContains(t, err, "the database of fake is closed")
	}
}

// TestForkFor checks that faults and rules of the fork belong to the subtest.
func TestForkFor(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	sub := new(fakeTest)
	fork := db.ForkFor(sub)
	fork.Fail()
	inactive := fork.Fail(ddbtest.Op("Scan"), ddbtest.Reset)
	require.Empty(t, test.failures)
	failsOnce(t, sub, "no effect")
	sub.end()
	require.Contains(t, strings.Join(sub.logs, "\n"), inactive.String())
	require.NoError(t, get(t.Context(), db.Client()), "the origin goes on")

	db.Fork().Fail()
	failsOnce(t, test, "no effect")
	test.end()
	require.NotContains(t, strings.Join(test.logs, "\n"), inactive.String())
}

// TestFailureRecording checks that FailureRecording is written if the test has failed.
func TestFailureRecording(t *testing.T) {
	t.Parallel()
	for _, failed := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "new", "failure.log")
		db, test := startFake(ddbtest.Options{FailureRecording: path})
		require.NoError(t, put(t.Context(), db.Client()))
		if failed {
			test.Errorf("failed")
		}
		test.end()
		file, err := os.Open(path) //nolint:gosec // a path of this test's
		if !failed {
			require.ErrorIs(t, err, os.ErrNotExist)
			continue
		}
		require.NoError(t, err)
		require.Contains(t, strings.Join(test.logs, "\n"), path)
		again, err := ddbtest.Replay(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.Equal(t, []attributes{thing("a", 1, attributes{"n": number(1)})}, again.Dump(things))
	}
	db, test := startFake(ddbtest.Options{FailureRecording: t.TempDir()})
	require.NoError(t, db.Err())
	test.Errorf("failed")
	test.end()
	require.Contains(t, strings.Join(test.logs, "\n"), "write the recording")
}

// TestCreateTableWithoutDelay checks that they are ACTIVE at once, unlike the tables of the service
// under test.
func TestCreateTableWithoutDelay(t *testing.T) {
	t.Parallel()
	db := setup(t, ddbtest.Options{TableDelay: time.Hour, Record: true})
	db.Load(t, things, thing("a", 1))
	require.Len(t, db.Dump(things), 1)
	in := thingsTable()
	in.TableName, in.BillingMode = aws.String("made"), types.BillingModePayPerRequest
	out, err := db.Client().CreateTable(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, types.TableStatusCreating, out.TableDescription.TableStatus)
	require.Equal(t, 1, db.Requests()[0].Seq, "what the test itself did is not counted")

	var log strings.Builder
	require.NoError(t, db.WriteRecording(&log))
	again, err := ddbtest.Replay(strings.NewReader(log.String()))
	require.NoError(t, err)
	require.Len(t, again.Dump(things), 1)
}
