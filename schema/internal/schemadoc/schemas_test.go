package schemadoc_test

import (
	"testing"
	"time"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// documented is a schema with a function that sends the reads of its types.
type documented struct {
	schema *entity.Schema
	raw    bool
	send   func(t *testing.T, x *requestLog)
}

// requests sends the reads of all types.
func (c documented) requests(t *testing.T) *requestLog {
	t.Helper()
	x := newRequestLog(t, c.schema, c.raw)
	c.send(t, x)
	x.addCollections()
	return x
}

// documentedParcels has an index of each kind.
func documentedParcels() documented {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Whole"},
		{Name: "Keys", Partition: []entity.Attribute{entity.S("kind")}, Sort: []entity.Attribute{entity.S("id")}, KeysOnly: true},
		{Name: "Part", Partition: []entity.Attribute{entity.S("tag")}, NoSort: true, Include: []string{"note"}},
		{Name: "Local", Sort: []entity.Attribute{entity.N("rank")}, Kind: entity.LocalIndex, Include: []string{"note"}},
	}})
	parcels := entity.Define[parcel](s)
	kinds, notes := entity.Project[parcelKind](parcels), entity.Project[parcelNote](parcels)
	return documented{s, false, func(t *testing.T, x *requestLog) {
		t.Helper()
		sendReads(t, x, parcels, keyTexts{"shop": "s#", "id": "i#", "way": "w#", "rank": "7", "rank:06": "000007", "kind": "k#", "tag": "t#"},
			parcel{Shop: "s#", ID: "i#", Way: "w#", Rank: 7, Kind: "k#", Tag: "t#"}, parcel{Shop: "s#"},
			patternUse[parcel]{access: "by-way", example: parcel{Way: "w#"}},
			patternUse[parcel]{"by-kind", parcel{Kind: "k#"}, func(q query.Query[parcel]) readQuery { return query.As(q, kinds) }},
			patternUse[parcel]{"by-tag", parcel{Tag: "t#"}, func(q query.Query[parcel]) readQuery { return query.As(q, notes) }},
			patternUse[parcel]{access: "by-rank", example: parcel{Shop: "s#"}})
	}}
}

// documentedGuests has types that share an index. The index projects all attributes or only keys. A
// type attribute or the keys distinguish the types.
func documentedGuests(typeAttribute string, keysOnly bool) documented {
	s := entity.NewSchema(entity.Config{TypeAttribute: typeAttribute, Indexes: []entity.IndexConfig{{Name: "GSI1", KeysOnly: keysOnly}}})
	visits, calls := entity.Define[visit](s), entity.Define[call](s)
	at, text := time.Date(2026, 8, 9, 10, 11, 12, 0, time.UTC), "2026-08-09T10:11:12Z"
	return documented{s, false, func(t *testing.T, x *requestLog) {
		t.Helper()
		sendReads(t, x, visits, keyTexts{"guest": "ada#", "id": "v#", "at:s": text}, visit{Name: "ada#", ID: "v#", At: at}, visit{Name: "ada#"},
			patternUse[visit]{access: "by-time", example: visit{Name: "ada#"}})
		sendReads(t, x, calls, keyTexts{"guest": "ada#", "id": "c#", "began:s": text}, call{Name: "ada#", ID: "c#", Began: at}, call{Name: "ada#"},
			patternUse[call]{access: "by-time", example: call{Name: "ada#"}})
	}}
}

type (
	// parcel has an index of each kind.
	parcel struct {
		_    entity.Key   `type:"parcel" pk:"P#<shop>" sk:"I#<id>"`
		_    entity.Index `name:"by-way" on:"Whole" pk:"W#<way>" sk:"R#<rank:06>"`
		_    entity.Index `name:"by-kind" on:"Keys"`
		_    entity.Index `name:"by-tag" on:"Part"`
		_    entity.Index `name:"by-rank" on:"Local"`
		Shop string       `dynamodbav:"shop"`
		ID   string       `dynamodbav:"id"`
		Way  string       `dynamodbav:"way,omitempty"`
		Kind string       `dynamodbav:"kind,omitempty"`
		Tag  string       `dynamodbav:"tag,omitempty"`
		Rank int          `dynamodbav:"rank"`
		Note string       `dynamodbav:"note"`
	}
	parcelKind struct {
		Kind string `dynamodbav:"kind"`
		ID   string `dynamodbav:"id"`
	}
	parcelNote struct {
		Tag  string `dynamodbav:"tag"`
		Note string `dynamodbav:"note"`
	}
	// visit and call share the keys of an index.
	visit struct {
		_    entity.Key   `type:"visit" pk:"GUEST#<guest>" sk:"VISIT#<id>"`
		_    entity.Index `name:"by-time" on:"GSI1" pk:"GUEST#<guest>" sk:"<at:s>" shared:"yes"`
		Name string       `dynamodbav:"guest"`
		ID   string       `dynamodbav:"id"`
		At   time.Time    `dynamodbav:"at"`
	}
	call struct {
		_     entity.Key   `type:"call" pk:"GUEST#<guest>" sk:"CALL#<id>"`
		_     entity.Index `name:"by-time" on:"GSI1" pk:"GUEST#<guest>" sk:"<began:s>" shared:"yes"`
		Name  string       `dynamodbav:"guest"`
		ID    string       `dynamodbav:"id"`
		Began time.Time    `dynamodbav:"began"`
	}
	// credit has keys that are plain attributes.
	credit struct {
		_     entity.Key   `type:"credit"`
		_     entity.Index `name:"by-movie" on:"MovieActor"`
		Actor string       `dynamodbav:"actor"`
		Movie string       `dynamodbav:"movie"`
	}
)

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

