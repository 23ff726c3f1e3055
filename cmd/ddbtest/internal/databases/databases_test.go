package databases_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/ddbtest"
)

func key(accessKey, region string) databases.Key {
	return databases.Key{AccessKey: accessKey, Region: region}
}

func open(t *testing.T, d *databases.Databases, accessKey, region string) *databases.Database {
	t.Helper()
	db, err := d.Open(key(accessKey, region))
	require.NoError(t, err)
	return db
}

func start(t *testing.T, c databases.Config) *databases.Databases {
	t.Helper()
	d, err := databases.New(c)
	require.NoError(t, err)
	return d
}

func fixtures(t *testing.T, text string) *fixture.Files {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fixtures.json")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	contents, err := fixture.ReadFiles([]string{name})
	require.NoError(t, err)
	return contents
}

const things = `{"tables":[{"TableName":"things","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
	"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]}],"items":{"things":[{"id":{"S":"a"}}]}}`

func put(t *testing.T, db *ddbtest.DB, id string) {
	t.Helper()
	_, err := db.Client().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("things"),
		Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}})
	require.NoError(t, err)
}

func TestParseScope(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]databases.Key{
		"AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0": key("a", "us-east-1"),
		"AWS4-HMAC-SHA256 SignedHeaders=host,Signature=0,Credential=a/20260101/x/dynamodb/aws4_request":           key("a", "x"),
		"AWS4-ECDSA-P256-SHA256 Credential=a/20260101/x/dynamodb/aws4_request":                                    key("a", "x"),
		"AWS4-HMAC-SHA256 Credential=a/20260101":                                                                  {},
		"AWS4-HMAC-SHA256 Credential=a/b/c/d/e/f":                                                                 {},
		"AWS4-HMAC-SHA256 Signature=0":                                                                            {},
		"Basic Credential=a/20260101/us-east-1/dynamodb/aws4_request":                                             {},
		"nonsense": {},
		"":         {},
	} {
		k, ok := databases.ParseScope(header)
		require.Equal(t, want, k, header)
		require.Equal(t, want != databases.Key{}, ok, header)
	}
}

func TestInvalidKeys(t *testing.T) {
	t.Parallel()
	d := start(t, databases.Config{})
	for _, k := range []databases.Key{
		key("", "us-east-1"), key("a-b", "us-east-1"), key("a_b", "us-east-1"), key("a/b", "us-east-1"), key("ä", "us-east-1"), key(strings.Repeat("a", 129), "x"),
		key("a", ""), key("a", "US"), key("a", "../x"), key("a", strings.Repeat("a", 65)),
	} {
		_, err := d.Open(k)
		require.ErrorIs(t, err, databases.ErrInvalidKey, k)
	}
	require.Empty(t, d.All())
}

// TestEachKeyHasADatabase checks that databases differ by access key and by Region, which is in
// their ARNs, and that the shared database is one for all.
func TestEachKeyHasADatabase(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		d := start(t, databases.Config{Shared: shared, Fixtures: fixtures(t, things)})
		one, other, region := open(t, d, "one", "us-east-1"), open(t, d, "two", "us-east-1"), open(t, d, "one", "eu-west-1")
		require.Same(t, one, open(t, d, "one", "us-east-1"))
		put(t, one.DB, "b")
		require.Len(t, one.DB.Dump("things"), 2)
		for _, db := range []*databases.Database{other, region} {
			require.Len(t, db.DB.Dump("things"), map[bool]int{false: 1, true: 2}[shared])
		}
		table, err := region.DB.Client().DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("things")})
		require.NoError(t, err)
		require.Contains(t, *table.Table.TableArn, map[bool]string{false: ":eu-west-1:", true: ":us-east-1:"}[shared])
		require.Len(t, d.All(), map[bool]int{false: 3, true: 1}[shared])
	}
}

// TestReplayedContent checks that each database begins with the content and the time of a
// recording.
func TestReplayedContent(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.jsonl")
	d := start(t, databases.Config{Recording: file, Fixtures: fixtures(t, things)})
	db := open(t, d, "one", "eu-west-1")
	put(t, db.DB, "b")
	db.DB.Advance(1000 * time.Hour)
	put(t, db.DB, "c")
	now := db.DB.Now()
	recordings, err := d.Close()
	require.NoError(t, err)
	require.Equal(t, []string{file}, recordings)

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	replayed, err := ddbtest.Replay(strings.NewReader(string(text)))
	require.NoError(t, err)
	d = start(t, databases.Config{Replayed: replayed})
	for _, region := range []string{"eu-west-1", "us-east-1"} {
		db = open(t, d, "two", region)
		require.Len(t, db.DB.Dump("things"), 3)
		require.WithinDuration(t, now, db.DB.Now(), 10*time.Minute)
		put(t, db.DB, "d")
	}
}

// TestRecordingFiles checks that the first database has the given file, and others have their key
// in it. After a reset or a removal a database has another file, and no recording is lost.
func TestRecordingFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := start(t, databases.Config{Recording: filepath.Join(dir, "run.jsonl"), Fixtures: fixtures(t, things)})
	one, two := open(t, d, "one", "us-east-1"), open(t, d, "two", "us-east-1")
	put(t, two.DB, "b")
	for i := range 2 {
		for range i + 1 {
			put(t, one.DB, strings.Repeat("c", i+1+len(one.DB.Dump("things"))))
		}
		var err error
		one, err = d.Reset(one, true, false)
		require.NoError(t, err)
	}
	_, err := d.Fork(two, "three")
	require.NoError(t, err)
	require.NoError(t, d.Remove(two, true))
	open(t, d, "two", "us-east-1")
	recordings, err := d.Close()
	require.NoError(t, err)
	want := map[string]int{ // the things in each
		"run.jsonl": 2, "run.2.jsonl": 3, "run.3.jsonl": 1, "run.two.us-east-1.jsonl": 2, "run.two.us-east-1.2.jsonl": 1, "run.three.us-east-1.jsonl": 2,
	}
	require.Len(t, recordings, len(want))
	for _, name := range recordings {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		db, err := ddbtest.Replay(bytes.NewReader(text))
		require.NoError(t, err)
		require.Len(t, db.Dump("things"), want[filepath.Base(name)], name)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, len(want), "no temporary file is left")
}

