package tenancy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/tenancy"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// world is a table with two tenants, and the services on it.
type world struct {
	layout *layout
	types  types
	all    service // of all tenants
	a, b   service
	raw    *dynamodb.Client
	record *recorder
}

func newWorld(t *testing.T, e engines.Engine, l layout, a, b string) *world {
	t.Helper()
	w := &world{layout: &l, types: l.types(), record: &recorder{layout: &l, values: map[string]bool{}}}
	w.raw = e.Client(t, w.record.options)
	table := w.types.open(t, w.raw, "photos")
	require.NoError(t, table.Create(t.Context()))
	w.all, w.a, w.b = w.types.service(table), w.types.service(table.Tenant(a)), w.types.service(table.Tenant(b))
	return w
}

// onEach runs a test on all engines with all layouts.
func onEach(t *testing.T, a, b string, f func(t *testing.T, w *world)) {
	t.Helper()
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) { f(t, newWorld(t, e, l, a, b)) })
		})
	}
}

func (w *world) rows(t *testing.T) []map[string]sdk.AttributeValue {
	t.Helper()
	table := "photos"
	out, err := w.raw.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	return out.Items
}

// Two tenants use the same IDs and the same unique values, and see only their own items.
func TestHandles_areSeparate(t *testing.T) {
	t.Parallel()
	onEach(t, "a", "ab", func(t *testing.T, w *world) {
		ctx := t.Context()
		for _, s := range []service{w.a, w.b} {
			al := album{ID: "1", Title: "Norway"}
			require.NoError(t, s.albums.Create(ctx, &al))
			require.NotEmpty(t, al.Tenant, "the entity is stamped")
			p := photo{Album: "1", ID: "p", Name: "fjord", Place: "Bergen"}
			require.NoError(t, s.photos.Create(ctx, &p))
			require.ErrorIs(t, s.photos.Create(ctx, &photo{Album: "1", ID: "q", Name: "fjord"}), trestle.ErrTaken)
			require.NoError(t, s.votes.Add(ctx, "fjord", 2, shard.Once("k")))
			require.NoError(t, s.events.Add(ctx, "fjord", 3, shard.Once("k")))
			require.NoError(t, s.tickets.SetLimit(ctx, "boat", 5))
			require.NoError(t, s.tickets.Take(ctx, "boat", 2, shard.Once("k")))
			require.NoError(t, tx.Write(ctx, s.votes.Op("deck", 1, shard.Once("x")), s.tickets.Op("boat", 1, shard.Once("x"))))
			require.NoError(t, s.tickets.Return(ctx, "boat", "x"))
			_, err := s.books.Upsert(ctx, book{ID: "1"}, generations.Slice([]page{{N: 1}, {N: 2}}))
			require.NoError(t, err)
		}
		for _, s := range []service{w.a, w.b} {
			got, err := s.albums.Get(ctx, album{ID: "1"})
			require.NoError(t, err)
			require.Equal(t, 1, got.Photos)
			n, err := query.On(s.photos, "by-place", photo{Place: "Bergen"}).Count(ctx)
			require.NoError(t, err)
			require.Equal(t, 1, n)
			total, err := s.votes.Total(ctx, "fjord")
			require.NoError(t, err)
			require.EqualValues(t, 2, total)
			names, err := s.votes.Top(ctx, 5)
			require.NoError(t, err)
			require.Equal(t, []shard.Standing{{Name: "fjord", Value: 2}}, names)
			sum, err := s.events.Total(ctx, "fjord")
			require.NoError(t, err)
			require.EqualValues(t, 3, sum)
			left, err := s.tickets.Left(ctx, "boat")
			require.NoError(t, err)
			require.EqualValues(t, 3, left.Left)
			_, parts, err := s.books.Read(ctx, book{ID: "1"})
			require.NoError(t, err)
			require.Len(t, parts, 2)
		}
		require.NoError(t, testchecks.Guards(ctx, w.all.table))
		require.NoError(t, testchecks.Counts(ctx, w.all.table))
		require.NoError(t, testchecks.Items(ctx, w.all.table, 100))
		for _, item := range w.rows(t) {
			key := item["PK"].(*sdk.AttributeValueMemberS).Value
			require.NotEqual(t, w.layout.owns("a", key), w.layout.owns("ab", key))
			key = item["SK"].(*sdk.AttributeValueMemberS).Value
			require.NotEqual(t, w.layout.owns("a", key), w.layout.owns("ab", key))
		}
		// The collection of one tenant goes, with its guards; the other stays.
		_, err := query.Of(w.a.albums, album{ID: "1"}).Collection().Delete(ctx)
		require.NoError(t, err)
		require.NoError(t, testchecks.Guards(ctx, w.all.table))
		require.NoError(t, w.a.albums.Create(ctx, &album{ID: "1"}))
		require.NoError(t, w.a.photos.Create(ctx, &photo{Album: "1", ID: "q", Name: "fjord"}))
		_, err = w.b.photos.Get(ctx, photo{Album: "1", ID: "p"})
		require.NoError(t, err)
	})
}

