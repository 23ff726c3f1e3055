package databases_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/ddbtest"
)

func closeAll(t *testing.T, d *databases.Databases) {
	t.Helper()
	_, err := d.Close()
	require.NoError(t, err)
}

// count returns how many things a database has, or -1 without the table.
func count(db *databases.Database) int {
	if items := db.DB.Dump("things"); items != nil {
		return len(items)
	}
	return -1
}

// TestStored checks that databases in a folder continue with their content and their time, that new
// ones begin with the initial content, and that nothing is kept without a folder.
func TestStored(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		for _, in := range []string{"", filepath.Join(t.TempDir(), "data")} {
			c := databases.Config{Shared: shared, Folder: in, Fixtures: fixtures(t, things)}
			d := start(t, c)
			one := open(t, d, "one", "us-east-1")
			put(t, one.DB, "b")
			one.DB.Advance(1000 * time.Hour)
			put(t, one.DB, "c")
			now := one.DB.Now()
			closeAll(t, d)

			d = start(t, c)
			require.Len(t, d.All(), map[bool]int{true: 1, false: 0}[shared || in != ""], "it is open again")
			one = open(t, d, "one", "us-east-1")
			require.Equal(t, map[bool]int{true: 3, false: 1}[in != ""], count(one))
			if in != "" {
				require.WithinDuration(t, now, one.DB.Now(), 10*time.Minute)
			}
			two := open(t, d, "two", "us-east-1")
			require.Equal(t, map[bool]int{true: count(one), false: 1}[shared], count(two))
			closeAll(t, d)
		}
	}
}

// TestStoredReplay checks that a database with a file keeps its content, and that a new one, and a
// reset, begin with that of a recording.
func TestStoredReplay(t *testing.T) {
	t.Parallel()
	replayed := ddbtest.New(ddbtest.Options{})
	t.Cleanup(replayed.Close)
	replayed.CreateTable(t, &dynamodb.CreateTableInput{
		TableName:            aws.String("things"),
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
	})
	put(t, replayed, "a")
	c := databases.Config{Folder: t.TempDir(), Replayed: replayed}
	d := start(t, c)
	put(t, open(t, d, "one", "us-east-1").DB, "b")
	closeAll(t, d)
	put(t, replayed, "c")

	d = start(t, c)
	one := open(t, d, "one", "us-east-1")
	require.Equal(t, 2, count(one), "it keeps what it has")
	require.Equal(t, 2, count(open(t, d, "two", "us-east-1")), "the control: a new one has the recording")
	one, err := d.Reset(one, true, false)
	require.NoError(t, err)
	require.ElementsMatch(t, replayed.Dump("things"), one.DB.Dump("things"))
	closeAll(t, d)
}

// TestStoredReset checks that a reset and a removal are kept.
func TestStoredReset(t *testing.T) {
	t.Parallel()
	c := databases.Config{Folder: t.TempDir(), Fixtures: fixtures(t, things)}
	d := start(t, c)
	again := func() *databases.Database {
		closeAll(t, d)
		d = start(t, c)
		return open(t, d, "one", "us-east-1")
	}
	for _, initial := range []bool{true, false} {
		one := open(t, d, "one", "us-east-1")
		if count(one) > 0 {
			put(t, one.DB, "b")
		}
		replaced, err := d.Reset(one, initial, false)
		require.NoError(t, err)
		want := map[bool]int{true: 1, false: -1}[initial]
		require.Equal(t, want, count(replaced))
		require.Equal(t, want, count(again()), "initial %t", initial)
	}
	require.NoError(t, d.Remove(open(t, d, "one", "us-east-1"), false))
	require.Empty(t, files(t, c))
	require.Equal(t, 1, count(again()), "a new database begins with the initial content")
	closeAll(t, d)
}

// A reset gives the space of the file back.
func TestStoredResetSize(t *testing.T) {
	t.Parallel()
	for _, sync := range []bool{false, true} {
		c := databases.Config{Folder: t.TempDir(), Sync: sync, Fixtures: fixtures(t, things)}
		size := func() int64 {
			info, err := os.Stat(filepath.Join(c.Folder, "one.us-east-1.db"))
			require.NoError(t, err)
			return info.Size()
		}
		d := start(t, c)
		one := open(t, d, "one", "us-east-1")
		small := size()
		items := make([]map[string]types.AttributeValue, 500)
		for i := range items {
			items[i] = map[string]types.AttributeValue{
				"id": &types.AttributeValueMemberS{Value: strconv.Itoa(i)}, "text": &types.AttributeValueMemberS{Value: strings.Repeat("x", 10_000)},
			}
		}
		one.DB.Load(t, "things", items...)
		require.Greater(t, size(), 4*small)
		for _, initial := range []bool{false, true} {
			var err error
			one, err = d.Reset(one, initial, false)
			require.NoError(t, err)
			require.LessOrEqual(t, size(), small)
		}
		put(t, one.DB, "b")
		closeAll(t, d)
		d = start(t, c)
		require.Equal(t, 2, count(open(t, d, "one", "us-east-1")), "the new file is in use")
		closeAll(t, d)
	}
}

