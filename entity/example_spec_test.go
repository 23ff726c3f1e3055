package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// Song belongs to a package that must not import a database library.
type Song struct {
	Album   string `dynamodbav:"album"`
	Track   int    `dynamodbav:"track"`
	Title   string `dynamodbav:"title"`
	Version int64  `dynamodbav:"version"`
}

var (
	Music = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Songs = entity.DefineSpec[Song](Music, entity.Spec{
		Type:    "song",
		Key:     entity.KeySpec{PK: "ALBUM#<album>", SK: "SONG#<track:03>"},
		Indexes: []entity.IndexSpec{{Name: "by-title", On: "GSI1", PK: "TITLE#<title>", SK: "ALBUM#<album>"}},
		Roles:   map[string]string{"version": "version"},
	})
)

// A spec declares what struct tags declare, outside the struct.
func ExampleDefineSpec() {
	ctx := context.Background()
	table, err := Music.Open(ddbtest.New(ddbtest.Options{}).Client(), "music")
	if err != nil {
		log.Fatal(err)
	}
	songs := Songs.In(table)
	err = errors.Join(table.Create(ctx), songs.Create(ctx, &Song{Album: "a1", Track: 7, Title: "Keys"}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(songs.Get(ctx, Song{Album: "a1", Track: 7}))
	// Output:
	// {a1 7 Keys 1} <nil>
}
