package ddbtest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/inspect"
	"github.com/trestledb/trestle/ddbtest/internal/storage"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// memory is a storage in memory.
type memory struct {
	mu      sync.Mutex
	entries map[string][]byte
	commits int
	before  func(commit int) error // may refuse a commit; may be nil
}

func newMemory() *memory { return &memory{entries: map[string][]byte{}} }

func (m *memory) Load(each func(key, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(m.entries)) {
		if err := each([]byte(key), m.entries[key]); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Commit(changes []ddbtest.StorageChange) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.commits++
	if m.before != nil {
		if err := m.before(m.commits); err != nil {
			return err
		}
	}
	for _, c := range changes {
		if c.Value == nil {
			delete(m.entries, string(c.Key))
			continue
		}
		m.entries[string(c.Key)] = c.Value
	}
	return nil
}

// copied returns a storage with the same entries.
func (m *memory) copied() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &memory{entries: maps.Clone(m.entries)}
}

// reopen makes a database with the content of a storage.
func reopen(t testing.TB, m *memory) *ddbtest.DB {
	t.Helper()
	return ddbtest.Start(t, ddbtest.Options{Storage: m, TableDelay: workloadOptions.TableDelay, TTLDelay: workloadOptions.TTLDelay})
}

// entriesOf returns all entries that a storage must have for a database.
func entriesOf(db *ddbtest.DB) map[string]string {
	all := map[string]string{}
	for _, e := range storage.Changes(store.NewState(), inspect.Store(db).Snapshot()) {
		all[string(e.Key)] = string(e.Value)
	}
	return all
}

// withoutState returns the entries but that of the state.
func (m *memory) withoutState() map[string]string {
	all := map[string]string{}
	for key, value := range m.entries {
		if key != "0" {
			all[key] = string(value)
		}
	}
	return all
}

// TestStorage runs a workload of all operations, and opens other databases with what the storage
// had at random moments. Transfers are never there in part, and the last one has all content.
func TestStorage(t *testing.T) {
	t.Parallel()
	m := newMemory()
	var at []*memory
	random := rand.New(rand.NewPCG(testrand.Seed(t), 0))
	m.before = func(int) error {
		if random.IntN(50) == 0 {
			at = append(at, &memory{entries: maps.Clone(m.entries)})
		}
		return nil
	}
	o := workloadOptions
	o.Storage = m
	w := newWorkloadOn(t, ddbtest.Start(t, o))
	at = nil // before the workload
	w.run(testsize.Pick(30, 60, 300))

	want := entriesOf(w.db)
	require.Equal(t, want, m.withoutState())
	require.Equal(t, []string{"0", "1", "2", "3", "4", "5"}, m.kinds())
	again := reopen(t, m.copied())
	require.Equal(t, want, entriesOf(again))
	require.Equal(t, w.db.Hash(), again.Hash())
	require.Equal(t, w.db.Dump(workloadTable), again.Dump(workloadTable))
	require.False(t, again.Now().Before(w.db.Now().Add(-time.Minute)), "the clock continues")
	require.NotEqual(t, want, entriesOf(ddbtest.Start(t)), "control: without the storage")

	for _, m := range at {
		db := reopen(t, m)
		total, err := (&workload{TB: t, db: db, client: db.Client()}).total()
		require.NoError(t, err)
		require.Equal(t, funds, total)
		require.Equal(t, m.withoutState(), entriesOf(db))
	}
}

// kinds returns the kinds of the entries.
func (m *memory) kinds() []string {
	kinds := map[string]bool{}
	for key := range m.entries {
		kinds[key[:1]] = true
	}
	return slices.Sorted(maps.Keys(kinds))
}

var errKilled = errors.New("killed")

