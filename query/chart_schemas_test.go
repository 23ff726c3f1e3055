package query_test

import (
	"testing"
	"time"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// charted is a schema with a function that interviews its types.
type charted struct {
	schema *entity.Schema
	raw    bool
	ask    func(t *testing.T, x *interview)
}

// interview interviews all types.
func (c charted) interview(t *testing.T) *interview {
	t.Helper()
	x := newInterview(t, c.schema, c.raw)
	c.ask(t, x)
	x.end()
	return x
}

// chartedPeople is a table with text keys and neighbor types, and an index of several attributes.
func chartedPeople() charted {
	return charted{schema, false, func(t *testing.T, x *interview) {
		t.Helper()
		at := time.Date(2026, 8, 9, 10, 11, 12, 0, time.UTC)
		ask(t, x, companies, texts{"id": "c#1", "name": "A & B"}, company{ID: "c#1", Name: "A & B"}, company{ID: "c#1"},
			asking[company]{access: "by-name", example: company{Name: "A & B"}})
		ask(t, x, employees, texts{"company_id": "c#1", "id": "e 1", "hired_at:day": "2026-08-09", "team": "red#1", "level": "3"},
			employee{CompanyID: "c#1", ID: "e 1", HiredAt: at, Team: "red#1", Level: 3}, employee{CompanyID: "c#1"},
			asking[employee]{access: "by-hire", example: employee{CompanyID: "c#1"}},
			asking[employee]{access: "by-level", example: employee{CompanyID: "c#1", Team: "red#1"}})
		ask(t, x, logs, texts{"company_id": "c#1", "id": "l$1"}, employeeLog{CompanyID: "c#1", ID: "l$1"}, employeeLog{CompanyID: "c#1"})
	}}
}

// chartedFilms is a table with an inverted index.
func chartedFilms() charted {
	return charted{films, false, func(t *testing.T, x *interview) {
		t.Helper()
		ask(t, x, roles, texts{"actor": "Tom #1", "movie": "Big $"}, role{Actor: "Tom #1", Movie: "Big $"}, role{Actor: "Tom #1"},
			asking[role]{access: "by-movie", example: role{Movie: "Big $"}})
		ask(t, x, movies, texts{"title": "Big $"}, movie{Title: "Big $"}, movie{Title: "Big $"},
			asking[movie]{access: "with-roles", example: movie{Title: "Big $"}})
		ask(t, x, actors, texts{"name": "Tom #1"}, actor{Name: "Tom #1"}, actor{Name: "Tom #1"})
	}}
}

// chartedParcels has an index of each kind.
func chartedParcels() charted {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Whole"},
		{Name: "Keys", Partition: []entity.Attribute{entity.S("kind")}, Sort: []entity.Attribute{entity.S("id")}, KeysOnly: true},
		{Name: "Part", Partition: []entity.Attribute{entity.S("tag")}, NoSort: true, Include: []string{"note"}},
		{Name: "Local", Sort: []entity.Attribute{entity.N("rank")}, Kind: entity.LocalIndex, Include: []string{"note"}},
	}})
	parcels := entity.Define[parcel](s)
	kinds, notes := entity.Project[parcelKind](parcels), entity.Project[parcelNote](parcels)
	return charted{s, false, func(t *testing.T, x *interview) {
		t.Helper()
		ask(t, x, parcels, texts{"shop": "s#", "id": "i#", "way": "w#", "rank": "7", "rank:06": "000007", "kind": "k#", "tag": "t#"},
			parcel{Shop: "s#", ID: "i#", Way: "w#", Rank: 7, Kind: "k#", Tag: "t#"}, parcel{Shop: "s#"},
			asking[parcel]{access: "by-way", example: parcel{Way: "w#"}},
			asking[parcel]{"by-kind", parcel{Kind: "k#"}, func(q query.Query[parcel]) sendable { return query.As(q, kinds) }},
			asking[parcel]{"by-tag", parcel{Tag: "t#"}, func(q query.Query[parcel]) sendable { return query.As(q, notes) }},
			asking[parcel]{access: "by-rank", example: parcel{Shop: "s#"}})
	}}
}