// RepairGuards and RepairCounts find the guards and the counts of all tenants.
func TestHandles_repair(t *testing.T) {
	t.Parallel()
	onEach(t, "a", "ab", func(t *testing.T, w *world) {
		ctx, table := t.Context(), "photos"
		for _, s := range []service{w.a, w.b} {
			require.NoError(t, s.albums.Create(ctx, &album{ID: "1"}))
			require.NoError(t, s.photos.Create(ctx, &photo{Album: "1", ID: "p", Name: "fjord"}))
		}
		for _, item := range w.rows(t) {
			if key := item["PK"].(*sdk.AttributeValueMemberS).Value; w.layout.owns("ab", key) && (strings.Contains(key, "$Uunique") || strings.Contains(key, "$U#unique") || item["name"] != nil) {
				_, err := w.raw.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: map[string]sdk.AttributeValue{"PK": item["PK"], "SK": item["SK"]}})
				require.NoError(t, err)
			}
		}
		require.Error(t, testchecks.Counts(ctx, w.all.table))
		_, err := maintain.RepairCounts(ctx, w.all.table, maintain.Run{})
		require.NoError(t, err)
		got, err := w.b.albums.Get(ctx, album{ID: "1"})
		require.NoError(t, err)
		require.Zero(t, got.Photos)
		item, err := w.types.photos.Encode(&photo{Tenant: "ab", Album: "1", ID: "p", Name: "fjord"})
		require.NoError(t, err)
		_, err = w.raw.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: item})
		require.NoError(t, err)
		require.Error(t, testchecks.Guards(ctx, w.all.table))
		_, err = maintain.RepairGuards(ctx, w.all.table, maintain.Run{})
		require.NoError(t, err)
		require.ErrorIs(t, w.b.photos.Create(ctx, &photo{Album: "1", ID: "q", Name: "fjord"}), trestle.ErrTaken)
	})
}

