package query_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/query"
)

var (
	entrySS = attr.Must(func(e *entry) *string { return &e.SS })
	entrySN = attr.Must(func(e *entry) *int64 { return &e.SN })
	entrySB = attr.Must(func(e *entry) *[]byte { return &e.SB })
)

// impossible returns texts for a key attribute. A few are valid, but most are not.
func impossible(kind keys.AttrType) []string {
	switch kind {
	case keys.N:
		return []string{
			"", "x", "1e", "NaN", "Infinity", "-", ".", "1e126", "1e-131", strings.Repeat("1", 39), "0x10", " 1", "1 ", "1_0", "١",
			"0", "-0", "+1", "01", "1.0", "1e0", "10e-1", "7", "-7.5", "9.9e125", "1e-130", strings.Repeat("9", 38), strings.Repeat("0", 300),
		}
	case keys.B:
		return []string{"", "\x00", "\xff", "zz", strings.Repeat("x", 1024), strings.Repeat("x", 1025), strings.Repeat("x", 2048), strings.Repeat("x", 2049)}
	}
	return []string{
		"", "\x00", "\xff", "a\xff", "zz", "b#", "\U0010ffff", "$U", strings.Repeat("x", 1024), strings.Repeat("x", 1025), strings.Repeat("x", 2048),
		strings.Repeat("x", 2049), strings.Repeat("é", 512) + "x",
	}
}

// forgery is the content of a forged cursor.
type forgery struct {
	about      string
	attributes func([]core.Attribute) []core.Attribute
	at         []cursor.Position
	now        time.Time
	certain    bool // the read could have returned it
}

func asTheyAre(as []core.Attribute) []core.Attribute { return as }

// forgeries returns variations of a position that a read returned. Each changes one property.
func forgeries(attributes []core.Attribute, given map[string]types.AttributeValue, now time.Time, others []map[string]types.AttributeValue) []forgery {
	place := func(change func(map[string]types.AttributeValue)) []cursor.Position {
		after := map[string]types.AttributeValue{}
		for _, a := range attributes {
			after[a.Name] = given[a.Name]
		}
		change(after)
		return []cursor.Position{{After: after}}
	}
	same := place(func(map[string]types.AttributeValue) {})
	last := attributes[len(attributes)-1]
	list := []forgery{
		{about: "as it is", at: same, now: now, certain: true},
		{about: "the beginning", at: []cursor.Position{{}}, now: now, certain: true},
		{about: "no position", now: now},
		{about: "two positions", at: append(same, same...), now: now},
		{about: "another partition of the read", at: []cursor.Position{{Stream: 1, After: same[0].After}}, now: now},
		{about: "no partition of the read", at: []cursor.Position{{Stream: 1<<20 + 7, After: same[0].After}}, now: now},
		{about: "from another time", at: same, now: now.Add(time.Hour * 24 * 365 * 200), certain: true},
		{about: "from long ago", at: same, now: now.Add(-time.Hour * 24 * 365 * 200)},
		{
			about: "an attribute less", now: now, at: place(func(m map[string]types.AttributeValue) { delete(m, last.Name) }),
			attributes: func(as []core.Attribute) []core.Attribute { return as[:len(as)-1] },
		},
		{
			about: "an attribute more", now: now,
			at: place(func(m map[string]types.AttributeValue) { m["more"] = &types.AttributeValueMemberS{Value: "x"} }),
			attributes: func(as []core.Attribute) []core.Attribute {
				return append(slices.Clone(as), core.Attribute{Name: "more", Type: keys.S})
			},
		},
	}
	for _, item := range others {
		after := map[string]types.AttributeValue{}
		for _, a := range attributes {
			after[a.Name] = item[a.Name]
		}
		list = append(list, forgery{about: "another item", at: []cursor.Position{{After: after}}, now: now})
	}
	for _, a := range attributes {
		for _, text := range impossible(a.Type) {
			list = append(list, forgery{
				about: fmt.Sprintf("%s is %.20q of %d bytes", a.Name, text, len(text)), now: now,
				at: place(func(m map[string]types.AttributeValue) { m[a.Name] = core.KeyValue(a.Type, text) }),
			})
		}
		for _, item := range others {
			list = append(list, forgery{
				about: a.Name + " is another item's", now: now, at: place(func(m map[string]types.AttributeValue) { m[a.Name] = item[a.Name] }),
			})
		}
	}
	for i := range list {
		if list[i].attributes == nil {
			list[i].attributes = asTheyAre
		}
	}
	return list
}

// compareStored compares two key attributes in the order of the service. It returns false if one of
// them is not a value.
func compareStored(a, b types.AttributeValue) (int, bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		return strings.Compare(a.Value, b.(*types.AttributeValueMemberS).Value), utf8.ValidString(a.Value) && a.Value != ""
	case *types.AttributeValueMemberB:
		return strings.Compare(string(a.Value), string(b.(*types.AttributeValueMemberB).Value)), len(a.Value) > 0
	case *types.AttributeValueMemberN:
		x, ok := new(big.Rat).SetString(a.Value)
		y, _ := new(big.Rat).SetString(b.(*types.AttributeValueMemberN).Value)
		if !ok {
			return 0, false
		}
		return x.Cmp(y), true
	}
	return 0, false
}

