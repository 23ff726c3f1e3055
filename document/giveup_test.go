package document_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/testfaults"
)

// grown returns the state of a stored document, and a copy with another large value to save.
func grown(t *testing.T, u *users) (old content, p *profile) {
	t.Helper()
	u.wipe(t)
	p = largely("a", 1000)
	require.NoError(t, u.profiles.Save(t.Context(), p))
	old = contentOf(p)
	p.Info.Name, p.Bio.Text.Value = "Leto", text(2000)
	return old, p
}

// cleanLeavesNothing lets the time of a save pass, cleans up, and checks the document.
func (u *users) cleanLeavesNothing(t *testing.T, want content) {
	t.Helper()
	u.clock.advance(2 * writeTime)
	require.NoError(t, u.profiles.Clean(t.Context(), key("a")))
	require.NoError(t, u.leftovers(t).clean())
	got, err := u.profiles.Read(t.Context(), key("a"), document.Strong())
	require.NoError(t, err)
	require.Equal(t, want, contentOf(&got))
}

// canceling replies to a transaction that it was canceled, after it was applied: as if the network
// had repeated a request that was canceled.
type canceling struct{ next dynamodb.HTTPClient }

func (c canceling) Do(r *http.Request) (*http.Response, error) {
	reply, err := c.next.Do(r)
	if err == nil && strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") && reply.StatusCode == http.StatusOK {
		const body = `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",` +
			`"CancellationReasons":[{"Code":"ConditionalCheckFailed"},{"Code":"None"}]}`
		_ = reply.Body.Close()
		reply.StatusCode, reply.Body, reply.ContentLength = http.StatusBadRequest, io.NopCloser(strings.NewReader(body)), int64(len(body))
		reply.Header.Del("X-Amz-Crc32")
		reply.Header.Del("Content-Length")
	}
	return reply, err
}

// A save that is applied after all keeps its chunks.
func TestASaveThatIsAppliedAfterAllKeepsItsChunks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		_, p := grown(t, u)
		want := contentOf(p)
		o := u.client.Options()
		o.HTTPClient = canceling{o.HTTPClient}
		err := u.process(t, dynamodb.New(o)).profiles.Save(t.Context(), p)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), err)
		u.cleanLeavesNothing(t, want)
	})
}

// A chunk whose put has an unknown outcome may arrive after the save has deleted it. The intent
// stays until then, so that Clean deletes the chunk again.
func TestAChunkThatArrivesLateIsCleaned(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		old, p := grown(t, u)
		first := true
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "BatchWriteItem" && first {
				first = false
				return testfaults.Delay
			}
			return testfaults.Pass
		}}
		err := u.process(t, w.Client(u.client, 1)).profiles.Save(t.Context(), p)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), err)
		require.Equal(t, leftovers{Intents: 1}, u.leftovers(t))
		require.NoError(t, w.Deliver())
		require.Equal(t, leftovers{Intents: 1, Chunks: 1}, u.leftovers(t))
		require.NoError(t, u.profiles.Clean(t.Context(), key("a")))
		require.Equal(t, leftovers{Intents: 1, Chunks: 1}, u.leftovers(t), "it is too young")
		u.cleanLeavesNothing(t, old)
	})
}

// Clean deletes at once what a save that is applied has left.
func TestTheGarbageOfAYoungSaveIsCleaned(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		_, p := grown(t, u)
		fate := testfaults.Pass
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			defer func() {
				if operation == "TransactWriteItems" {
					fate = testfaults.Drop
				}
			}()
			return fate
		}}
		err := u.process(t, w.Client(u.client, 1)).profiles.Save(t.Context(), p)
		require.Error(t, err)
		require.Equal(t, trestle.Applied, trestle.OutcomeOf(err))
		require.Equal(t, leftovers{Intents: 1, Chunks: 1}, u.leftovers(t))
		require.NoError(t, u.profiles.Clean(t.Context(), key("a")))
		require.NoError(t, u.leftovers(t).clean())
	})
}

