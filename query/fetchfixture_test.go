package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// crate is on three groups of indexes. Those of a group have the same key attributes and differ
// only in their projection: all attributes, the keys, or some attributes.
type crate struct {
	_ entity.Key   `type:"crate" pk:"C#<id>" sk:"#"`
	_ entity.Index `name:"dock" on:"Whole" pk:"D#<dock>" sk:"C#<rank:04>#<id>"`
	_ entity.Index `name:"dock-keys" on:"Keys" pk:"D#<dock>" sk:"C#<rank:04>#<id>"`
	_ entity.Index `name:"dock-part" on:"Part" pk:"D#<dock>" sk:"C#<rank:04>#<id>"`
	_ entity.Index `name:"shard" on:"ShardWhole" pk:"S#<dock>#<shard:id>" sk:"<rank:04>#<id>" shards:"4"`
	_ entity.Index `name:"shard-keys" on:"ShardKeys" pk:"S#<dock>#<shard:id>" sk:"<rank:04>#<id>" shards:"4"`
	_ entity.Index `name:"shard-part" on:"ShardPart" pk:"S#<dock>#<shard:id>" sk:"<rank:04>#<id>" shards:"4"`
	_ entity.Index `name:"day" on:"DayWhole" pk:"T#<at:day>" sk:"<at:s>#<id>"`
	_ entity.Index `name:"day-keys" on:"DayKeys" pk:"T#<at:day>" sk:"<at:s>#<id>"`
	_ entity.Index `name:"day-part" on:"DayPart" pk:"T#<at:day>" sk:"<at:s>#<id>"`

	ID   string    `dynamodbav:"id"`
	Dock string    `dynamodbav:"dock"`
	Rank int       `dynamodbav:"rank"`
	At   time.Time `dynamodbav:"at"`
	Note string    `dynamodbav:"note,omitempty"`
	Mass int       `dynamodbav:"mass"`
	Tags []string  `dynamodbav:"tags,stringset,omitempty"`
}

// pallet is on the same indexes as crate.
type pallet struct {
	_    entity.Key   `type:"pallet" pk:"P#<id>" sk:"#"`
	_    entity.Index `name:"dock" on:"Whole" pk:"D#<dock>" sk:"P#<id>"`
	_    entity.Index `name:"dock-keys" on:"Keys" pk:"D#<dock>" sk:"P#<id>"`
	_    entity.Index `name:"dock-part" on:"Part" pk:"D#<dock>" sk:"P#<id>"`
	ID   string       `dynamodbav:"id"`
	Dock string       `dynamodbav:"dock"`
	Wood string       `dynamodbav:"wood"`
}

type (
	crateMass struct {
		Mass int `dynamodbav:"mass"`
	}
	crateNote struct {
		Note string `dynamodbav:"note"`
	}
)

var (
	crateSchema = entity.NewSchema(entity.Config{
		Indexes:  slices.Concat(projections("", "G"), projections("Shard", "S"), projections("Day", "T")),
		Observer: trestle.ObserverFunc(passEvent),
	})
	crates      = entity.Define[crate](crateSchema)
	pallets     = entity.Define[pallet](crateSchema)
	crateMasses = entity.Project[crateMass](crates)
	crateNotes  = entity.Project[crateNote](crates)
	crateRank   = attr.Must(func(c *crate) *int { return &c.Rank })
	crateAt     = attr.Must(func(c *crate) *time.Time { return &c.At })
	crateText   = attr.Must(func(c *crate) *string { return &c.Note })
	crateMassOf = attr.Must(func(c *crate) *int { return &c.Mass })
	crateTags   = attr.Must(func(c *crate) *[]string { return &c.Tags })
)

// eventKey is the key of a context for the event that is recorded last.
type eventKey struct{}

// passEvent stores an event in the variable of the context, if it has one.
func passEvent(ctx context.Context, e trestle.Event) {
	if last, ok := ctx.Value(eventKey{}).(*trestle.Event); ok {
		*last = e
	}
}

// recorded returns a context whose last event is stored in a variable.
func recorded(t *testing.T) (context.Context, *trestle.Event) {
	t.Helper()
	last := new(trestle.Event)
	return context.WithValue(t.Context(), eventKey{}, last), last
}

// projections returns three indexes with the same keys.
func projections(prefix, key string) []entity.IndexConfig {
	pk, sk := []entity.Attribute{entity.S(key + "PK")}, []entity.Attribute{entity.S(key + "SK")}
	return []entity.IndexConfig{
		{Name: prefix + "Whole", Partition: pk, Sort: sk}, {Name: prefix + "Keys", Partition: pk, Sort: sk, KeysOnly: true},
		{Name: prefix + "Part", Partition: pk, Sort: sk, Include: []string{"note"}},
	}
}

func openCrates(t *testing.T, client trestle.Client) *entity.Table {
	t.Helper()
	table, err := crateSchema.Open(client, "crates", entity.PlainCursors())
	require.NoError(t, err)
	return table
}

// newCrates creates a table with n crates and some pallets at the dock "a".
func newCrates(t *testing.T, client trestle.Client, r *rand.Rand, n int) (*entity.Table, []*crate) {
	t.Helper()
	table := openCrates(t, client)
	require.NoError(t, table.Create(t.Context()))
	var all []*crate
	for i := range n {
		all = append(all, randomCrate(r, i))
	}
	require.NoError(t, crates.In(table).PutMany(t.Context(), slices.Values(all)))
	for i := range 5 {
		require.NoError(t, pallets.In(table).Put(t.Context(), &pallet{ID: fmt.Sprint(i), Dock: "a", Wood: "oak"}))
	}
	return table, all
}

func randomCrate(r *rand.Rand, i int) *crate {
	c := &crate{ID: fmt.Sprintf("%03d", i), Dock: "a", Rank: r.IntN(20), At: day(1).Add(time.Duration(r.IntN(72)) * time.Hour), Mass: r.IntN(5)}
	if r.IntN(3) > 0 {
		c.Note = pick(r, "red", "reddish", "blue")
	}
	if r.IntN(2) == 0 {
		c.Tags = []string{pick(r, "x", "y"), "z"}
	}
	return c
}

// cratesOf returns the query of a group of indexes: dock, shard or day.
func cratesOf(repo entity.Source[crate], group, projection string) query.Query[crate] {
	q := query.On(repo, group+projection, crate{Dock: "a"})
	if group == "day" {
		q = query.On(repo, group+projection, crate{}).Where(attr.During(crateAt, attr.Period{Start: day(1), End: day(5)}))
	}
	return q
}
