package schemadiff_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type (
	company struct {
		_    entity.Key   `type:"company" pk:"COM#<id>" sk:"#METADATA#<id>"`
		_    entity.Index `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
		ID   string       `dynamodbav:"id"`
		Name string       `dynamodbav:"name,omitempty"`
	}
	employee struct {
		_         entity.Key   `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
		_         entity.Index `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
		_         entity.Index `name:"by-level" on:"Levels"`
		CompanyID string       `dynamodbav:"company_id"`
		ID        string       `dynamodbav:"id"`
		HiredAt   time.Time    `dynamodbav:"hired_at,omitempty"`
		Team      string       `dynamodbav:"team,omitempty"`
		Level     int          `dynamodbav:"level,omitempty"`
		Photo     *[]byte      `dynamodbav:"photo"`
	}
)

// ordinary returns a typical table with a global index of text keys and an index with a
// multi-attribute key.
func ordinary() *entity.Schema {
	s := entity.NewSchema(entity.Config{TTL: "expires", Indexes: []entity.IndexConfig{
		{Name: "GSI1", Include: []string{"name", "id"}},
		{Name: "Levels", Partition: []entity.Attribute{entity.S("company_id"), entity.S("team")}, Sort: []entity.Attribute{entity.N("level"), entity.S("id")}},
	}})
	entity.Define[company](s)
	entity.Define[employee](s)
	return s
}

type (
	role struct {
		_     entity.Key   `type:"role" pk:"ACTOR#<actor>" sk:"MOVIE#<movie>"`
		_     entity.Index `name:"by-movie" on:"Inverted"`
		Actor string       `dynamodbav:"actor"`
		Movie string       `dynamodbav:"movie"`
	}
	movie struct {
		_     entity.Key   `type:"movie" pk:"MOVIE#<title>" sk:"MOVIE#<title>"`
		_     entity.Index `name:"itself" on:"Inverted"`
		Title string       `dynamodbav:"title"`
	}
)

// inverted returns a table whose index swaps the table's key attributes.
func inverted() *entity.Schema {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Inverted", Partition: []entity.Attribute{entity.S("SK")}, Sort: []entity.Attribute{entity.S("PK")}, KeysOnly: true},
	}})
	entity.Define[movie](s)
	entity.Define[role](s)
	return s
}

// device is an item of an existing table, with attribute names that need quoting.
type device struct {
	_        entity.Key   `type:"device state" pk:"<DeviceID>" sk:"<State>#<Date>"`
	_        entity.Index `name:"by operator" on:"by.operator"`
	_        entity.Index `name:"by-weight" on:"weights"`
	DeviceID string
	Operator string
	Date     string
	State    string
	Weight   float64 `dynamodbav:"Weight|kg"`
}

func native() *entity.Schema {
	s := entity.NewSchema(entity.Config{
		Partition: entity.S("DeviceID"), Sort: entity.S("State Date"), Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
		Indexes: []entity.IndexConfig{
			{Name: "by.operator", Partition: []entity.Attribute{entity.S("Operator")}, Sort: []entity.Attribute{entity.S("Date")}},
			{Name: "weights", Sort: []entity.Attribute{entity.N("Weight|kg")}, Local: true},
		},
	})
	entity.Define[device](s)
	return s
}

type (
	session struct {
		_  entity.Key `type:"session" pk:"<id>"`
		ID []byte     `dynamodbav:"id"`
	}
	login struct {
		_  entity.Key   `type:"login" pk:"<id>"`
		_  entity.Index `name:"recent" on:"Recent" pk:"<day>"`
		ID []byte       `dynamodbav:"id"`
		At int64        `dynamodbav:"day"`
	}
)

// single returns a table with a binary key. Neither the table nor its index has a sort key.
func single(more bool) *entity.Schema {
	s := entity.NewSchema(entity.Config{Partition: entity.B("id"), NoSort: true, TypeAttribute: entity.None, Indexes: []entity.IndexConfig{
		{Name: "Recent", Partition: []entity.Attribute{entity.N("day")}, NoSort: true},
	}})
	entity.Define[login](s)
	if more {
		entity.Define[session](s)
	}
	return s
}

type (
	cat struct {
		_    entity.Key `type:"cat" pk:"PET#<id>" sk:"PET#<id>#<at:s>" shared:"yes"`
		ID   string     `dynamodbav:"id"`
		At   time.Time  `dynamodbav:"at"`
		Purr int        `dynamodbav:"purr"`
	}
	dog struct {
		_    entity.Key `type:"dog" pk:"PET#<id>" sk:"PET#<id>#<at:s>" shared:"yes"`
		ID   string     `dynamodbav:"id"`
		At   time.Time  `dynamodbav:"at"`
		Bark int        `dynamodbav:"bark"`
	}
)

// pets returns a table of types that share their keys.
func pets() *entity.Schema {
	s := entity.NewSchema(entity.Config{})
	entity.Define[cat](s)
	entity.Define[dog](s)
	return s
}

// TestSheets compares the documents of schemas with the files in testdata.
func TestSheets(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*entity.Schema{
		"ordinary": ordinary(), "inverted": inverted(), "native": native(), "single": single(false), "pets": pets(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, s.Err())
			golden(t, name+".md", s.Chart())
			golden(t, name+".txt", s.Text())
			require.Empty(t, s.Drift(s.Text()))
		})
	}
}

func golden(t *testing.T, file, text string) {
	t.Helper()
	path := filepath.Join("..", "schemadoc", "testdata", file)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// TestNoSheetOfAnUnsoundSchema checks that an invalid schema has no document and that its drift is
// not empty.
func TestNoSheetOfAnUnsoundSchema(t *testing.T) {
	t.Parallel()
	s := single(true)
	require.Error(t, s.Err())
	require.Empty(t, s.Chart())
	require.Empty(t, s.Text())
	require.NotEmpty(t, s.Drift(""))
}