// writeUntilKilled lets clients write to two items each, in one transaction, until the storage
// fails at a commit. It returns the last acknowledged numbers.
func writeUntilKilled(t *testing.T, m *memory, clients, killAt int) (acknowledged []int) {
	t.Helper()
	db := ddbtest.New(ddbtest.Options{Storage: m})
	defer db.Close()
	db.CreateTable(t, thingsTable())
	m.before = func(commit int) error {
		if commit >= killAt {
			return errKilled
		}
		return nil
	}
	acknowledged = make([]int, clients)
	var all sync.WaitGroup
	for i := range clients {
		client := db.Client(once)
		all.Go(func() {
			for n := 1; writeBoth(t.Context(), client, i, n) == nil; n++ {
				acknowledged[i] = n
			}
		})
	}
	all.Wait()
	return acknowledged
}

func writeBoth(ctx context.Context, c *dynamodb.Client, client, n int) error {
	put := func(sk int) types.TransactWriteItem {
		return types.TransactWriteItem{Put: &types.Put{TableName: aws.String(things), Item: thing(strconv.Itoa(client), sk, attributes{"n": number(n)})}}
	}
	_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{put(1), put(2)}})
	return err
}

// lostOrHalf returns what a storage lacks of the acknowledged writes, and what it has in part.
func lostOrHalf(t *testing.T, m *memory, acknowledged []int) (wrong []string) {
	t.Helper()
	m.before = nil
	db := reopen(t, m)
	for client, least := range acknowledged {
		var both [2]struct{ N int }
		for i := range both {
			out, err := db.Client().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(things), Key: thing(strconv.Itoa(client), i+1)})
			require.NoError(t, err)
			require.NoError(t, attributevalue.UnmarshalMap(out.Item, &both[i]))
		}
		if both[0] != both[1] || both[0].N < least || both[0].N > least+1 {
			wrong = append(wrong, fmt.Sprintf("client %d has %v of %d", client, both, least))
		}
	}
	return wrong
}

// TestStorageKilled ends the storage at a random commit. Afterwards it has each acknowledged write,
// and none in part.
func TestStorageKilled(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(testrand.Seed(t), 0))
	for range testsize.Pick(20, 100, 2_000) {
		m := newMemory()
		acknowledged := writeUntilKilled(t, m, 1+r.IntN(8), 2+r.IntN(40))
		require.Empty(t, lostOrHalf(t, m, acknowledged))
	}
}

// The check of TestStorageKilled finds a storage that loses the last commit, and one that makes a
// half of it.
func TestStorageKilledControl(t *testing.T) {
	t.Parallel()
	for _, half := range []bool{false, true} {
		m := newMemory()
		acknowledged := writeUntilKilled(t, m, 1, 20)
		m.before = nil
		before := m.copied()
		db := reopen(t, m)
		require.NoError(t, writeBoth(t.Context(), db.Client(), 0, acknowledged[0]+1))
		acknowledged[0]++
		require.Empty(t, lostOrHalf(t, m.copied(), acknowledged))
		for key, value := range m.entries {
			if half && strings.HasPrefix(key, "2") { // one of the two items
				require.NotEqual(t, before.entries[key], value)
				before.entries[key] = value
				break
			}
		}
		require.NotEmpty(t, lostOrHalf(t, before, acknowledged))
	}
}

// Requests that wait for each other share a commit.
func TestStorageSharesCommits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const clients = 50
		m := newMemory()
		db := ddbtest.Start(t, ddbtest.Options{Storage: m})
		db.CreateTable(t, thingsTable())
		before := m.commits
		m.before = func(int) error {
			time.Sleep(time.Second) //nolint:forbidigo // it is the time of a bubble
			return nil
		}
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				if err := writeBoth(t.Context(), db.Client(), i, 1); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.LessOrEqual(t, m.commits-before, 3)

		before = m.commits
		require.NoError(t, get(t.Context(), db.Client()))
		require.Equal(t, before, m.commits, "a read makes no commit")
	})
}

