package entity_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/maintain"
)

// open creates and checks the table of a schema on an engine.
func open(t *testing.T, e engines.Engine, s *entity.Schema) (*dynamodb.Client, *entity.Table) {
	t.Helper()
	client := e.Client(t)
	table, err := s.Open(client, "things")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	require.NoError(t, maintain.Check(t.Context(), table))
	return client, table
}

// walk calls every verb with an entity and compares it with the stored item.
func walk[T any](t *testing.T, r *entity.Repo[T], e T, change attr.Change[T], changed func(*T)) {
	t.Helper()
	ctx := t.Context()
	_, err := r.Get(ctx, e)
	requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
	require.NoError(t, r.Create(ctx, &e))
	requireOutcome(t, r.Create(ctx, &e), trestle.ErrExists, trestle.NotApplied)
	got, err := r.Strong().Get(ctx, e)
	require.NoError(t, err)
	require.Equal(t, e, got)
	require.NoError(t, r.Put(ctx, &e))
	got, err = r.Update(ctx, e, change)
	require.NoError(t, err)
	changed(&e)
	require.Equal(t, e, got)

	item, err := r.Type().Encode(&e)
	require.NoError(t, err)
	got, err = r.Type().Decode(item)
	require.NoError(t, err)
	require.Equal(t, e, got, "Decode inverts Encode")
	require.NoError(t, r.Delete(ctx, e))
	_, err = r.Get(ctx, e)
	requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
}

type blob struct {
	_    entity.Key `type:"blob" pk:"<hash>" sk:"<seq>"`
	Hash []byte     `dynamodbav:"hash"`
	Seq  int64      `dynamodbav:"seq"`
	Text string     `dynamodbav:"text"`
}

func TestKeysOfBytesAndNumbers(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Partition: entity.B("H"), Sort: entity.N("R")})
		blobs := entity.Define[blob](s)
		client, table := open(t, e, s)
		text := attr.Must(func(b *blob) *string { return &b.Text })
		walk(t, blobs.In(table), blob{Hash: []byte{0, 1, 255}, Seq: -7, Text: "a"}, text.Set("b"), func(b *blob) { b.Text = "b" })

		require.NoError(t, blobs.In(table).Put(t.Context(), &blob{Hash: []byte{0xff}, Seq: 3}))
		key := map[string]types.AttributeValue{"H": &types.AttributeValueMemberB{Value: []byte{0xff}}, "R": avN("3")}
		require.NotEmpty(t, stored(t, client, "things", key))
	})
}

type single struct {
	_    entity.Key `type:"single" pk:"ONE#<id>"`
	ID   string     `dynamodbav:"id"`
	Text string     `dynamodbav:"text"`
}

func TestTablesWithoutASortKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{NoSort: true})
		things := entity.Define[single](s)
		_, table := open(t, e, s)
		text := attr.Must(func(x *single) *string { return &x.Text })
		walk(t, things.In(table), single{ID: "a", Text: "a"}, text.Set("b"), func(x *single) { x.Text = "b" })
	})
}

// reading is on a local index, and on a global index with multiple key attributes.
type reading struct {
	_      entity.Key   `type:"reading" pk:"DEV#<device>" sk:"AT#<at:s>"`
	_      entity.Index `name:"by-level" on:"Level" sk:"<level:06>#<at:s>"`
	_      entity.Index `name:"by-place" on:"Place" pk:"<country>,<city>" sk:"<kind>,<level>"`
	Device string       `dynamodbav:"device"`
	At     time.Time    `dynamodbav:"at"`
	Level  int          `dynamodbav:"level"`
	Note   string       `dynamodbav:"note"`

	Country string `dynamodbav:"country,omitempty"`
	City    string `dynamodbav:"city,omitempty"`
	Kind    string `dynamodbav:"kind,omitempty"`
}

func TestLocalAndMultiAttributeIndexes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
			{Name: "Level", Kind: entity.LocalIndex},
			{Name: "Place", Partition: []entity.Attribute{entity.S("country"), entity.S("city")}, Sort: []entity.Attribute{entity.S("kind"), entity.N("level")}},
		}})
		readings := entity.Define[reading](s)
		client, table := open(t, e, s)
		repo := readings.In(table)
		level := attr.Must(func(r *reading) *int { return &r.Level })
		r := reading{Device: "d1", At: epoch, Level: 5, Country: "NO", City: "Bergen", Kind: "temp"}
		walk(t, repo, r, level.Set(7), func(r *reading) { r.Level = 7 })

		require.NoError(t, repo.Create(ctx, &r))
		require.Equal(t, 1, count(t, client, "Place"))
		require.Equal(t, 1, count(t, client, "Level"))
		city := attr.Must(func(r *reading) *string { return &r.City })
		_, err := repo.Update(ctx, r, city.Remove(), level.Set(9))
		require.NoError(t, err)
		require.Zero(t, count(t, client, "Place"), "sparse where any of its attributes is absent")
		require.Equal(t, 1, count(t, client, "Level"))
		key, err := readings.KeyOf(r)
		require.NoError(t, err)
		require.Equal(t, avS("000009#2026-08-01T12:00:00Z"), stored(t, client, "things", key)["LevelSK"])
		require.Equal(t, avS("NO"), stored(t, client, "things", key)["country"], "an attribute of its own stays")
	})
}

