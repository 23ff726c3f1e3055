package query_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// alterations returns texts derived from a cursor: with every bit flipped, with every length, with
// other encodings of the same bytes, and with text that decoders are known to ignore.
func alterations(cursor string, r *rand.Rand) map[string][]string {
	raw, _ := base64.RawURLEncoding.DecodeString(cursor)
	all := map[string][]string{}
	add := func(kind, text string) {
		if text != cursor && text != "" {
			all[kind] = append(all[kind], text)
		}
	}
	for bit := range 8 * len(raw) {
		raw[bit/8] ^= 1 << (bit % 8)
		add("bit", base64.RawURLEncoding.EncodeToString(raw))
		raw[bit/8] ^= 1 << (bit % 8)
	}
	for n := 1; n < len(cursor); n++ {
		add("cut", cursor[:n])
		add("cut in front", cursor[n:])
	}
	for _, last := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
		add("last character", cursor[:len(cursor)-1]+string(last)) // some of its bits may be unused
	}
	add("alphabet", base64.RawStdEncoding.EncodeToString(raw))
	add("alphabet", base64.StdEncoding.EncodeToString(raw))
	add("alphabet", base64.StdEncoding.EncodeToString([]byte(cursor)))
	add("padding", base64.URLEncoding.EncodeToString(raw))
	for _, put := range []string{"\r", "\n", "\r\n", " ", "\t", "\x00", "=", "==", "A", "%0A", "\u200b", "+", "/"} {
		for _, at := range []int{0, 1 + r.IntN(len(cursor)-1), len(cursor)} {
			add("put in", cursor[:at]+put+cursor[at:])
		}
	}
	add("twice", cursor+cursor)
	add("case", strings.ToLower(cursor))
	add("long", cursor+strings.Repeat("A", 1<<16))
	return all
}

// Altered cursors of real reads are rejected without a request, for all types of keys. The negative
// control uses LastEvaluatedKey as JSON in base64. It accepts forged cursors, which read items
// outside of the query.
func TestForgedCursorsAreRejected(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	db := ddbtest.Start(t)
	taken, tried := 0, map[string]int{}
	for n, halves := range []string{"SS", "NB", "BN"} {
		l := newHardTable(t, halves[:1], halves[1:])
		l.fill(t, db.Client(), "forged-"+halves)
		counted := &counting{Client: db.Client()}
		table, err := l.schema.Open(counted, "forged-"+halves, entity.Cursors(ring))
		require.NoError(t, err)
		for range testsize.Pick(5, 15, 334) {
			path := hardPaths[r.IntN(len(hardPaths))]
			q, _ := l.read(l.entries.In(table), path, pick(r, l.rows()...))
			page, err := q.Limit(1).Page(t.Context(), "")
			require.NoError(t, err)
			require.NotEmpty(t, page.Next)
			before := counted.sent.Load()
			for kind, texts := range alterations(page.Next, r) {
				tried[kind] += len(texts)
				for _, text := range texts {
					_, err := q.Page(t.Context(), text)
					require.ErrorIs(t, err, query.ErrCursor, "%s: %q of %q", kind, text, page.Next)
				}
			}
			require.Equal(t, before, counted.sent.Load(), "requests for refused cursors")
		}
		if n == 0 {
			taken = forged(t, l, l.entries.In(table), db.Client(), r)
		}
	}
	t.Log(tried)
	require.Greater(t, taken, 2, "the control: a cursor without a seal can be forged")
}

// forged counts the altered cursors that the naive method accepts: the JSON of LastEvaluatedKey in
// base64.
func forged(t *testing.T, l hardTable, repo *entity.Repo[entry], client *dynamodb.Client, r *rand.Rand) (taken int) {
	t.Helper()
	q, _ := l.read(repo, "", l.rows()[0])
	in, err := q.Limit(1).Input()
	require.NoError(t, err)
	page := func(ctx context.Context, cursor string) (string, error) {
		var key map[string]any
		if cursor != "" {
			raw, err := base64.URLEncoding.DecodeString(cursor)
			if err != nil {
				return "", err
			}
			if err := json.Unmarshal(raw, &key); err != nil {
				return "", err
			}
			if in.ExclusiveStartKey, err = attributevalue.MarshalMap(key); err != nil {
				return "", err
			}
		}
		out, err := client.Query(ctx, in)
		if err != nil {
			return "", err
		}
		if err := attributevalue.UnmarshalMap(out.LastEvaluatedKey, &key); err != nil {
			return "", err
		}
		raw, err := json.Marshal(key)
		return base64.URLEncoding.EncodeToString(raw), err
	}
	cursor, err := page(t.Context(), "")
	require.NoError(t, err)
	raw, err := base64.URLEncoding.DecodeString(cursor)
	require.NoError(t, err)
	for range 300 {
		altered := append([]byte(nil), raw...)
		altered[r.IntN(len(altered))] ^= 1 << r.IntN(8)
		if _, err := page(t.Context(), base64.URLEncoding.EncodeToString(altered)); err == nil {
			taken++
		}
	}
	return taken
}