// A write that the storage refuses fails, and a later commit has it.
func TestStorageFails(t *testing.T) {
	t.Parallel()
	m := newMemory()
	db := ddbtest.New(ddbtest.Options{Storage: m})
	db.CreateTable(t, thingsTable())
	m.before = func(int) error { return errKilled }
	client := db.Client(once)
	for range 2 {
		require.Equal(t, "InternalServerError", resultOf(put(t.Context(), client)))
	}
	require.ErrorIs(t, db.Err(), errKilled)
	require.Len(t, strings.Split(db.Err().Error(), "\n"), 1, "the same error once")
	m.before = nil
	require.NoError(t, get(t.Context(), client))
	require.Equal(t, entriesOf(db), m.withoutState())
	require.Equal(t, db.Hash(), reopen(t, m).Hash())
}

// Keep returns the error of a storage that refuses what a method changed, and nil once it has it.
func TestStorageKeep(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*ddbtest.DB, *ddbtest.Snapshot){
		"Advance":     func(db *ddbtest.DB, _ *ddbtest.Snapshot) { db.Advance(time.Hour) },
		"Restore":     (*ddbtest.DB).Restore,
		"DeliverLate": func(db *ddbtest.DB, _ *ddbtest.Snapshot) { db.DeliverLate() },
	} {
		m := newMemory()
		db := ddbtest.New(ddbtest.Options{Storage: m})
		empty := db.Snapshot()
		db.CreateTable(t, thingsTable())
		db.Fail(ddbtest.Op("PutItem"), ddbtest.LateDuplicate)
		require.Error(t, put(t.Context(), db.Client(once)))
		require.NoError(t, db.Keep(), name)
		m.before = func(int) error { return errKilled }
		change(db, empty)
		for range 2 {
			require.ErrorIs(t, db.Keep(), errKilled, name)
		}
		m.before = nil
		require.NoError(t, db.Keep(), name)
		require.Equal(t, entriesOf(db), m.withoutState(), name)
		m.before = func(int) error { return errKilled }
		db.Close()
		require.NoError(t, db.Keep(), name)
	}
	require.NoError(t, ddbtest.Start(t).Keep(), "without a storage")
}

// A token of a transaction works with the next database, and a restored snapshot is stored.
func TestStorageContinues(t *testing.T) {
	t.Parallel()
	m := newMemory()
	db := setup(t, ddbtest.Options{Storage: m})
	transfer := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String("token"),
		TransactItems: []types.TransactWriteItem{{Update: &types.Update{
			TableName: aws.String(things), Key: thing("a", 1), UpdateExpression: aws.String("ADD n :n"), ExpressionAttributeValues: row(":n", 1),
		}}},
	}
	_, err := db.Client().TransactWriteItems(t.Context(), transfer)
	require.NoError(t, err)
	snapshot := db.Snapshot()
	require.NoError(t, increment(t.Context(), db.Client()))
	db.Restore(snapshot)
	require.Equal(t, entriesOf(db), m.withoutState(), "a restored snapshot is stored")
	db.Advance(time.Minute)
	now := db.Now()
	require.NoError(t, put(t.Context(), db.Client()))
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.LateDuplicate, ddbtest.First(1))
	require.Error(t, increment(t.Context(), db.Client(once)))
	db.Close() // applies the late request

	db = reopen(t, m)
	require.Equal(t, 2, n(t, db))
	require.False(t, db.Now().Before(now))
	_, err = db.Client().TransactWriteItems(t.Context(), transfer)
	require.NoError(t, err)
	require.Equal(t, 2, n(t, db))
	transfer.TransactItems[0].Update.ExpressionAttributeValues = row(":n", 2)
	_, err = db.Client().TransactWriteItems(t.Context(), transfer)
	require.Equal(t, "IdempotentParameterMismatchException", resultOf(err))
	db.Advance(10 * time.Minute)
	_, err = db.Client().TransactWriteItems(t.Context(), transfer)
	require.NoError(t, err)
	require.Equal(t, 4, n(t, db))
}

func TestStorageOptions(t *testing.T) {
	t.Parallel()
	for _, o := range []ddbtest.Options{{Storage: newMemory(), Record: true}, {Storage: newMemory(), FailureRecording: "file"}} {
		require.Error(t, ddbtest.New(o).Err())
	}
	require.NoError(t, ddbtest.New(ddbtest.Options{Storage: newMemory()}).Err())
}