// count returns the number of items on an index.
func count(t *testing.T, client *dynamodb.Client, index string) int {
	t.Helper()
	table := "things"
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table, IndexName: &index})
	require.NoError(t, err)
	return int(out.Count)
}

type lamp struct {
	_   entity.Key `pk:"LAMP#<id>" sk:"#"`
	ID  string     `dynamodbav:"id" entity:"key"`
	Lit bool       `dynamodbav:"lit"`
}

type fuse struct {
	_    entity.Key `pk:"FUSE#<id>" sk:"#"`
	ID   string     `dynamodbav:"id" entity:"key"`
	Amps int        `dynamodbav:"amps"`
}

// Without a type attribute only the key distinguishes the types.
func TestTypesIdentifiedByKeys(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{TypeAttribute: entity.None, WriteID: entity.None})
		lamps, fuses := entity.Define[lamp](s), entity.Define[fuse](s)
		_, table := open(t, e, s)
		lit := attr.Must(func(l *lamp) *bool { return &l.Lit })
		walk(t, lamps.In(table), lamp{ID: "a"}, lit.Set(true), func(l *lamp) { l.Lit = true })

		item, err := lamps.Encode(&lamp{ID: "a", Lit: true})
		require.NoError(t, err)
		require.Equal(t, map[string]types.AttributeValue{"PK": avS("LAMP#a"), "SK": avS("#"), "lit": &types.AttributeValueMemberBOOL{Value: true}}, item)
		_, err = fuses.Decode(item)
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NoWrite)
	})
}

type match struct {
	_    entity.Key `type:"match" pk:"<tournament>" sk:"match-<round:02>-<id>"`
	Cup  string     `dynamodbav:"tournament"`
	Turn int        `dynamodbav:"round"`
	ID   string     `dynamodbav:"id"`
	Won  string     `dynamodbav:"won"`
}

// Raw keys with another delimiter hold values as they are. A value with the delimiter is rejected
// unless it is the last one.
func TestRawKeysWithAnotherDelimiter(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Partition: entity.S("partitionKey"), Sort: entity.S("sortKey"), Delimiter: "-"})
		matches := entity.Define[match](s)
		_, table := open(t, e, s)
		won := attr.Must(func(m *match) *string { return &m.Won })
		m := match{Cup: "983d39a3-bdd6-4b61-88d5-58595d555b81", Turn: 3, ID: "a-b-c"}
		walk(t, matches.In(table), m, won.Set("x"), func(m *match) { m.Won = "x" })
		key, err := matches.KeyOf(m)
		require.NoError(t, err)
		require.Equal(t, map[string]types.AttributeValue{"partitionKey": avS(m.Cup), "sortKey": avS("match-03-a-b-c")}, key)
	})
}

type shift struct {
	_      entity.Key `type:"shift" pk:"CREW#<crew>" sk:"<starts:compact>"`
	Crew   string     `dynamodbav:"crew"`
	Starts time.Time  `dynamodbav:"starts"`
	Text   string     `dynamodbav:"text"`
}

func TestFormatsOfTheTable(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		compact, err := keys.Layout("2006-01-02T150405")
		require.NoError(t, err)
		s := entity.NewSchema(entity.Config{Formats: map[string]keys.Format{"compact": compact}})
		shifts := entity.Define[shift](s)
		_, table := open(t, e, s)
		text := attr.Must(func(x *shift) *string { return &x.Text })
		x := shift{Crew: "a", Starts: epoch}
		walk(t, shifts.In(table), x, text.Set("b"), func(x *shift) { x.Text = "b" })
		key, err := shifts.KeyOf(x)
		require.NoError(t, err)
		require.Equal(t, avS("2026-08-01T120000"), key["SK"])
	})
}

