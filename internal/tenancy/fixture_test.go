package tenancy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/shard"
)

type (
	album struct {
		Tenant  string `dynamodbav:"tenant"`
		ID      string `dynamodbav:"id"`
		Title   string `dynamodbav:"title,omitempty"`
		Photos  int    `dynamodbav:"photos"`
		Version int64  `dynamodbav:"version"`
	}
	photo struct {
		Tenant string `dynamodbav:"tenant"`
		Album  string `dynamodbav:"album"`
		ID     string `dynamodbav:"id"`
		Name   string `dynamodbav:"name,omitempty"`
		Place  string `dynamodbav:"place,omitempty"`
		Likes  int    `dynamodbav:"likes"`
	}
	book struct {
		Tenant string `dynamodbav:"tenant"`
		ID     string `dynamodbav:"id"`
		generations.Pointer
	}
	page struct {
		Tenant     string `dynamodbav:"tenant"`
		Book       string `dynamodbav:"book"`
		Generation string `dynamodbav:"generation"`
		N          int    `dynamodbav:"n"`
	}
	// plan belongs to no tenant.
	plan struct {
		_  entity.Key `type:"plan" pk:"PLAN" sk:"PLAN!<id>"`
		ID string     `dynamodbav:"id"`
	}
)

var (
	title       = attr.Must(func(a *album) *string { return &a.Title })
	name        = attr.Must(func(p *photo) *string { return &p.Name })
	place       = attr.Must(func(p *photo) *string { return &p.Place })
	albumPhotos = attr.Must(func(a *album) *int { return &a.Photos })

	likes = attr.Must(func(p *photo) *int { return &p.Likes })
)

// layout is a way to write the tenant into keys.
type layout struct {
	name   string
	config entity.Config
	start  string // the literal before the tenant in PK and GSI1PK; that of SK is X and start
	delim  string
	escape bool
}

// layouts are escaped keys with an inverted index, and raw keys with an index by attributes.
func layouts() []layout {
	inverted := entity.IndexConfig{Name: "inverted", Partition: []entity.Attribute{entity.S("SK")}, Sort: []entity.Attribute{entity.S("PK")}}
	byPlace := entity.IndexConfig{Name: "places", Partition: []entity.Attribute{entity.S("tenant"), entity.S("place")}, Sort: []entity.Attribute{entity.S("id")}}
	return []layout{
		{name: "escaped", start: "T#", delim: "#", escape: true, config: entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, inverted}}},
		{name: "raw", start: "T|", delim: "|", config: entity.Config{Delimiter: "|", Indexes: []entity.IndexConfig{{Name: "GSI1"}, inverted, byPlace}}},
	}
}

// key returns a template of the layout, which is written with #.
func (l *layout) key(text string) string {
	b := []byte(text)
	for i := range b {
		if b[i] == '#' {
			b[i] = l.delim[0]
		}
	}
	return string(b)
}

// types are the types of a layout.
type types struct {
	schema *entity.Schema
	albums *entity.Type[album]
	photos *entity.Type[photo]
	books  *entity.Type[book]
	pages  *entity.Type[page]
	plans  *entity.Type[plan]
}

func (l *layout) types() types {
	s := entity.NewSchema(l.config)
	key := func(pk, sk string) entity.KeySpec {
		return entity.KeySpec{PK: l.key(pk), SK: l.key("XT#<tenant>#" + sk)}
	}
	tenant := func(more map[string]string) map[string]string {
		more["tenant"] = "tenant"
		return more
	}
	return types{
		schema: s,
		albums: entity.DefineSpec[album](s, entity.Spec{Type: "album", Key: key("T#<tenant>#A#<id>", "ALBUM"), Roles: tenant(map[string]string{"version": "version"})}),
		photos: entity.DefineSpec[photo](s, entity.Spec{
			Type: "photo", Key: key("T#<tenant>#A#<album>", "PHOTO#<id>"), Roles: tenant(map[string]string{}),
			Indexes: []entity.IndexSpec{{Name: "by-place", On: "GSI1", PK: l.key("T#<tenant>#P#<place>"), SK: "<id>"}},
			Uniques: []entity.UniqueSpec{{Key: "<name>"}},
			Counted: []entity.CountedSpec{{In: "album", As: "photos", PK: l.key("T#<tenant>#A#<album>"), SK: l.key("XT#<tenant>#ALBUM")}},
		}),
		books: entity.DefineSpec[book](s, entity.Spec{Type: "book", Key: key("T#<tenant>#B#<id>", "BOOK"), Roles: tenant(map[string]string{})}),
		pages: entity.DefineSpec[page](s, entity.Spec{Type: "page", Key: key("T#<tenant>#G#<book>#<generation>", "PAGE#<n:06>"), Roles: tenant(map[string]string{})}),
		plans: entity.Define[plan](s),
	}
}

// open creates a table of the layout.
func (y *types) open(t *testing.T, client trestle.Client, name string) *entity.Table {
	t.Helper()
	table, err := y.schema.Open(client, name, entity.PlainCursors())
	require.NoError(t, err)
	return table
}

// service is what a program uses on a table, or on the handle of a tenant.
type service struct {
	table   *entity.Table
	albums  *entity.Repo[album]
	photos  *entity.Repo[photo]
	books   *generations.Repo[book, page]
	votes   *shard.Counters
	events  *shard.Counters
	tickets *shard.Bounded
}

func (y *types) service(table *entity.Table) service {
	return service{
		table: table, albums: y.albums.In(table), photos: y.photos.In(table),
		books:   y.generations(table, table),
		votes:   shard.NewCounters(table, "votes", shard.Config{Shards: 3, Listed: true}),
		events:  shard.NewCounters(table, "events", shard.Config{Mode: shard.Events, Shards: 2}),
		tickets: shard.NewBounded(table, "tickets", shard.BoundedConfig{Shards: 2}),
	}
}

// generations are those of books of one table and pages of another.
func (y *types) generations(books, pages *entity.Table) *generations.Repo[book, page] {
	placed := func(p *page, of book, generation string) {
		p.Tenant, p.Book, p.Generation = of.Tenant, of.ID, generation
	}
	return generations.New(y.books.In(books), y.pages.In(pages), placed, generations.Config{})
}