// chartedGuests has types that share an index. The index projects all attributes or only keys. A
// type attribute or the keys distinguish the types.
func chartedGuests(typeAttribute string, keysOnly bool) charted {
	s := entity.NewSchema(entity.Config{TypeAttribute: typeAttribute, Indexes: []entity.IndexConfig{{Name: "GSI1", KeysOnly: keysOnly}}})
	visits, calls := entity.Define[visit](s), entity.Define[call](s)
	at, text := time.Date(2026, 8, 9, 10, 11, 12, 0, time.UTC), "2026-08-09T10:11:12Z"
	return charted{s, false, func(t *testing.T, x *interview) {
		t.Helper()
		ask(t, x, visits, texts{"guest": "ada#", "id": "v#", "at:s": text}, visit{Name: "ada#", ID: "v#", At: at}, visit{Name: "ada#"},
			asking[visit]{access: "by-time", example: visit{Name: "ada#"}})
		ask(t, x, calls, texts{"guest": "ada#", "id": "c#", "began:s": text}, call{Name: "ada#", ID: "c#", Began: at}, call{Name: "ada#"},
			asking[call]{access: "by-time", example: call{Name: "ada#"}})
	}}
}

type (
	tabby struct {
		_    entity.Key   `type:"tabby" pk:"PET#<id>#<born:day>" sk:"PET#<id>#<born:day>#<seen:s,desc>" shared:"yes"`
		_    entity.Index `name:"by-home" on:"GSI1" pk:"HOME#<home>" sk:"<home>#<born:day>" shared:"yes"`
		ID   string       `dynamodbav:"id"`
		Home string       `dynamodbav:"home"`
		Born time.Time    `dynamodbav:"born"`
		Seen time.Time    `dynamodbav:"seen"`
	}
	hound struct {
		_    entity.Key   `type:"hound" pk:"PET#<id>#<born:day>" sk:"PET#<id>#<born:day>#<seen:s,desc>" shared:"yes"`
		_    entity.Index `name:"by-home" on:"GSI1" pk:"HOME#<home>" sk:"<home>#<born:day>" shared:"yes"`
		_    entity.Index `name:"by birth" on:"Births" pk:"B" sk:"<born:day>"`
		ID   string       `dynamodbav:"id"`
		Home string       `dynamodbav:"home"`
		Born time.Time    `dynamodbav:"born"`
		Seen time.Time    `dynamodbav:"seen"`
	}
	// kennel is in the table's partition with another time format, and in the index's partition
	// with another field name.
	kennel struct {
		_     entity.Key   `type:"kennel" pk:"PET#<name>#<built:hour>" sk:"KENNEL#<built:day>"`
		_     entity.Index `name:"itself" on:"GSI1" pk:"HOUSE#<name>" sk:"KENNEL#<name>"`
		Name  string       `dynamodbav:"name"`
		Built time.Time    `dynamodbav:"built"`
	}
)

// chartedPets has types that share the table's key and an index. A filter distinguishes the types.
// If the index does not project the attribute of the filter, no query reads a single type.
func chartedPets(held ...string) charted {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1", Include: held}, {Name: "Births"}}})
	tabbies, hounds, kennels := entity.Define[tabby](s), entity.Define[hound](s), entity.Define[kennel](s)
	born := time.Date(2026, 8, 9, 10, 11, 12, 0, time.UTC)
	all := texts{"id": "p 1", "home": "h#1", "born:day": "2026-08-09", "seen:s,desc": "7973-91-90T89:88:87Z"}
	return charted{s, false, func(t *testing.T, x *interview) {
		t.Helper()
		ask(t, x, tabbies, all, tabby{ID: "p 1", Home: "h#1", Born: born, Seen: born}, tabby{ID: "p 1", Born: born},
			asking[tabby]{access: "by-home", example: tabby{Home: "h#1"}})
		ask(t, x, hounds, all, hound{ID: "p 1", Home: "h#1", Born: born, Seen: born}, hound{ID: "p 1", Born: born},
			asking[hound]{access: "by-home", example: hound{Home: "h#1"}}, asking[hound]{access: "by birth"})
		ask(t, x, kennels, texts{"name": "h#1", "built:hour": "2026-08-09T10", "built:day": "2026-08-09"},
			kennel{Name: "h#1", Built: born}, kennel{Name: "h#1", Built: born},
			asking[kennel]{access: "itself", example: kennel{Name: "h#1"}})
	}}
}

// chartedCredits is an existing table whose keys are plain attributes.
func chartedCredits() charted {
	s := entity.NewSchema(entity.Config{
		Partition: entity.S("actor"), Sort: entity.S("movie"), Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
		Indexes: []entity.IndexConfig{
			{Name: "MovieActor", Partition: []entity.Attribute{entity.S("movie")}, Sort: []entity.Attribute{entity.S("actor")}},
		},
	})
	credits := entity.Define[credit](s)
	return charted{s, true, func(t *testing.T, x *interview) {
		t.Helper()
		ask(t, x, credits, texts{"actor": "Tom #1", "movie": "Big $"}, credit{Actor: "Tom #1", Movie: "Big $"}, credit{Actor: "Tom #1"},
			asking[credit]{access: "by-movie", example: credit{Movie: "Big $"}})
	}}
}