// Keys at the limits of the service, and one byte above them.
func TestKeySizes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		things := entity.Define[pair](s)
		_, table := open(t, e, s)
		repo := things.In(table)
		for _, c := range []struct {
			pk, sk int // bytes of the values; their keys have a prefix of two bytes
			want   error
		}{
			{2045, 1021, nil}, {2046, 1022, nil}, {2047, 1022, trestle.ErrLimit}, {2046, 1023, trestle.ErrLimit}, {2047, 1023, trestle.ErrLimit},
		} {
			p := pair{A: strings.Repeat("a", c.pk), B: strings.Repeat("b", c.sk)}
			outcome, other := trestle.NotApplied, trestle.NoWrite
			if c.want == nil {
				outcome, other = trestle.Applied, trestle.Applied
			}
			requireOutcome(t, repo.Put(t.Context(), &p), c.want, outcome)
			_, err := repo.Get(t.Context(), p)
			requireOutcome(t, err, c.want, other)
			_, err = things.KeyOf(p)
			requireOutcome(t, err, c.want, other)
			_, err = things.Encode(&p)
			requireOutcome(t, err, c.want, other)
		}
	})
}

type pair struct {
	_    entity.Key `type:"pair" pk:"A#<a>" sk:"B#<b>"`
	A    string     `dynamodbav:"a" entity:"key"`
	B    string     `dynamodbav:"b" entity:"key"`
	Text string     `dynamodbav:"t"`
}

// Items at the limit of the service, and one byte above it.
func TestItemSizes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		things := entity.Define[pair](s)
		_, table := open(t, e, s)
		repo := things.In(table)
		const rest = len("PK") + len("A#a") + len("SK") + len("B#b") + len("_type") + len("pair") + len("t")
		for _, c := range []struct {
			size int
			want error
		}{{409_599, nil}, {409_600, nil}, {409_601, trestle.ErrLimit}} {
			p := pair{A: "a", B: "b", Text: strings.Repeat("x", c.size-rest)}
			outcome := trestle.NotApplied
			if c.want == nil {
				outcome = trestle.Applied
			}
			requireOutcome(t, repo.Put(t.Context(), &p), c.want, outcome)
		}
	})
}

// plainAccount has no tags of the library.
type plainAccount struct {
	Org     string    `dynamodbav:"org"`
	ID      string    `dynamodbav:"id"`
	Mail    string    `dynamodbav:"mail,omitempty"`
	Version int64     `dynamodbav:"version"`
	At      time.Time `dynamodbav:"at"`
}

type taggedAccount struct {
	_       entity.Key   `type:"account" pk:"ORG#<org>" sk:"ACC#<id>"`
	_       entity.Index `name:"by-mail" on:"GSI1" pk:"MAIL#<mail>" sk:"ACC#<id>"`
	Org     string       `dynamodbav:"org" entity:"key"`
	ID      string       `dynamodbav:"id"`
	Mail    string       `dynamodbav:"mail,omitempty"`
	Version int64        `dynamodbav:"version" entity:"version"`
	At      time.Time    `dynamodbav:"at" entity:"updated"`
}

// A Spec and the equivalent tags make the same requests.
func TestSpecEqualsTags(t *testing.T) {
	t.Parallel()
	c := entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return epoch }}
	client := canned(says(200, `{}`))
	s1, s2 := entity.NewSchema(c), entity.NewSchema(c)
	tagged := entity.Define[taggedAccount](s1)
	specified := entity.DefineSpec[plainAccount](s2, entity.Spec{
		Type:    "account",
		Key:     entity.KeySpec{PK: "ORG#<org>", SK: "ACC#<id>"},
		Indexes: []entity.IndexSpec{{Name: "by-mail", On: "GSI1", PK: "MAIL#<mail>", SK: "ACC#<id>"}},
		Roles:   map[string]string{"org": "key", "version": "version", "at": "updated"},
	})
	t1, err := s1.Open(client, "app")
	require.NoError(t, err)
	t2, err := s2.Open(client, "app")
	require.NoError(t, err)
	require.Equal(t, tagged.Name(), specified.Name())

	x, y := taggedAccount{Org: "o", ID: "i", Mail: "m"}, plainAccount{Org: "o", ID: "i", Mail: "m"}
	in1, err := tagged.In(t1).Op().Create(&x).Input()
	require.NoError(t, err)
	in2, err := specified.In(t2).Op().Create(&y).Input()
	require.NoError(t, err)
	require.Equal(t, withoutMark(in1.Put.Item), withoutMark(in2.Put.Item))
	require.Equal(t, in1.Put.ConditionExpression, in2.Put.ConditionExpression)

	mail1 := attr.Must(func(a *taggedAccount) *string { return &a.Mail })
	mail2 := attr.Must(func(a *plainAccount) *string { return &a.Mail })
	up1, err := tagged.In(t1).Op().Update(x, mail1.Set("n")).Input()
	require.NoError(t, err)
	up2, err := specified.In(t2).Op().Update(y, mail2.Set("n")).Input()
	require.NoError(t, err)
	require.Equal(t, up1.Update, up2.Update)
}
