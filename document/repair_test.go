package document_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/testfaults"
)

// eachChunk calls f for the key of each chunk.
func (u *users) eachChunk(t testing.TB, f func(key map[string]types.AttributeValue) error) {
	t.Helper()
	n := 0
	for _, key := range u.keys(t) {
		if strings.HasPrefix(key["PK"].(*types.AttributeValueMemberS).Value, "$U#chunk") {
			n++
			require.NoError(t, f(key))
		}
	}
	require.Positive(t, n)
}

// loseChunks deletes all chunks.
func (u *users) loseChunks(t testing.TB) {
	t.Helper()
	table := "users"
	u.eachChunk(t, func(key map[string]types.AttributeValue) error {
		_, err := u.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: &table, Key: key})
		return err
	})
}

// spoilChunks changes all chunks.
func (u *users) spoilChunks(t testing.TB) {
	t.Helper()
	table := "users"
	u.eachChunk(t, func(key map[string]types.AttributeValue) error {
		item := maps.Clone(key)
		item["_type"], item["doc_data"] = &types.AttributeValueMemberS{Value: "$U#chunk"}, &types.AttributeValueMemberB{Value: []byte("x")}
		_, err := u.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		return err
	})
}

// damages are what other programs do to a document, and what is left of it.
var damages = map[string]struct {
	do   func(t *testing.T, u *users) error
	left func(c *content)
}{
	"an item is deleted": {
		func(t *testing.T, u *users) error { return u.notes.Delete(t.Context(), note{User: "a", N: 1}) },
		func(c *content) { delete(c.Notes, 1) },
	},
	"an item is added": {
		func(t *testing.T, u *users) error {
			return u.notes.Put(t.Context(), &note{User: "a", N: 9, Text: "new"})
		},
		func(c *content) { c.Notes[9] = "new" },
	},
	"an item is replaced": {
		func(t *testing.T, u *users) error {
			return u.notes.Put(t.Context(), &note{User: "a", N: 1, Text: "new"})
		},
		func(c *content) { c.Notes[1] = "new" },
	},
	"the only item of a part is deleted": {
		func(t *testing.T, u *users) error { return u.bios.Delete(t.Context(), bio{User: "a"}) },
		func(c *content) { c.Bio = "" },
	},
	"chunks are deleted": {
		func(t *testing.T, u *users) error { u.loseChunks(t); return nil },
		func(c *content) { c.Bio = "title" },
	},
	"chunks are damaged": {
		func(t *testing.T, u *users) error { u.spoilChunks(t); return nil },
		func(c *content) { c.Bio = "title" },
	},
}

// changesOfRepair are what a program changes before it saves the damaged document.
var changesOfRepair = map[string]func(p *profile){
	"nothing":       func(*profile) {},
	"the root":      func(p *profile) { p.Info.Name += "x" },
	"an item":       func(p *profile) { p.Addresses[0].Street = "changed" },
	"a new item":    func(p *profile) { p.Notes = append(p.Notes, note{N: 7, Text: "seven"}) },
	"a large value": func(p *profile) { p.Notes[0].Body.Value = []byte("large") },
	"many items": func(p *profile) { // a log
		for n := range 120 {
			p.Notes = append(p.Notes, note{N: 100 + n, Text: "many"})
		}
	},
}

// Unverified reads a damaged document as it is, and Save repairs it, also if nothing has changed.
func TestRepairs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		for what, damage := range damages {
			for with, change := range changesOfRepair {
				name := what + ", " + with
				u.wipe(t)
				p := small("a")
				p.Bio, p.Logins = &bio{Title: "title", Text: document.Large[string]{Value: "text"}}, nil
				require.NoError(t, u.profiles.Save(ctx, &p), name)
				require.NoError(t, damage.do(t, u), name)
				_, err := u.profiles.Read(ctx, key("a"))
				require.Error(t, err, name)
				require.NotErrorIs(t, err, trestle.ErrStale, name)

				want := contentOf(&p)
				damage.left(&want)
				got, err := u.profiles.Read(ctx, key("a"), document.Unverified())
				require.NoError(t, err, name)
				require.Equal(t, want, contentOf(&got), name)
				change(&got)
				u.meter.take()
				require.NoError(t, u.profiles.Save(ctx, &got), name)
				_, requests, _ := u.meter.take()
				require.Positive(t, requests, name)
				again, err := u.profiles.Read(ctx, key("a"), document.Strong())
				require.NoError(t, err, name)
				require.Equal(t, contentOf(&got), contentOf(&again), name)
				u.meter.take()
				require.NoError(t, u.profiles.Save(ctx, &got), name)
				_, requests, _ = u.meter.take()
				require.Zero(t, requests, "it is repaired")
				require.NoError(t, u.profiles.Delete(ctx, key("a")), name)
				if !strings.HasPrefix(what, "the only") { // its chunks are lost with it
					require.Empty(t, u.keys(t), name)
				}
			}
		}
	})
}