// A deletion deletes the chunks of a save that has crashed, and keeps its intent as long as another
// chunk may arrive.
func TestADeletionKeepsTheIntentOfAYoungSave(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		for _, c := range []struct {
			age  time.Duration
			left leftovers
		}{{0, leftovers{Intents: 1}}, {2 * writeTime, leftovers{}}} {
			_, p := grown(t, u)
			w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
				if operation == "TransactWriteItems" {
					return testfaults.Delay
				}
				return testfaults.Pass
			}}
			require.ErrorIs(t, u.process(t, w.Client(u.client, 1)).profiles.Save(t.Context(), p), trestle.ErrUnknown)
			require.Equal(t, leftovers{Intents: 1, Chunks: 1}, u.leftovers(t))
			u.clock.advance(c.age)
			require.NoError(t, u.profiles.Delete(t.Context(), key("a")))
			require.Equal(t, c.left, u.leftovers(t))
			require.NoError(t, w.Deliver())
			require.Equal(t, c.left, u.leftovers(t), "the save is not applied late")
			u.clock.advance(2 * writeTime)
			require.NoError(t, u.profiles.Clean(t.Context(), key("a")))
			require.Empty(t, u.keys(t))
		}
	})
}

// If the context of a save ends, the save sends no more requests, also not to clean up. Clean finds
// what it has stored.
func TestASaveWhoseContextEnds(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		for k := 1; ; k++ {
			old, p := grown(t, u)
			ctx, cancel := context.WithCancel(t.Context())
			w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
				if n == k {
					cancel()
				}
				return testfaults.Pass
			}}
			fresh := contentOf(p)
			err := u.process(t, w.Client(u.client, 3)).profiles.Save(ctx, p)
			cancel()
			if w.Sent() < k {
				return
			}
			require.Equal(t, k, w.Sent(), "no request follows")
			got, failed := u.profiles.Read(t.Context(), key("a"), document.Strong())
			require.NoError(t, failed)
			now := contentOf(&got)
			switch trestle.OutcomeOf(err) {
			case trestle.Applied:
				require.Equal(t, fresh, now)
			case trestle.NotApplied:
				require.Equal(t, old, now)
			default:
				require.Contains(t, []content{old, fresh}, now)
			}
			u.cleanLeavesNothing(t, now)
		}
	})
}

// If the reply to the removal of a log is lost, the save sends it again, learns that the log is
// removed, and cleans up.
func TestALostReplyToTheRemovalOfALog(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		_, p := grown(t, u)
		p.Notes = p.Notes[1:]
		lost := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "UpdateItem" && lost == 0 {
				lost++
				return testfaults.Lose
			}
			return testfaults.Pass
		}}
		own := u.process(t, w.Client(u.client, 3))
		own.profiles = own.document.In(own.table, document.Config{WriteTime: writeTime, Concurrency: 1, MaxActions: 3})
		require.NoError(t, own.profiles.Save(t.Context(), p))
		require.Equal(t, 1, lost)
		require.NoError(t, u.leftovers(t).clean())
	})
}

// A deletion that finds another one is stale, or finds no document: it is certain that it has
// deleted nothing.
func TestADeletionBesideAnotherIsStale(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		grown(t, u)
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "UpdateItem" {
				require.NoError(t, u.profiles.Delete(t.Context(), key("a")))
			}
			return testfaults.Pass
		}}
		err := u.process(t, w.Client(u.client, 1)).profiles.Delete(t.Context(), key("a"))
		require.ErrorIs(t, err, trestle.ErrStale)
		require.NotErrorIs(t, err, trestle.ErrUnknown)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	})
}

// The clean-up of a save that fails costs what the documentation says.
func TestCostsOfGivingUp(t *testing.T) {
	t.Parallel()
	u := newUsers(t, ddbtest.Client(t)) // DynamoDB Local does not charge transactions as DynamoDB does
	p := small("a")
	require.NoError(t, u.profiles.Save(t.Context(), &p))
	stale := p
	p.Info.Name = "other"
	require.NoError(t, u.profiles.Save(t.Context(), &p))
	stale.Notes = []note{stale.Notes[0], stale.Notes[1]}
	stale.Notes[0].Body.Value = noise(900_000, 1)
	var before, chunks float64
	w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
		if operation == "UpdateItem" {
			_, before = u.spent()
			chunks = u.sizes(t).chunks
		}
		return testfaults.Pass
	}}
	require.ErrorIs(t, u.process(t, w.Client(u.client, 1)).profiles.Save(t.Context(), &stale), trestle.ErrStale)
	_, after := u.spent()
	require.Greater(t, chunks, 850.0)
	t.Log(before)
	require.InDelta(t, chunks+2, after, 0, "the chunks, and to change and delete the intent")
}