// opened opens a table with the given cursor options, and returns a query of it.
func opened(t *testing.T, client trestle.Client, options ...entity.TableOption) query.Query[row] {
	t.Helper()
	table, err := library.Open(client, "library", options...)
	require.NoError(t, err)
	return query.Of(rows.In(table), row{Book: "b"}).Limit(2)
}

// A key ring opens cursors that any of its keys has sealed, and no others. A plain cursor is never
// accepted as a sealed one.
func TestCursorKeyRotation(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	stacks(t, db.Client())
	counted := &counting{Client: db.Client()}
	kinds := map[string]entity.TableOption{"plain": entity.PlainCursors()}
	for name, keys := range map[string][]entity.CursorKey{"old": {cursorKey(1)}, "both": {cursorKey(2), cursorKey(1)}, "announced": {cursorKey(1), cursorKey(2)}, "new": {cursorKey(2)}, "other": {cursorKey(3)}} {
		kinds[name] = entity.Cursors(entity.CursorRing{Keys: keys})
	}
	takes := map[string][]string{
		"old": {"old", "announced"}, "both": {"old", "both", "announced", "new"}, "announced": {"old", "both", "announced", "new"},
		"new": {"both", "new"}, "other": {"other"}, "plain": {"plain"},
	}
	for from, option := range kinds {
		page, err := opened(t, counted, option).Page(t.Context(), "")
		require.NoError(t, err)
		for to, option := range kinds {
			before := counted.sent.Load()
			next, err := opened(t, counted, option).Page(t.Context(), page.Next)
			if slices.Contains(takes[to], from) {
				require.NoError(t, err, "%s of %s", to, from)
				require.Equal(t, 2, next.Items[0].N)
				continue
			}
			require.ErrorIs(t, err, query.ErrCursor, "%s of %s", to, from)
			require.Equal(t, before, counted.sent.Load())
		}
	}
}

// A cursor expires by the clock of the schema. A cursor above the length limit is not returned.
func TestCursorsExpire(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	stacks(t, db.Client())
	at := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	clocked := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return at }})
	books := entity.Define[row](clocked)
	counted := &counting{Client: db.Client()}
	for name, option := range map[string]entity.TableOption{
		"an hour": entity.Cursors(entity.CursorRing{Keys: ring.Keys, Expiry: time.Hour}), "a day": entity.Cursors(ring),
	} {
		table, err := clocked.Open(counted, "library", option)
		require.NoError(t, err)
		q := query.Of(books.In(table), row{Book: "b"}).Limit(2)
		began := at
		page, err := q.Page(t.Context(), "")
		require.NoError(t, err)
		expiry := map[string]time.Duration{"an hour": time.Hour, "a day": 24 * time.Hour}[name]
		at = began.Add(expiry)
		_, err = q.Page(t.Context(), page.Next)
		require.NoError(t, err, name)
		before := counted.sent.Load()
		at = began.Add(expiry + time.Second)
		_, err = q.Page(t.Context(), page.Next)
		require.ErrorIs(t, err, query.ErrCursor, name)
		require.Equal(t, before, counted.sent.Load())
		at = began
	}

	// The smallest allowed limit is sufficient for cursors of short keys.
	book := strings.Repeat("b", 1000)
	for n := range 3 {
		putAll(t, db.Client(), []*row{{Book: book, N: n, Shelf: "s"}})
	}
	long := func(most int) query.Query[row] {
		table, err := library.Open(counted, "library", entity.Cursors(entity.CursorRing{Keys: ring.Keys, MaxLength: most}))
		require.NoError(t, err)
		return query.Of(rows.In(table), row{Book: book}).Limit(1)
	}
	page, err := long(0).Page(t.Context(), "")
	require.NoError(t, err)
	_, err = long(len(page.Next)).Page(t.Context(), page.Next)
	require.NoError(t, err)
	_, err = long(len(page.Next)-1).Page(t.Context(), page.Next)
	require.ErrorIs(t, err, query.ErrCursor)
	_, err = long(len(page.Next)-1).Page(t.Context(), "")
	require.ErrorIs(t, err, trestle.ErrLimit)
}