// pathAttributes returns the partition key and sort key attributes of a path.
func pathAttributes(path string) (partition []string, sort string) {
	switch path {
	case "global":
		return []string{"GPK"}, "dup"
	case "local":
		return []string{"pk"}, "dup"
	case "swapped":
		return []string{"sk"}, "pk"
	case "several":
		return []string{"pk", "dup"}, "sk"
	}
	return []string{"pk"}, "sk"
}

// resumed is one read of a hard table with forged cursors.
type resumed struct {
	q     query.Query[entry]
	path  string
	desc  bool
	items []map[string]types.AttributeValue // all results, in order
}

// behind reports whether an item is after a position. maybe is true if both have the same sort key,
// because their order depends on the engine.
func (r resumed) behind(t *testing.T, item, at map[string]types.AttributeValue) (is, maybe bool) {
	t.Helper()
	if at == nil {
		return true, true
	}
	_, sort := pathAttributes(r.path)
	order, ok := compareStored(at[sort], item[sort])
	require.True(t, ok)
	if r.desc {
		order = -order
	}
	return order < 0, order <= 0
}

// resumedReads returns reads of every path in both directions. Some of them are narrowed.
func (l hardTable) resumedReads(t *testing.T, client *dynamodb.Client, repo *entity.Repo[entry], r *rand.Rand) (all []resumed) {
	t.Helper()
	for _, path := range hardPaths {
		base, _ := l.read(repo, path, pick(r, l.rows()...))
		conds := []attr.KeyCond[entry]{nil}
		if path == "" || path == "several" {
			conds = append(conds, map[string][]attr.KeyCond[entry]{
				"S": {entrySS.Gt("!"), entrySS.Between("#", "é"), attr.BeginsWith(entrySS, "a")},
				"N": {entrySN.Gt(0), entrySN.Between(-1, 1<<53), entrySN.Lt(1 << 53)},
				"B": {entrySB.Gt([]byte{0}), entrySB.Between([]byte{1}, []byte{0x80}), attr.BeginsWith(entrySB, []byte{0})},
			}[l.sort]...)
		}
		for _, c := range conds {
			q := base
			if c != nil {
				q = q.Where(c)
			}
			desc := r.IntN(2) == 0
			if desc {
				q = q.Desc()
			}
			in, err := q.Input()
			require.NoError(t, err)
			out, err := client.Query(t.Context(), in)
			require.NoError(t, err)
			if len(out.Items) > 1 {
				all = append(all, resumed{q, path, desc, out.Items})
			}
		}
	}
	return all
}

// A plain cursor with a position that the read could not have returned is rejected with ErrCursor,
// without a request. Any other cursor returns the read's items after its position. The negative
// control sends the forged positions: the service rejects some of them, which looks like a failure
// of the service.
func TestForgedPositions(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		client := e.Client(t)
		refused, taken, naive := 0, 0, 0
		for _, halves := range []string{"SS", "NB", "BN"} {
			l := newHardTable(t, halves[:1], halves[1:])
			l.fill(t, client, "forged-"+halves)
			counted := &counting{Client: client}
			table, err := l.schema.Open(counted, "forged-"+halves, entity.PlainCursors())
			require.NoError(t, err)
			everything, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("forged-" + halves)})
			require.NoError(t, err)
			for _, read := range l.resumedReads(t, client, l.entries.In(table), r) {
				attributes := l.attributes(read.path)
				others := e.Size(3, 6, 30)
				list := forgeries(attributes, pick(r, read.items[:len(read.items)-1]...), time.Now(), sampleOf(r, everything.Items, others))
				for _, f := range list {
					token, err := read.q.Forge(f.attributes, f.at, f.now)
					require.NoError(t, err, f.about)
					sent := counted.sent.Load()
					page, err := read.q.Page(t.Context(), token)
					about := fmt.Sprintf("%s %q desc %t: %s", halves, read.path, read.desc, f.about)
					if sent == counted.sent.Load() {
						require.ErrorIs(t, err, query.ErrCursor, about)
						require.False(t, f.certain, about)
						refused++
						continue
					}
					taken++
					read.check(t, e, f, page, err, about)
				}
				naive += refusals(t, client, read.q, list)
			}
		}
		t.Log("refused", refused, "taken", taken, "refused by the service in the control", naive)
		require.Greater(t, refused, 100)
		require.Greater(t, taken, 100)
		require.Greater(t, naive, 50, "the control: the service is asked")
	})
}

