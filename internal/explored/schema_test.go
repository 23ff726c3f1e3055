package explored_test

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	split "github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
)

type (
	// account has a version.
	account struct {
		_       entity.Key `type:"account" pk:"ACC#<id>" sk:"ACC"`
		ID      string     `dynamodbav:"id"`
		Sum     int64      `dynamodbav:"sum"`
		Version int64      `dynamodbav:"version" entity:"version"`
	}
	// purse has no version.
	purse struct {
		_   entity.Key `type:"purse" pk:"PURSE#<id>" sk:"PURSE"`
		ID  string     `dynamodbav:"id"`
		Sum int64      `dynamodbav:"sum"`
	}
	// listing has an index key of two fields.
	listing struct {
		_     entity.Key   `type:"listing" pk:"LIST#<id>" sk:"LIST"`
		_     entity.Index `name:"by-city" on:"GSI1" pk:"CITY#<city>" sk:"<color>#<id>"`
		ID    string       `dynamodbav:"id"`
		City  string       `dynamodbav:"city"`
		Color string       `dynamodbav:"color"`
	}
	// user has a unique value.
	user struct {
		_       entity.Key `type:"user" pk:"USER#<id>" sk:"USER"`
		ID      string     `dynamodbav:"id"`
		Email   string     `dynamodbav:"email" entity:"unique"`
		Version int64      `dynamodbav:"version" entity:"version"`
	}
	// post counts its comments.
	post struct {
		_        entity.Key `type:"post" pk:"POST#<id>" sk:"POST"`
		ID       string     `dynamodbav:"id"`
		Comments int64      `dynamodbav:"comments"`
		Title    string     `dynamodbav:"title"`
	}
	comment struct {
		_      entity.Key     `type:"comment" pk:"COMMENT#<id>" sk:"COMMENT"`
		_      entity.Counted `in:"post" as:"comments" pk:"POST#<post>" sk:"POST"`
		ID     string         `dynamodbav:"id"`
		Post   string         `dynamodbav:"post"`
		Author string         `dynamodbav:"author"`
	}
	// document is a pointer item.
	document struct {
		_  entity.Key `type:"document" pk:"DOC#<id>" sk:"DOC"`
		ID string     `dynamodbav:"id"`
		generations.Pointer
	}
	paragraph struct {
		_          entity.Key `type:"paragraph" pk:"PAR#<document>#<generation>" sk:"PAR#<n:06>"`
		Document   string     `dynamodbav:"document"`
		Generation string     `dynamodbav:"generation"`
		N          int        `dynamodbav:"n"`
		Text       string     `dynamodbav:"text"`
	}
)

var (
	schema = entity.NewSchema(entity.Config{
		Indexes: []entity.IndexConfig{{Name: "GSI1"}},
		Clock:   time.Now, // that of the bubble
	})
	accounts   = entity.Define[account](schema)
	purses     = entity.Define[purse](schema)
	listings   = entity.Define[listing](schema)
	users      = entity.Define[user](schema)
	posts      = entity.Define[post](schema)
	comments   = entity.Define[comment](schema)
	documents  = entity.Define[document](schema)
	paragraphs = entity.Define[paragraph](schema)
	_          = entity.Define[sheetHead](schema)
	lines      = entity.Define[sheetLine](schema)
	sheets     = split.Define[sheet](schema)

	accountSum   = attr.Must(func(a *account) *int64 { return &a.Sum })
	purseSum     = attr.Must(func(p *purse) *int64 { return &p.Sum })
	listingCity  = attr.Must(func(l *listing) *string { return &l.City })
	listingColor = attr.Must(func(l *listing) *string { return &l.Color })
	userEmail    = attr.Must(func(u *user) *string { return &u.Email })
)

const tableName = "explored"

// open opens the table for a client. The choices of the library repeat themselves in every run.
func open(w require.TestingT, client *dynamodb.Client, name string) *entity.Table {
	table, err := schema.Open(client, tableName, entity.Random(source(name)))
	require.NoError(w, err)
	return table
}

// source returns random bytes that depend on the name.
func source(name string) *rand.ChaCha8 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], h.Sum64())
	return rand.NewChaCha8(seed)
}

// setup creates the table, and items.
func setup(t testing.TB, p protocol) func(*ddbtest.DB) {
	return func(db *ddbtest.DB) {
		table := open(t, db.Client(), "setup")
		require.NoError(t, table.Create(context.Background()))
		if p.fill != nil {
			require.NoError(t, p.fill(context.Background(), table))
		}
		if p.foreign != nil {
			item, err := p.foreign()
			require.NoError(t, err)
			db.Load(t, tableName, item)
		}
		if p.change != nil {
			p.change(t, db)
		}
	}
}

// client declares a client that opens the table.
func client(w *explore.World, name string, options []func(*dynamodb.Options), f func(ctx context.Context, table *entity.Table)) {
	w.Client(name, func(ctx context.Context, c *dynamodb.Client) { f(ctx, open(w, c, name)) }, options...)
}

// items returns the stored items of a type.
func items[T any](db *ddbtest.DB, of *entity.Type[T]) ([]T, error) {
	var list []T
	for _, item := range db.Dump(tableName) {
		if typeName(item) != of.Name() {
			continue
		}
		e, err := of.Decode(item)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}