// A file whose content was not complete when the process was killed counts for nothing.
func TestStoredUnfinished(t *testing.T) {
	t.Parallel()
	c := databases.Config{Folder: t.TempDir(), Fixtures: fixtures(t, things)}
	left := filepath.Join(c.Folder, "one.us-east-1.db.new")
	require.NoError(t, os.WriteFile(left, []byte("a part"), 0o600))
	d := start(t, c)
	require.NoFileExists(t, left)
	require.NoError(t, os.WriteFile(left, []byte("a part"), 0o600))
	one := open(t, d, "one", "us-east-1")
	require.Equal(t, 1, count(one))
	require.NoError(t, os.WriteFile(left, []byte("a part"), 0o600))
	one, err := d.Reset(one, true, false)
	require.NoError(t, err)
	require.Equal(t, 1, count(one))
	require.Equal(t, []string{"one.us-east-1.db"}, files(t, c))
	closeAll(t, d)
}

// A fork of a database is in memory only, and does not take the place of one that has a file.
func TestStoredFork(t *testing.T) {
	t.Parallel()
	c := databases.Config{Folder: t.TempDir(), Fixtures: fixtures(t, things)}
	d := start(t, c)
	one := open(t, d, "one", "us-east-1")
	open(t, d, "two", "us-east-1")
	_, err := d.Fork(one, "two")
	require.ErrorIs(t, err, databases.ErrExists)
	fork, err := d.Fork(one, "three")
	require.NoError(t, err)
	put(t, fork.DB, "b")
	for _, initial := range []bool{true, false, true} {
		fork, err = d.Reset(fork, initial, false)
		require.NoError(t, err)
		require.Equal(t, map[bool]int{true: 1, false: -1}[initial], count(fork))
	}
	require.Len(t, files(t, c), 2)
	_, err = d.Reset(one, true, true)
	require.NoError(t, err)
	require.Empty(t, d.Find("three", ""), "a fork that was reset closes with its origin too")
	closeAll(t, d)
	require.Len(t, files(t, c), 2)
}

// files returns the names of the files of databases.
func files(t *testing.T, c databases.Config) (names []string) {
	t.Helper()
	all, err := os.ReadDir(c.Folder)
	require.NoError(t, err)
	for _, f := range all {
		if f.Name() != ".lock" {
			names = append(names, f.Name())
		}
	}
	return names
}

// A folder may have any name.
func TestStoredFolderNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"y[", "x[1]", "*", `a\b`, "?", ".db", "a.us-east-1.db"} {
		c := databases.Config{Folder: filepath.Join(t.TempDir(), name), Fixtures: fixtures(t, things)}
		d := start(t, c)
		put(t, open(t, d, "one", "us-east-1").DB, "b")
		closeAll(t, d)
		d = start(t, c)
		require.Len(t, d.All(), 1, name)
		require.Equal(t, 2, count(d.All()[0]), name)
		closeAll(t, d)
	}
}

// A folder that another process uses, or with a damaged file, is an error that names the folder or
// the file.
func TestStoredErrors(t *testing.T) {
	t.Parallel()
	c := databases.Config{Folder: t.TempDir()}
	d := start(t, c)
	open(t, d, "one", "us-east-1")
	_, err := databases.New(c)
	require.ErrorContains(t, err, c.Folder)
	closeAll(t, d)
	require.NoError(t, os.WriteFile(filepath.Join(c.Folder, "two.us-east-1.db"), []byte("not a database"), 0o600))
	_, err = databases.New(c)
	require.ErrorContains(t, err, "two.us-east-1.db")
	require.ErrorContains(t, err, "remove it")

	c = databases.Config{Folder: t.TempDir(), Fixtures: fixtures(t, things)}
	d = start(t, c)
	open(t, d, "one", "us-east-1")
	closeAll(t, d)
	name := filepath.Join(c.Folder, "one.us-east-1.db")
	file, err := os.ReadFile(name)
	require.NoError(t, err)
	file = bytes.ReplaceAll(file, []byte(`{"Item":{"id":{"S":"a"}}}`), []byte(`{"Item":{"id":{"S":"b"}}}`))
	require.NoError(t, os.WriteFile(name, file, 0o600))
	_, err = databases.New(c)
	require.ErrorContains(t, err, "one.us-east-1.db", "an item under another key")
	require.ErrorContains(t, err, "remove it")
}