// TestUnwritable checks that a recording or a folder that cannot be written is an error at the
// start.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	for name, c := range map[string]databases.Config{
		"in a missing folder": {Recording: filepath.Join(dir, "missing", "run.jsonl")},
		"a folder":            {Recording: dir},
		"below a file":        {Recording: filepath.Join(file, "run.jsonl")},
		"no folder":           {Folder: file},
		"a folder in a file":  {Folder: filepath.Join(file, "data")},
	} {
		_, err := databases.New(c)
		require.ErrorContains(t, err, dir, name)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "x", string(text))
}

// TestForksKeepTheirOrigin checks that a database with forks is neither reset nor removed, unless
// they are to be closed.
func TestForksKeepTheirOrigin(t *testing.T) {
	t.Parallel()
	d := start(t, databases.Config{})
	origin := open(t, d, "one", "us-east-1")
	fork, err := d.Fork(origin, "two")
	require.NoError(t, err)
	ofFork, err := d.Fork(fork, "three")
	require.NoError(t, err)
	var forks *databases.ForksError
	_, err = d.Reset(origin, false, false)
	require.ErrorAs(t, err, &forks)
	require.Equal(t, []databases.Key{fork.Key}, forks.Forks)
	require.ErrorAs(t, d.Remove(fork, false), &forks)
	require.Equal(t, []databases.Key{ofFork.Key}, forks.Forks)
	require.Len(t, d.All(), 3)
	_, err = ofFork.DB.Client().ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.NoError(t, err)

	require.NoError(t, d.Remove(ofFork, false))
	_, err = d.Reset(fork, false, false)
	require.NoError(t, err)
	_, err = d.Reset(origin, false, false)
	require.ErrorAs(t, err, &forks, "what replaced a fork is one")
	_, err = d.Reset(origin, false, true)
	require.NoError(t, err)
	require.Len(t, d.All(), 1)
}

// TestClosedDatabases checks that a database that was replaced or closed is not used again.
func TestClosedDatabases(t *testing.T) {
	t.Parallel()
	d := start(t, databases.Config{})
	old := open(t, d, "one", "us-east-1")
	replacement, err := d.Reset(old, false, false)
	require.NoError(t, err)
	require.Same(t, replacement, open(t, d, "one", "us-east-1"))
	_, err = d.Reset(old, false, false)
	require.ErrorIs(t, err, databases.ErrClosed)
	require.ErrorIs(t, d.Remove(old, false), databases.ErrClosed)
	_, err = d.Fork(old, "two")
	require.ErrorIs(t, err, databases.ErrClosed)
	_, err = old.DB.Client().ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.Error(t, err)

	fork, err := d.Fork(replacement, "two")
	require.NoError(t, err)
	require.NoError(t, d.Remove(replacement, true))
	_, err = fork.DB.Client().ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.Error(t, err)
	require.NotSame(t, fork, open(t, d, "two", "us-east-1"))
	_, err = d.Close()
	require.NoError(t, err)
	_, err = d.Open(key("one", "us-east-1"))
	require.ErrorIs(t, err, databases.ErrClosed)
}

// TestRestrictedShared checks that an access key with a policy uses the shared database in every
// Region.
func TestRestrictedShared(t *testing.T) {
	t.Parallel()
	d := start(t, databases.Config{Shared: true})
	shared := open(t, d, "any", "us-east-1")
	document := `{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}`
	require.NoError(t, d.Restrict(shared, "ann", ddbtest.Policy{Document: document}))
	for accessKey, restricted := range map[string]bool{"ann": true, "bob": false} {
		db, signer, err := d.OpenFor(key(accessKey, "eu-west-1"))
		require.NoError(t, err)
		require.Same(t, shared, db)
		require.Equal(t, restricted, signer != "")
	}
	require.Len(t, d.Restricted(shared), 1)
}

func TestInvalidContent(t *testing.T) {
	t.Parallel()
	_, err := databases.New(databases.Config{Fixtures: fixtures(t, `{"items":{"missing":[{"id":{"S":"a"}}]}}`)})
	require.ErrorContains(t, err, "missing")
	_, err = databases.New(databases.Config{Options: ddbtest.Options{Region: "Nowhere"}})
	require.Error(t, err)
}

func TestNumbered(t *testing.T) {
	t.Parallel()
	var n databases.Numbered[string]
	require.Equal(t, []int{1, 2}, []int{n.Add("a"), n.Add("b")})
	require.Equal(t, []int{1, 2}, n.IDs())
	element, ok := n.Remove(1)
	require.True(t, ok)
	require.Equal(t, "a", element)
	_, ok = n.Get(1)
	require.False(t, ok)
	require.Equal(t, 3, n.Add("c"))
	require.Equal(t, []string{"b", "c"}, n.Clear())
	require.Empty(t, n.IDs())
	require.Equal(t, 4, n.Add("d"))
}