// gauge has names with Markdown syntax, keys of several types, and an index without a sort key.
type gauge struct {
	_      entity.Key   `type:"gauge|m" pk:"<serial no>" sk:"<bar|kg:ord>"`
	_      entity.Index `name:"by ward" on:"Wards"`
	_      entity.Index `name:"by day" on:"Days" pk:"<ward>|<at:day>"`
	_      entity.Index "name:\"by tick\" on:\"Ticks\" pk:\"`<ward>|`\" sk:\"T|<at:day>|<at:s>|<bar|kg:raw>\""
	Serial []byte       `dynamodbav:"serial no"`
	Bar    int          `dynamodbav:"bar|kg"`
	Ward   string       `dynamodbav:"ward"`
	Level  float64      `dynamodbav:"level"`
	At     time.Time    `dynamodbav:"at"`
}

func chartedGauges() charted {
	wards := entity.IndexConfig{
		Name:      "Wards",
		Partition: []entity.Attribute{entity.S("ward"), entity.N("level")}, Sort: []entity.Attribute{entity.N("bar|kg"), entity.B("serial no")},
	}
	s := entity.NewSchema(entity.Config{
		Raw: true, Delimiter: "|", Partition: entity.B("serial no"), Sort: entity.S("sort key"),
		Indexes: []entity.IndexConfig{wards, {Name: "Days", NoSort: true}, {Name: "Ticks"}},
	})
	gauges := entity.Define[gauge](s)
	at := time.Date(2026, 8, 9, 10, 11, 12, 0, time.UTC)
	return charted{s, true, func(t *testing.T, x *interview) {
		t.Helper()
		all := texts{
			"serial no": "\x01s", "bar|kg": "7", "bar|kg:raw": "7", "bar|kg:ord": "8000000000000007", "ward": "w#$", "level": "1.5",
			"at:day": "2026-08-09", "at:s": "2026-08-09T10:11:12Z",
		}
		ask(t, x, gauges, all, gauge{Serial: []byte("\x01s"), Bar: 7, Ward: "w#$", Level: 1.5, At: at}, gauge{Serial: []byte("\x01s")},
			asking[gauge]{access: "by ward", example: gauge{Ward: "w#$", Level: 1.5}},
			asking[gauge]{access: "by day", example: gauge{Ward: "w#$", At: at}},
			asking[gauge]{access: "by tick", example: gauge{Ward: "w#$"}})
	}}
}

type (
	walk struct {
		_    entity.Key   `type:"walk" pk:"DOG#<dog>" sk:"WALK#<id>"`
		_    entity.Index `name:"by-time" on:"Times" sk:"W#<at:s>"`
		Dog  string       `dynamodbav:"dog"`
		ID   string       `dynamodbav:"id"`
		Town string       `dynamodbav:"town"`
		At   time.Time    `dynamodbav:"at"`
	}
	meal struct {
		_    entity.Key   `type:"meal" pk:"DOG#<of>" sk:"MEAL#<id>"`
		_    entity.Index `name:"by-food" on:"Times" sk:"M#<food:lower>"`
		Of   string       `dynamodbav:"of"`
		ID   string       `dynamodbav:"id"`
		Town string       `dynamodbav:"town"`
		Food string       `dynamodbav:"food"`
	}
)

// chartedDogs also has a collection in a local index, and one in an index without access patterns.
func chartedDogs() charted {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Times", Kind: entity.LocalIndex}, {Name: "Towns", Partition: []entity.Attribute{entity.S("town")}, Sort: []entity.Attribute{entity.S("SK")}},
	}})
	walks, meals := entity.Define[walk](s), entity.Define[meal](s)
	at := time.Date(2026, 8, 9, 10, 11, 12, 0, time.UTC)
	return charted{s, false, func(t *testing.T, x *interview) {
		t.Helper()
		ask(t, x, walks, texts{"dog": "rex#", "id": "w 1", "at:s": "2026-08-09T10:11:12Z"},
			walk{Dog: "rex#", ID: "w 1", Town: "Bern", At: at}, walk{Dog: "rex#"}, asking[walk]{access: "by-time", example: walk{Dog: "rex#"}})
		ask(t, x, meals, texts{"of": "rex#", "id": "m 1", "food:lower": "bone"},
			meal{Of: "rex#", ID: "m 1", Town: "Bern", Food: "Bone"}, meal{Of: "rex#"}, asking[meal]{access: "by-food", example: meal{Of: "rex#"}})
	}}
}