// Every way to use another tenant, or the whole table, is refused before a request is sent.
func TestHandle_refuses(t *testing.T) {
	t.Parallel()
	onEach(t, "a", "b", func(t *testing.T, w *world) {
		ctx := t.Context()
		require.NoError(t, w.b.albums.Create(ctx, &album{ID: "1"}))
		for range 3 {
			require.NoError(t, w.b.albums.Put(ctx, &album{ID: strings.Repeat("x", 3), Version: 0}))
			_, err := w.b.albums.Update(ctx, album{ID: "xxx"}, title.Set("x"))
			require.NoError(t, err)
			require.NoError(t, w.b.albums.Delete(ctx, album{ID: "xxx"}))
		}
		paged, err := query.Of(w.b.albums, album{ID: "1"}).Collection().Page(ctx, "")
		require.NoError(t, err)
		require.Empty(t, paged.Next)
		w.record.take()
		other, photos := album{Tenant: "b", ID: "1"}, photo{Tenant: "b", Album: "1", ID: "p"}
		get := func(err error) error { return err }
		var into *album
		var view struct{ Albums []album }
		tenant := map[string]func() error{
			"get":         func() error { _, err := w.a.albums.Get(ctx, other); return err },
			"strong":      func() error { _, err := w.a.albums.Strong().Get(ctx, other); return err },
			"get many":    func() error { _, err := w.a.albums.GetMany(ctx, []album{{ID: "1"}, other}); return err },
			"refs":        func() error { _, err := query.GetMany(ctx, query.Ref(w.a.albums, other)); return err },
			"create":      func() error { return w.a.albums.Create(ctx, &album{Tenant: "b", ID: "2"}) },
			"put":         func() error { return w.a.albums.Put(ctx, &album{Tenant: "b", ID: "2"}) },
			"overwrite":   func() error { return w.a.albums.Overwrite(ctx, &album{Tenant: "b", ID: "2"}) },
			"update":      func() error { _, err := w.a.albums.Update(ctx, other, title.Set("x")); return err },
			"upsert":      func() error { _, err := w.a.albums.Upsert(ctx, other, title.Set("x")); return err },
			"delete":      func() error { return w.a.albums.Delete(ctx, other) },
			"move to":     func() error { return tx.Write(ctx, tx.Move(w.a.albums, album{ID: "1"}, &album{Tenant: "b", ID: "2"})) },
			"move from":   func() error { return tx.Write(ctx, tx.Move(w.a.albums, other, &album{ID: "2"})) },
			"put many":    func() error { return w.a.albums.PutMany(ctx, slices.Values([]*album{{Tenant: "b", ID: "2"}})) },
			"delete many": func() error { return w.a.albums.DeleteMany(ctx, slices.Values([]album{other})) },
			"write": func() error {
				return tx.Write(ctx, w.a.albums.Op().Check(other), w.a.albums.Op().Delete(album{ID: "2"}))
			},
			"read": func() error {
				return tx.Read(ctx, tx.Get(w.a.albums, other, &into), tx.Get(w.a.albums, album{ID: "3"}, &into))
			},
			"query": func() error { _, err := query.Of(w.a.albums, other).Collect(ctx); return err },
			"input": func() error { _, err := query.Of(w.a.albums, other).Input(); return err },
			"index": func() error {
				_, err := query.On(w.a.photos, "by-place", photo{Tenant: "b", Place: "x"}).Count(ctx)
				return err
			},
			"collection": func() error {
				_, err := query.Of(w.a.photos, photo{Tenant: "b", Album: "1"}).Collection().Delete(ctx)
				return err
			},
			"load":       func() error { return query.Load(ctx, query.Of(w.a.albums, other).Collection(), &view) },
			"generation": func() error { _, _, err := w.a.books.Read(ctx, book{Tenant: "b", ID: "1"}); return err },
			"of a photo": func() error { return w.a.photos.Delete(ctx, photos) },
			"explain":    func() error { _, err := w.a.albums.Op().Get(other).Explain(); return err },
			"generation part": func() error {
				_, err := w.a.books.Replace(ctx, book{Tenant: "b", ID: "1"}, generations.Slice([]page{{N: 1}}))
				return err
			},
		}
		for name, f := range tenant {
			err := get(f())
			require.ErrorIs(t, err, trestle.ErrTenant, name)
			require.NotErrorIs(t, err, trestle.ErrInvalid, name)
		}
		invalid := map[string]func() error{
			"scan":          func() error { return collect(query.Scan(w.a.albums).All(ctx)) },
			"scan table":    func() error { return collect(query.ScanTable(w.a.table).All(ctx)) },
			"scan stored":   func() error { return collect(query.ScanStored(w.a.table).All(ctx)) },
			"create table":  func() error { return w.a.table.Create(ctx) },
			"check":         func() error { return maintain.Check(ctx, w.a.table) },
			"check items":   func() error { return testchecks.Items(ctx, w.a.table, 1) },
			"check guards":  func() error { return testchecks.Guards(ctx, w.a.table) },
			"repair guards": func() error { _, err := maintain.RepairGuards(ctx, w.a.table, maintain.Run{}); return err },
			"check counts":  func() error { return testchecks.Counts(ctx, w.a.table) },
			"repair counts": func() error { _, err := maintain.RepairCounts(ctx, w.a.table, maintain.Run{}); return err },
			"reindex": func() error {
				_, err := maintain.Reindex(ctx, w.a.table, maintain.Run{}, w.a.albums.Type())
				return err
			},
			"replacement": func() error { _, err := maintain.Replacement(ctx, w.a.table, "GSI1", "inverted"); return err },
			"no tenant":   func() error { _, err := w.types.plans.In(w.a.table).Get(ctx, plan{ID: "1"}); return err },
			"keys": func() error {
				_, err := shard.NewCounters(w.a.table, "x", shard.Config{Keys: &shard.Keys{}}).Total(ctx, "x")
				return err
			},
			"mixed write": func() error {
				return tx.Write(ctx, w.a.albums.Op().Delete(album{ID: "1"}), w.b.albums.Op().Delete(album{ID: "1"}))
			},
			"mixed table": func() error {
				return tx.Write(ctx, w.a.albums.Op().Delete(album{ID: "1"}), w.all.albums.Op().Delete(album{Tenant: "a", ID: "2"}))
			},
			"table first": func() error {
				return tx.Write(ctx, w.all.albums.Op().Delete(album{Tenant: "a", ID: "2"}), w.a.albums.Op().Delete(album{ID: "1"}))
			},
			"mixed read": func() error {
				return tx.Read(ctx, tx.Get(w.a.albums, album{ID: "1"}, &into), tx.Get(w.b.albums, album{ID: "1"}, &into))
			},
			"mixed refs": func() error {
				_, err := query.GetMany(ctx, query.Ref(w.a.albums, album{ID: "1"}), query.Ref(w.b.albums, album{ID: "1"}))
				return err
			},
			"other table": func() error {
				others := w.types.albums.In(w.types.open(t, w.raw, "others").Tenant("a"))
				return tx.Write(ctx, w.a.albums.Op().Delete(album{ID: "1"}), others.Op().Delete(album{ID: "1"}))
			},
			"other schema": func() error {
				again := w.layout.types()
				albums := again.albums.In(again.open(t, w.raw, "photos").Tenant("a"))
				return tx.Write(ctx, w.a.albums.Op().Delete(album{ID: "1"}), albums.Op().Delete(album{ID: "2"}))
			},
			"recount of another tenant": func() error {
				_, err := query.Recount(ctx, w.a.albums, album{ID: "1"}, albumPhotos, query.Of(w.b.photos, photo{Album: "1"}))
				return err
			},
			"recount of a collection of another tenant": func() error {
				_, err := query.Recount(ctx, w.a.albums, album{ID: "1"}, albumPhotos, query.Of(w.b.photos, photo{Album: "1"}).Collection())
				return err
			},
			"recount of the table": func() error {
				_, err := query.Recount(ctx, w.a.albums, album{ID: "1"}, albumPhotos, query.Of(w.all.photos, photo{Tenant: "a", Album: "1"}))
				return err
			},
			"recount in the table": func() error {
				_, err := query.Recount(ctx, w.all.albums, album{Tenant: "a", ID: "1"}, albumPhotos, query.Of(w.a.photos, photo{Album: "1"}))
				return err
			},
			"generations of two tenants": func() error {
				_, err := w.types.generations(w.a.table, w.b.table).Upsert(ctx, book{ID: "1"}, generations.Slice([]page{{N: 1}}))
				return err
			},
			"pointers of the table": func() error {
				_, _, err := w.types.generations(w.all.table, w.b.table).Read(ctx, book{Tenant: "a", ID: "1"})
				return err
			},
			"parts of the table": func() error {
				_, _, err := w.types.generations(w.a.table, w.all.table).Read(ctx, book{ID: "1"})
				return err
			},
			"mixed counter": func() error {
				return tx.Write(ctx, w.a.albums.Op().Delete(album{ID: "1"}), w.b.tickets.Op("x", 1, shard.Once("k")))
			},
		}
		for name, f := range invalid {
			err := get(f())
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
			require.NotErrorIs(t, err, trestle.ErrTenant, name)
		}
		bad := []string{"", "\xff", strings.Repeat("x", 1001)}
		for _, id := range []string{"b" + w.layout.delim + "A", "$U", "$Ux"} {
			_, err := w.types.albums.In(w.all.table.Tenant(id)).Op().Get(album{ID: "1"}).Explain()
			if w.layout.escape {
				require.NoError(t, err)
			} else {
				bad = append(bad, id)
			}
		}
		for _, id := range bad {
			_, err := w.types.albums.In(w.all.table.Tenant(id)).Get(ctx, album{ID: "1"})
			require.ErrorIs(t, err, trestle.ErrInvalid)
			require.ErrorIs(t, collect(query.ScanTable(w.all.table.Tenant(id)).All(ctx)), trestle.ErrInvalid)
			require.ErrorIs(t, testchecks.Items(ctx, w.all.table.Tenant(id), 1), trestle.ErrInvalid)
			require.ErrorIs(t, shard.NewCounters(w.all.table.Tenant(id), "v", shard.Config{}).Add(ctx, "v", 1, shard.Once("k")), trestle.ErrInvalid)
		}
		_, err = w.types.albums.In(w.a.table.Tenant("b")).Get(ctx, album{ID: "1"})
		require.ErrorIs(t, err, trestle.ErrInvalid)
		for _, id := range []string{"a", "b"} {
			_, err = w.types.albums.In(w.a.table.Tenant("b").Tenant(id)).Get(ctx, album{ID: "1"})
			require.ErrorIs(t, err, trestle.ErrInvalid, "the first mistake stays")
		}
		inputs, _, _ := w.record.take()
		require.Empty(t, inputs, "a refused call sends nothing")
		_, err = w.types.albums.In(w.a.table.Tenant("a")).Get(ctx, album{ID: "1"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.ErrorIs(t, entity.WriteMany(ctx, slices.Values([]entity.Operation{w.a.albums.Op().Delete(album{ID: "1"}), w.b.albums.Op().Delete(album{ID: "1"})})), trestle.ErrInvalid)
		_, err = w.b.albums.Get(ctx, album{ID: "1"})
		require.NoError(t, err)
	})
}

// collect returns the error of a sequence.
func collect[V any](all func(func(V, error) bool)) (err error) {
	for _, e := range all {
		err = e
	}
	return err
}

// A schema without tenants has no handles.
func TestTenant_needsRole(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	plans := entity.Define[plan](s)
	table, err := s.Open(dynamodb.New(dynamodb.Options{Region: "eu-north-1"}), "plans")
	require.NoError(t, err)
	_, err = plans.In(table.Tenant("a")).Get(t.Context(), plan{ID: "1"})
	require.ErrorIs(t, err, trestle.ErrInvalid)
	_, err = plans.In((*entity.Table)(nil).Tenant("a")).Get(t.Context(), plan{ID: "1"})
	require.ErrorIs(t, err, trestle.ErrInvalid)
}

// lowered is a text that its type writes in lower case.
type lowered string

func (l *lowered) UnmarshalText(text []byte) error {
	*l = lowered(strings.ToLower(string(text)))
	return nil
}

func (l lowered) MarshalText() ([]byte, error) { return []byte(l), nil }

// A handle is that of a tenant as its type writes it, and of no other text.
func TestTenant_otherForm(t *testing.T) {
	t.Parallel()
	type note struct {
		_      entity.Key `type:"note" pk:"T#<tenant>" sk:"NOTE#<id>"`
		Tenant lowered    `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
	}
	s := entity.NewSchema(entity.Config{})
	notes := entity.Define[note](s)
	table, err := s.Open(dynamodb.New(dynamodb.Options{Region: "eu-north-1"}), "notes")
	require.NoError(t, err)
	_, err = notes.In(table.Tenant("a")).Op().Get(note{ID: "1"}).Explain()
	require.NoError(t, err)
	_, err = notes.In(table.Tenant("A")).Op().Get(note{ID: "1"}).Explain()
	require.ErrorIs(t, err, trestle.ErrInvalid)
}

// Owned is embedded, also behind a pointer.
type Owned struct {
	Tenant string `dynamodbav:"tenant" entity:"tenant"`
}

// A handle sets the tenant of an embedded struct only when the write succeeds, and never in an
// example.
func TestTenant_embedded(t *testing.T) {
	t.Parallel()
	type note struct {
		_ entity.Key `type:"note" pk:"T#<tenant>" sk:"NOTE#<id>"`
		*Owned
		ID string `dynamodbav:"id"`
	}
	s := entity.NewSchema(entity.Config{})
	notes := entity.Define[note](s)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := s.Open(e.Client(t), "notes")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		own := notes.In(table.Tenant("a"))
		first := note{ID: "1"}
		require.NoError(t, own.Create(t.Context(), &first))
		require.Equal(t, "a", first.Tenant)
		second := note{ID: "1", Owned: new(Owned)}
		require.ErrorIs(t, own.Create(t.Context(), &second), trestle.ErrExists)
		require.Empty(t, second.Tenant)
		got, err := own.Get(t.Context(), second)
		require.NoError(t, err)
		require.Equal(t, "a", got.Tenant)
		require.Empty(t, second.Tenant)
		require.NoError(t, own.Delete(t.Context(), second))
		require.NoError(t, own.Create(t.Context(), &second))
		require.Equal(t, "a", second.Tenant)
	})
}

// A token is one of its tenant, also if another tenant and token have the same text together.
func TestToken(t *testing.T) {
	t.Parallel()
	y := (&layouts()[0]).types()
	table := y.open(t, dynamodb.New(dynamodb.Options{Region: "eu-north-1"}), "photos")
	guard := func(id string) *tenancy.Guard { return tenancy.New(hooks.TableOf(table).Schema, "photos", id) }
	token := guard("a").Token("bc")
	require.Equal(t, token, guard("a").Token("bc"))
	require.NotEqual(t, token, guard("ab").Token("c"))
	require.NotEqual(t, token, guard("a").Token("bd"))
	require.LessOrEqual(t, len(token), 36, "DynamoDB's limit")
	require.Empty(t, guard("a").Token(""))
	require.Equal(t, "bc", (*tenancy.Guard)(nil).Token("bc"))
}

// Tenants can use the same idempotency tokens.
func TestTokens_differ(t *testing.T) {
	t.Parallel()
	onEach(t, "a", "b", func(t *testing.T, w *world) {
		ctx := t.Context()
		for range 2 {
			for _, s := range []service{w.a, w.b} {
				require.NoError(t, tx.WriteOnce(ctx, "token", s.albums.Op().Upsert(album{ID: "1"}, title.Set("x"))))
				_, err := s.albums.Op().Upsert(album{ID: "2"}, title.Set("x")).Once("other").Do(ctx)
				require.NoError(t, err)
			}
		}
		for _, s := range []service{w.a, w.b} {
			for _, id := range []string{"1", "2"} {
				got, err := s.albums.Get(ctx, album{ID: id})
				require.NoError(t, err)
				require.EqualValues(t, 1, got.Version, "each token is applied once")
			}
		}
	})
}

// A cursor of the table is not one of a handle, and the other way round, although both read the
// same partition.
func TestCursors_areBound(t *testing.T) {
	t.Parallel()
	onEach(t, "a", "b", func(t *testing.T, w *world) {
		ctx := t.Context()
		w.seed(t)
		of := func(s service) query.Query[photo] {
			return query.Of(s.photos, photo{Tenant: "a", Album: "1"}).Limit(2)
		}
		bound, err := of(w.a).Page(ctx, "")
		require.NoError(t, err)
		free, err := of(w.all).Page(ctx, "")
		require.NoError(t, err)
		_, err = of(w.a).Page(ctx, free.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = of(w.all).Page(ctx, bound.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		for _, next := range []func() (query.Page[photo], error){
			func() (query.Page[photo], error) { return of(w.a).Page(ctx, bound.Next) },
			func() (query.Page[photo], error) { return of(w.all).Page(ctx, free.Next) },
		} {
			page, err := next()
			require.NoError(t, err)
			require.Len(t, page.Items, 2)
		}
	})
}