// check compares the results of an accepted cursor with all results of the read.
func (r resumed) check(t *testing.T, e engines.Engine, f forgery, page query.Page[entry], err error, about string) {
	t.Helper()
	at := f.at[0].After
	if at != nil {
		partition, _ := pathAttributes(r.path)
		for _, name := range partition {
			order, ok := compareStored(at[name], r.items[0][name])
			require.True(t, ok && order == 0, "%s: another partition", about)
		}
	}
	var least, most int
	for _, item := range r.items {
		is, maybe := r.behind(t, item, at)
		if is {
			least++
		}
		if maybe {
			most++
		}
	}
	if err != nil && e.Name == engines.DynamoDBLocal && least == 0 {
		return // it rejects a position after which there are no items
	}
	require.NoError(t, err, about)
	require.GreaterOrEqual(t, len(page.Items), least, about)
	require.LessOrEqual(t, len(page.Items), most, about)
	for i, item := range page.Items {
		want := r.items[len(r.items)-len(page.Items)+i]["id"].(*types.AttributeValueMemberN).Value
		require.Equal(t, want, fmt.Sprint(item.ID), about)
	}
}

// attributes returns the attributes of a position of a path.
func (l hardTable) attributes(path string) []core.Attribute {
	pk, sk := core.Attribute{Name: "pk", Type: keys.AttrType(l.partition)}, core.Attribute{Name: "sk", Type: keys.AttrType(l.sort)}
	dup := core.Attribute{Name: "dup", Type: keys.N}
	switch path {
	case "global":
		return []core.Attribute{{Name: "GPK", Type: keys.S}, dup, pk, sk}
	case "local":
		return []core.Attribute{pk, dup, sk}
	case "swapped":
		return []core.Attribute{sk, pk}
	case "several":
		return []core.Attribute{pk, dup, sk}
	}
	return []core.Attribute{pk, sk}
}

func sampleOf[T any](r *rand.Rand, from []T, n int) []T {
	from = slices.Clone(from)
	r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	return from[:min(n, len(from))]
}

// refusals counts the positions that the service rejects.
func refusals(t *testing.T, client *dynamodb.Client, q query.Query[entry], list []forgery) (n int) {
	t.Helper()
	for _, f := range list {
		if len(f.at) != 1 || f.at[0].After == nil {
			continue
		}
		in, err := q.Input()
		require.NoError(t, err)
		in.ExclusiveStartKey = f.at[0].After
		if _, err := client.Query(t.Context(), in); err != nil {
			n++
		}
	}
	return n
}

// A forged cursor of a scan is rejected with ErrCursor, without a request, if no item can have such
// a key, or if a segment is repeated or unknown. Only the service knows which segment an item is
// in. If it rejects a position in another segment, the error is ErrCursor too.
func TestForgedPositionsOfScans(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		asked := 0
		for _, halves := range []string{"SS", "NB", "BN"} {
			l := newHardTable(t, halves[:1], halves[1:])
			l.fill(t, client, "scanned-"+halves)
			counted := &counting{Client: client}
			table, err := l.schema.Open(counted, "scanned-"+halves, entity.PlainCursors())
			require.NoError(t, err)
			out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("scanned-" + halves)})
			require.NoError(t, err)
			repo := l.entries.In(table)
			for _, path := range hardPaths {
				for _, segments := range []int{1, 3} {
					scan := query.Scan(repo).Segments(segments)
					if path != "" {
						scan = scan.On(path)
					}
					for n, f := range forgeries(l.attributes(path), out.Items[0], time.Now(), out.Items[:3]) {
						at := slices.Clone(f.at)
						for i := range at {
							at[i].Stream += n % segments
						}
						token, err := scan.Forge(f.attributes, at, f.now)
						require.NoError(t, err)
						sent := counted.sent.Load()
						_, err = scan.Each(t.Context(), token, func([]entry) error { return nil })
						about := fmt.Sprintf("%s %q segment %d of %d: %s", halves, path, n%segments, segments, f.about)
						if sent == counted.sent.Load() {
							require.ErrorIs(t, err, query.ErrCursor, about)
							continue
						}
						if asked++; err != nil {
							require.ErrorIs(t, err, query.ErrCursor, about)
							require.Greater(t, segments, 1, about)
						}
					}
				}
			}
		}
		require.Greater(t, asked, 100)
	})
}

// A page may end before the first item, at a key without an item. Its cursor is valid.
// TestCursorsOfEveryKey covers sealed cursors.
func TestPositionBeforeTheRange(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	stacks(t, db.Client())
	table, err := library.Open(db.Client(), "library", entity.PlainCursors())
	require.NoError(t, err)
	q := query.Of(rows.In(table), row{Book: "b"}).Desc().Limit(2).MaxRequests(1)
	want, err := q.Page(t.Context(), "")
	require.NoError(t, err)
	db.Fail(ddbtest.EmptyPage, ddbtest.Op("Query"), ddbtest.Nth(1)).MustHit(t)
	page, err := q.Page(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, page.Items)
	require.NotEmpty(t, page.Next, "a page without items that ends in front of all")
	page, err = q.Page(t.Context(), page.Next)
	require.NoError(t, err)
	require.Equal(t, want.Items, page.Items)
}
