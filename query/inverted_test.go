package query_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// role is an actor's role in a movie. The table groups roles by actor. The inverted index, whose
// key is the table's key with both attributes swapped, groups them by movie.
type role struct {
	_     entity.Key   `type:"role" pk:"ACTOR#<actor>" sk:"MOVIE#<movie>"`
	_     entity.Index `name:"by-movie" on:"Inverted"`
	Actor string       `dynamodbav:"actor"`
	Movie string       `dynamodbav:"movie"`
	Part  string       `dynamodbav:"part"`
}

// movie has its key in both attributes, so that it is in its own partition of both the table and
// the index.
type movie struct {
	_     entity.Key   `type:"movie" pk:"MOVIE#<title>" sk:"MOVIE#<title>"`
	_     entity.Index `name:"with-roles" on:"Inverted"`
	Title string       `dynamodbav:"title"`
	Year  int          `dynamodbav:"year"`
}

// actor is in the same partition as its roles.
type actor struct {
	_    entity.Key `type:"actor" pk:"ACTOR#<name>" sk:"ACTOR#<name>"`
	Name string     `dynamodbav:"name"`
}

var (
	films = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Inverted", Partition: []entity.Attribute{entity.S("SK")}, Sort: []entity.Attribute{entity.S("PK")}},
	}})
	roles  = entity.Define[role](films)
	movies = entity.Define[movie](films)
	actors = entity.Define[actor](films)

	roleActor = attr.Must(func(r *role) *string { return &r.Actor })
	rolePart  = attr.Must(func(r *role) *string { return &r.Part })
)

// casting lists the roles. One title is a prefix of another and contains the key delimiter.
var casting = []role{
	{Actor: "Hanks", Movie: "Toy Story", Part: "Woody"},
	{Actor: "Allen", Movie: "Toy Story", Part: "Buzz"},
	{Actor: "Hanks", Movie: "Toy Story#2", Part: "Woody"},
	{Actor: "Cusack", Movie: "Toy Story#2", Part: "Jessie"},
	{Actor: "Hanks", Movie: "Big", Part: "Josh"},
}

func fillFilms(t *testing.T, client trestle.Client) *entity.Table {
	t.Helper()
	table, err := films.Open(client, "films", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for _, name := range []string{"Hanks", "Allen", "Cusack"} {
		require.NoError(t, actors.In(table).Create(t.Context(), &actor{Name: name}))
	}
	for title, year := range map[string]int{"Toy Story": 1995, "Toy Story#2": 1999, "Big": 1988} {
		require.NoError(t, movies.In(table).Create(t.Context(), &movie{Title: title, Year: year}))
	}
	for _, r := range casting {
		require.NoError(t, roles.In(table).Create(t.Context(), &r))
	}
	return table
}

func partsOf(t *testing.T, q query.Query[role]) (all []string) {
	t.Helper()
	for _, r := range collect(t, q.All(t.Context())) {
		all = append(all, r.Actor+" as "+r.Part)
	}
	return all
}

// Queries read a relation from both sides, and only the items of the relation.
func TestInvertedIndex(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		repo := roles.In(fillFilms(t, e.Client(t)))
		require.Equal(t, []string{"Hanks as Josh", "Hanks as Woody", "Hanks as Woody"}, partsOf(t, query.Of(repo, role{Actor: "Hanks"})))
		toys := query.On(repo, "by-movie", role{Movie: "Toy Story"})
		require.Equal(t, []string{"Allen as Buzz", "Hanks as Woody"}, partsOf(t, toys))
		require.Equal(t, []string{"Hanks as Woody", "Allen as Buzz"}, partsOf(t, toys.Desc()))
		require.Equal(t, []string{"Hanks as Woody"}, partsOf(t, toys.Where(roleActor.Gt("Allen"))))
		require.Equal(t, []string{"Allen as Buzz"}, partsOf(t, toys.Where(attr.BeginsWith(roleActor, "A"))))
		require.Equal(t, []string{"Hanks as Woody"}, partsOf(t, toys.Filter(rolePart.Eq("Woody"))))
		require.Equal(t, []string{"Cusack as Jessie", "Hanks as Woody"}, partsOf(t, query.On(repo, "by-movie", role{Movie: "Toy Story#2"})))
		require.Empty(t, partsOf(t, query.On(repo, "by-movie", role{Movie: "Toy"})))

		page, err := toys.Page(t.Context(), "")
		require.NoError(t, err)
		require.Equal(t, 2, page.Scanned, "the movie's own item is not read")
		all, err := toys.Collection().Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 3, all, "although it is there")
	})
}

