package ddbtest_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/inspect"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// Times after 2262, which do not fit into nanoseconds of 64 bits, are stored too.
func TestStorageFarTimes(t *testing.T) {
	t.Parallel()
	m := newMemory()
	db := setup(t, ddbtest.Options{Storage: m})
	db.Advance(280 * 365 * 24 * time.Hour)
	require.NoError(t, put(t.Context(), db.Client()))
	now := db.Now()
	require.Greater(t, now.Year(), 2262)
	again := reopen(t, m)
	require.WithinRange(t, again.Now(), now, now.Add(time.Hour))
	require.Equal(t, entriesOf(db), entriesOf(again))
}

// timeline is a database in a bubble, where a database that is opened later has exactly the same
// time.
type timeline struct {
	testing.TB
	random *rand.Rand
	m      *memory
	db     *ddbtest.DB
}

func newTimeline(t testing.TB, r *rand.Rand) *timeline {
	t.Helper()
	m := newMemory()
	db := ddbtest.Start(t, ddbtest.Options{Storage: m, TTLDelay: time.Duration(r.IntN(2)) * time.Hour})
	in := thingsTable()
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages}
	db.CreateTable(t, in)
	_, err := db.Client().UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: in.TableName, TimeToLiveSpecification: ttlOf("until")})
	require.NoError(t, err)
	return &timeline{t, r, m, db}
}

// duration returns a duration, sometimes zero and sometimes of days.
func (l *timeline) duration() time.Duration {
	return time.Duration(l.random.Int64N(1 << l.random.IntN(47)))
}

// put puts an item that expires.
func (l *timeline) put() {
	until := int(l.db.Now().Add(l.duration()).Unix())
	_, err := l.db.Client().PutItem(l.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(things), Item: thing("a", l.random.IntN(5), attributes{"until": number(until)}),
	})
	require.NoError(l, err)
}

// hold sends a request that is kept for later.
func (l *timeline) hold() {
	rule := l.db.Fail(ddbtest.Op("PutItem"), ddbtest.LateDuplicate, ddbtest.First(1))
	require.Error(l, put(l.Context(), l.db.Client(once)))
	rule.Remove()
}

// timelineSteps are what a client, or a test, gets a result of.
var timelineSteps = map[string]func(*timeline){
	"put":     (*timeline).put,
	"get":     func(l *timeline) { require.NoError(l, get(l.Context(), l.db.Client())) },
	"advance": func(l *timeline) { l.db.Advance(l.duration()) },
	"back":    func(l *timeline) { l.db.Advance(-l.duration() / 8) },
	"settle":  func(l *timeline) { l.db.Settle() },
	"dump":    func(l *timeline) { l.db.Dump(things) },
	"records": func(l *timeline) { l.db.Records(things) },
	"pending": func(l *timeline) { l.db.Pending() },
	"restore": func(l *timeline) { l.db.Restore(l.db.Snapshot()) },
	"fork": func(l *timeline) {
		fork := l.db.Fork()
		fork.Advance(l.duration())
		require.NoError(l, put(l.Context(), fork.Client()))
		fork.Close()
	},
	"late": func(l *timeline) {
		l.hold()
		l.db.DeliverLate()
	},
	"hold": func(l *timeline) {
		l.hold()
		l.db.Dump(things)
	},
}

var timelineOrder = slices.Sorted(maps.Keys(timelineSteps))

// differs reports whether a database that is opened with what the storage has now has another
// content or another time.
func (l *timeline) differs() bool {
	again := ddbtest.New(ddbtest.Options{Storage: l.m.copied()})
	defer again.Close()
	require.NoError(l, again.Err())
	a, b := inspect.Store(l.db).Snapshot(), inspect.Store(again).Snapshot()
	return !again.Now().Equal(l.db.Now()) || a.Sequence != b.Sequence || !maps.Equal(entriesOf(l.db), entriesOf(again))
}

// run runs steps until a database that is opened with what the storage has now differs. It returns
// the name of the step, or "".
func (l *timeline) run(steps int) string {
	for range steps {
		time.Sleep(l.duration() / 64) //nolint:forbidigo // it is the time of a bubble
		name := timelineOrder[l.random.IntN(len(timelineOrder))]
		timelineSteps[name](l)
		if l.differs() {
			return name
		}
	}
	return ""
}

// TestStorageTime opens a database after each of many random steps. It has the same time, and what
// the steps showed: the deletions of expired items, with the same stream records, and the requests
// that were delivered late.
func TestStorageTime(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for i := range testsize.Pick(20, 100, 1_000) {
		synctest.Test(t, func(t *testing.T) {
			require.Empty(t, newTimeline(t, rand.New(rand.NewPCG(seed, uint64(i)))).run(100))
		})
	}
}

// A database that is opened while the machine's clock is behind continues from the last commit.
func TestStorageMachineClockSetBack(t *testing.T) {
	t.Parallel()
	m := newMemory()
	db := setup(t, ddbtest.Options{Storage: m})
	db.Advance(time.Hour)
	now := db.Now().Add(-time.Minute)     // it was read after the commit
	synctest.Test(t, func(t *testing.T) { // in the year 2000
		for range 3 {
			again := reopen(t, m.copied())
			require.WithinRange(t, again.Now(), now, now.Add(time.Hour/2))
			now = again.Now()
			time.Sleep(time.Minute) //nolint:forbidigo // it is the time of a bubble
			require.NoError(t, get(t.Context(), again.Client()))
		}
	})
}

// The time of a database whose storage refused it is stored by the next request.
func TestStorageRefusesTime(t *testing.T) {
	t.Parallel()
	m := newMemory()
	db := ddbtest.New(ddbtest.Options{Storage: m})
	db.CreateTable(t, thingsTable())
	m.before = func(int) error { return errKilled }
	db.Advance(time.Hour)
	require.ErrorIs(t, db.Err(), errKilled)
	require.Equal(t, "InternalServerError", resultOf(get(t.Context(), db.Client(once))))
	m.before = nil
	require.NoError(t, get(t.Context(), db.Client()))
	require.WithinDuration(t, db.Now(), reopen(t, m).Now(), time.Minute)
}

// What shows a write of a request that still waits for the storage returns after the storage has
// it.
func TestStorageHasWhatIsShown(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]func(*ddbtest.DB){
		"Dump":     func(db *ddbtest.DB) { db.Dump(things) },
		"Snapshot": func(db *ddbtest.DB) { db.Snapshot() },
		"Fork":     func(db *ddbtest.DB) { db.Fork() },
		"Records":  func(db *ddbtest.DB) { db.Records(things) },
		"Hash":     func(db *ddbtest.DB) { db.Hash() },
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newTimeline(t, rand.New(rand.NewPCG(1, 1)))
			l.m.before = func(int) error {
				time.Sleep(time.Second) //nolint:forbidigo // it is the time of a bubble
				return nil
			}
			go func() { _ = put(t.Context(), l.db.Client()) }()
			synctest.Wait()
			shown := make(chan bool)
			go func() {
				show(l.db) // waits for the commit of the first write, and then sees the second one
				shown <- l.differs()
			}()
			synctest.Wait()
			go func() { _ = increment(t.Context(), l.db.Client()) }()
			require.False(t, <-shown, name)
			synctest.Wait()
		})
	}
}