// A read with Unverified of a document without damage finds the same, and a save sends nothing.
func TestUnverifiedReadsOfWholeDocuments(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		p := small("a")
		require.NoError(t, u.profiles.Save(t.Context(), &p))
		u.meter.take()
		got, err := u.profiles.Read(t.Context(), key("a"), document.Unverified())
		require.NoError(t, err)
		require.NoError(t, u.profiles.Save(t.Context(), &got))
		_, requests, _ := u.meter.take()
		require.Equal(t, 2, requests, "the queries of the read")
	})
}

// A lost value is marked. Save stores the value that the program sets, also if it is the lost one.
func TestLostValues(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		for _, harm := range []func(testing.TB){u.loseChunks, u.spoilChunks} {
			for _, value := range []string{"", "text", "other"} {
				u.wipe(t)
				p := small("a")
				p.Logins = nil
				p.Bio = &bio{Text: document.Large[string]{Value: "text"}}
				require.NoError(t, u.profiles.Save(ctx, &p))
				require.False(t, p.Bio.Text.Lost())
				harm(t)
				got, err := u.profiles.Read(ctx, key("a"), document.Unverified())
				require.NoError(t, err)
				require.True(t, got.Bio.Text.Lost())
				require.False(t, got.Notes[0].Body.Lost())
				require.Empty(t, got.Bio.Text.Value)
				_, err = u.profiles.Report(&got)
				require.NoError(t, err)
				got.Bio.Text.Value = "text"
				require.ErrorIs(t, u.bios.Put(ctx, got.Bio), trestle.ErrInvalid, "only a save stores it again")
				got.Bio.Text.Value = value
				require.NoError(t, u.profiles.Save(ctx, &got))
				require.False(t, got.Bio.Text.Lost())
				again, err := u.profiles.Read(ctx, key("a"), document.Strong())
				require.NoError(t, err)
				require.Equal(t, value, again.Bio.Text.Value)
				require.NoError(t, u.profiles.Delete(ctx, key("a")))
				require.Empty(t, u.keys(t))
			}
		}
		require.False(t, (*document.Large[string])(nil).Lost())
	})
}

// A document whose log is lost is read without it, saved, and deleted.
func TestLostLogs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		for _, harm := range []func(testing.TB){u.loseChunks, u.spoilChunks} {
			for _, deletes := range []bool{false, true} {
				u.wipe(t)
				p := many("a", "one", 150)
				require.NoError(t, u.profiles.Save(ctx, &p))
				before := contentOf(&p)
				for i := range p.Notes {
					p.Notes[i].Text = "two"
				}
				p.Info.Name = "two"
				crash := testfaults.Pass
				w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
					defer func() {
						if operation == "TransactWriteItems" {
							crash = testfaults.Drop
						}
					}()
					return crash
				}}
				own := p
				own.Notes = slices.Clone(p.Notes)
				require.Equal(t, trestle.Applied, trestle.OutcomeOf(u.process(t, w.Client(u.client, 1)).profiles.Save(ctx, &own)))
				harm(t)
				_, err := u.profiles.Read(ctx, key("a"))
				require.Error(t, err)
				if deletes {
					require.NoError(t, u.profiles.Delete(ctx, key("a")))
					require.Empty(t, u.keys(t))
					continue
				}
				got, err := u.profiles.Read(ctx, key("a"), document.Unverified())
				require.NoError(t, err)
				before.Name = "two"
				require.Equal(t, before, contentOf(&got), "the root is saved, and the notes are not")
				other := got
				require.NoError(t, u.profiles.Save(ctx, &got))
				require.ErrorIs(t, u.profiles.Save(ctx, &other), trestle.ErrStale)
				again, err := u.profiles.Read(ctx, key("a"), document.Strong())
				require.NoError(t, err)
				require.Equal(t, before, contentOf(&again))
				require.NoError(t, u.profiles.Delete(ctx, key("a")))
				require.Empty(t, u.keys(t))
			}
		}
	})
}

// Another program saves the damaged document while it is read, at any of the requests. The reader
// finds one state or the other, or its save fails. It never stores the checksums of a mixture.
func TestRepairsBesideASave(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		most := 0
		for at := range 7 { // a read has two queries, and is repeated at most twice
			u.wipe(t)
			p := many("a", "one", 3)
			require.NoError(t, u.profiles.Save(ctx, &p))
			require.NoError(t, u.notes.Delete(ctx, note{User: "a", N: 0}))
			queries := 0
			w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
				if operation == "Query" {
					if queries++; queries == at {
						other, err := u.profiles.Read(ctx, key("a"), document.Unverified())
						require.NoError(t, err)
						other.Info.Name = "two"
						for i := range other.Notes {
							other.Notes[i].Text = "two"
						}
						require.NoError(t, u.profiles.Save(ctx, &other))
					}
				}
				return testfaults.Pass
			}}
			own := u.process(t, w.Client(u.client, 1))
			got, err := own.profiles.Read(ctx, key("a"), document.Unverified())
			require.NoError(t, err, at)
			if err := own.profiles.Save(ctx, &got); err != nil {
				require.ErrorIs(t, err, trestle.ErrStale, at)
			}
			most = max(most, queries)
			last, err := u.profiles.Read(ctx, key("a"))
			require.NoError(t, err, at)
			for _, n := range last.Notes {
				require.Equal(t, last.Info.Name, n.Text, at)
			}
		}
		require.Greater(t, most, 6, "a save between the queries was noticed")
	})
}