// The sort key of such a type repeats its partition key. The example decides conditions on it, and
// the query sends nothing if one is false.
func TestConditionsOnATypeWithAConstantKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		fillFilms(t, client)
		counted := &counting{Client: client}
		table, err := films.Open(counted, "films")
		require.NoError(t, err)
		repo, big := movies.In(table), movie{Title: "Big"}
		title := attr.Must(func(m *movie) *string { return &m.Title })
		for _, q := range []query.Query[movie]{query.Of(repo, big), query.On(repo, "with-roles", big)} {
			for _, c := range []attr.KeyCond[movie]{
				title.Eq("Big"), title.Ge("Big"), title.Le("Big"), title.Gt("A"), title.Lt("C"), title.Between("A", "Big"), attr.BeginsWith(title, "Bi"),
			} {
				require.Equal(t, []movie{{Title: "Big", Year: 1988}}, collect(t, q.Where(c).All(t.Context())), "%v", c)
				all, err := q.Where(c).Collection().Count(t.Context())
				require.NoError(t, err)
				require.Equal(t, 1, all, "%v", c)
			}
			sent := counted.sent.Load()
			for _, c := range []attr.KeyCond[movie]{
				title.Eq("Toy Story"), title.Gt("Big"), title.Lt("Big"), title.Between("C", "D"), attr.BeginsWith(title, "T"), title.Eq("Big#"),
			} {
				require.Empty(t, collect(t, q.Where(c).All(t.Context())), "%v", c)
				_, err := q.Where(c).First(t.Context())
				require.ErrorIs(t, err, trestle.ErrNotFound)
				_, err = q.Where(c).Input()
				require.ErrorIs(t, err, trestle.ErrInvalid, "there is no request")
				plan, err := q.Where(c).Explain()
				require.NoError(t, err)
				require.Zero(t, plan.Units.Read)
			}
			for _, c := range []attr.KeyCond[movie]{title.Eq(""), title.Between("b", "a")} {
				_, err := q.Where(c).Collect(t.Context())
				require.ErrorIs(t, err, trestle.ErrInvalid, "%v", c)
			}
			require.Equal(t, sent, counted.sent.Load())
		}
	})
}

// A partition of the index is a collection that contains the movie and all its roles.
func TestInvertedCollection(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := fillFilms(t, e.Client(t))
		var credits struct {
			Movie movie
			Roles []role
		}
		all := query.On(movies.In(table), "with-roles", movie{Title: "Toy Story"}).Collection()
		require.NoError(t, query.Load(t.Context(), all, &credits))
		require.Equal(t, 1995, credits.Movie.Year)
		require.Len(t, credits.Roles, 2)
		var life struct {
			Actor actor
			Roles []role
		}
		require.NoError(t, query.Load(t.Context(), query.Of(actors.In(table), actor{Name: "Hanks"}).Collection(), &life))
		require.Len(t, life.Roles, 3)
	})
}

// Pages of the index continue from the table's key, which contains all key attributes.
func TestPagesOfAnInvertedIndex(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		repo := roles.In(fillFilms(t, e.Client(t)))
		q := query.On(repo, "by-movie", role{Movie: "Toy Story#2"}).Limit(1)
		var got []string
		for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
			page, err := q.Page(t.Context(), cursor)
			require.NoError(t, err)
			require.LessOrEqual(t, page.Scanned, 1)
			for _, r := range page.Items {
				got = append(got, r.Actor)
			}
			cursor = page.Next
		}
		require.Equal(t, []string{"Cusack", "Hanks"}, got)
	})
}

// The index needs no additional attribute. An item contains its key, its type and its fields. A
// write to the table also updates the index.
func TestInvertedIndexNeedsNoAttribute(t *testing.T) {
	t.Parallel()
	table, err := films.Open(silent{}, "films")
	require.NoError(t, err)
	item, err := roles.Encode(&casting[0])
	require.NoError(t, err)
	require.Len(t, item, 6)
	for _, name := range []string{"PK", "SK", "_type", "actor", "movie", "part"} {
		require.Contains(t, item, name)
	}
	_, err = query.On(roles.In(table).Strong(), "by-movie", role{Movie: "Big"}).Input()
	require.ErrorIs(t, err, trestle.ErrInvalid, "it is a global index all the same")
	_, err = query.On(roles.In(table), "by-movie", role{Actor: "Hanks"}).Input()
	require.ErrorIs(t, err, trestle.ErrInvalid, "the partition is the movie")
}

// credit is a row of an existing table whose key consists of two plain attributes. Nothing is
// rendered.
type credit struct {
	_     entity.Key   `type:"credit"`
	_     entity.Index `name:"by-movie" on:"MovieActor"`
	Actor string       `dynamodbav:"actor"`
	Movie string       `dynamodbav:"movie"`
	Part  string       `dynamodbav:"part,omitempty"`
}

// The same relation works in an existing table without prefixes, types, or other attributes of the
// library.
func TestInvertedIndexOnPlainAttributes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{
			Partition: entity.S("actor"), Sort: entity.S("movie"), Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
			Indexes: []entity.IndexConfig{
				{Name: "MovieActor", Partition: []entity.Attribute{entity.S("movie")}, Sort: []entity.Attribute{entity.S("actor")}},
			},
		})
		credits := entity.Define[credit](s)
		client := e.Client(t)
		table, err := s.Open(client, "credits")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := credits.In(table)
		for _, r := range casting {
			c := credit{Actor: r.Actor, Movie: r.Movie, Part: r.Part}
			item, err := credits.Encode(&c)
			require.NoError(t, err)
			require.Len(t, item, 3)
			_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("credits"), Item: item})
			require.NoError(t, err)
		}
		names := func(q query.Query[credit]) (all []string) {
			for _, c := range collect(t, q.All(t.Context())) {
				all = append(all, c.Actor+" in "+c.Movie)
			}
			return all
		}
		require.Equal(t, []string{"Hanks in Big", "Hanks in Toy Story", "Hanks in Toy Story#2"}, names(query.Of(repo, credit{Actor: "Hanks"})))
		require.Equal(t, []string{"Allen in Toy Story", "Hanks in Toy Story"}, names(query.On(repo, "by-movie", credit{Movie: "Toy Story"})))
		require.Equal(t, []string{"Cusack in Toy Story#2", "Hanks in Toy Story#2"}, names(query.On(repo, "by-movie", credit{Movie: "Toy Story#2"})))
	})
}