// documentedPets has types that share the table's key and an index. A filter distinguishes the
// types. If the index does not project the attribute of the filter, no query reads a single type.
func documentedPets(held ...string) documented {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1", Include: held}, {Name: "Births"}}})
	tabbies, hounds, kennels := entity.Define[tabby](s), entity.Define[hound](s), entity.Define[kennel](s)
	born := time.Date(2026, 8, 9, 10, 11, 12, 0, time.UTC)
	all := keyTexts{"id": "p 1", "home": "h#1", "born:day": "2026-08-09", "seen:s,desc": "7973-91-90T89:88:87Z"}
	return documented{s, false, func(t *testing.T, x *requestLog) {
		t.Helper()
		sendReads(t, x, tabbies, all, tabby{ID: "p 1", Home: "h#1", Born: born, Seen: born}, tabby{ID: "p 1", Born: born},
			patternUse[tabby]{access: "by-home", example: tabby{Home: "h#1"}})
		sendReads(t, x, hounds, all, hound{ID: "p 1", Home: "h#1", Born: born, Seen: born}, hound{ID: "p 1", Born: born},
			patternUse[hound]{access: "by-home", example: hound{Home: "h#1"}}, patternUse[hound]{access: "by birth"})
		sendReads(t, x, kennels, keyTexts{"name": "h#1", "built:hour": "2026-08-09T10", "built:day": "2026-08-09"},
			kennel{Name: "h#1", Built: born}, kennel{Name: "h#1", Built: born},
			patternUse[kennel]{access: "itself", example: kennel{Name: "h#1"}})
	}}
}

// documentedCredits is an existing table whose keys are plain attributes.
func documentedCredits() documented {
	s := entity.NewSchema(entity.Config{
		Partition: entity.S("actor"), Sort: entity.S("movie"), Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
		Indexes: []entity.IndexConfig{
			{Name: "MovieActor", Partition: []entity.Attribute{entity.S("movie")}, Sort: []entity.Attribute{entity.S("actor")}},
		},
	})
	credits := entity.Define[credit](s)
	return documented{s, true, func(t *testing.T, x *requestLog) {
		t.Helper()
		sendReads(t, x, credits, keyTexts{"actor": "Tom #1", "movie": "Big $"}, credit{Actor: "Tom #1", Movie: "Big $"}, credit{Actor: "Tom #1"},
			patternUse[credit]{access: "by-movie", example: credit{Movie: "Big $"}})
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

func documentedGauges() documented {
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
	return documented{s, true, func(t *testing.T, x *requestLog) {
		t.Helper()
		all := keyTexts{
			"serial no": "\x01s", "bar|kg": "7", "bar|kg:raw": "7", "bar|kg:ord": "8000000000000007", "ward": "w#$", "level": "1.5",
			"at:day": "2026-08-09", "at:s": "2026-08-09T10:11:12Z",
		}
		sendReads(t, x, gauges, all, gauge{Serial: []byte("\x01s"), Bar: 7, Ward: "w#$", Level: 1.5, At: at}, gauge{Serial: []byte("\x01s")},
			patternUse[gauge]{access: "by ward", example: gauge{Ward: "w#$", Level: 1.5}},
			patternUse[gauge]{access: "by day", example: gauge{Ward: "w#$", At: at}},
			patternUse[gauge]{access: "by tick", example: gauge{Ward: "w#$"}})
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

// documentedDogs also has a collection in a local index, and one in an index without access
// patterns.
func documentedDogs() documented {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Times", Kind: entity.LocalIndex}, {Name: "Towns", Partition: []entity.Attribute{entity.S("town")}, Sort: []entity.Attribute{entity.S("SK")}},
	}})
	walks, meals := entity.Define[walk](s), entity.Define[meal](s)
	at := time.Date(2026, 8, 9, 10, 11, 12, 0, time.UTC)
	return documented{s, false, func(t *testing.T, x *requestLog) {
		t.Helper()
		sendReads(t, x, walks, keyTexts{"dog": "rex#", "id": "w 1", "at:s": "2026-08-09T10:11:12Z"},
			walk{Dog: "rex#", ID: "w 1", Town: "Bern", At: at}, walk{Dog: "rex#"}, patternUse[walk]{access: "by-time", example: walk{Dog: "rex#"}})
		sendReads(t, x, meals, keyTexts{"of": "rex#", "id": "m 1", "food:lower": "bone"},
			meal{Of: "rex#", ID: "m 1", Town: "Bern", Food: "Bone"}, meal{Of: "rex#"}, patternUse[meal]{access: "by-food", example: meal{Of: "rex#"}})
	}}
}
