package write

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// coarse has fields whose stored form is less precise than their key formats.
type coarse struct {
	_       keyTag    `type:"coarse" pk:"MAIL#<email:lower>" sk:"C"`
	_       indexTag  `name:"by-end" on:"GSI1" pk:"ENDS" sk:"<ends:ns>#<note>"`
	_       indexTag  `name:"by-mail" on:"GSI2" pk:"<email>" sk:"X"`
	_       indexTag  `name:"by-fold" on:"GSI3" pk:"F#<email:lower>" sk:"<note>"`
	Email   string    `dynamodbav:"email"`
	Ends    time.Time `dynamodbav:"ends" entity:"ttl"`
	Note    string    `dynamodbav:"note"`
	Updated time.Time `dynamodbav:"updated,unixtime" entity:"updated"`
}

var (
	coarseConfig = define.Config{Indexes: []define.Index{{Name: "GSI1"}, {Name: "GSI2"}, {Name: "GSI3"}}}
	note         = attr.Must(func(c *coarse) *string { return &c.Note })
	ends         = attr.Must(func(c *coarse) *time.Time { return &c.Ends })
	odd          = noon.Add(123456789)
)

// TestKeysAreRenderedFromStoredValues checks that a key is rendered from the stored value, not from
// the more precise value in memory.
func TestKeysAreRenderedFromStoredValues(t *testing.T) {
	t.Parallel()
	p := planOf[coarse](t, coarseConfig)
	e := coarse{Email: "Anna@x", Ends: odd, Note: "n"}
	args := putArgs(p, &e)
	args.Now = odd
	o, stamps, err := Put(args)
	require.NoError(t, err)
	require.Equal(t, text("2026-08-05T12:00:00.000000000Z#n"), o.Primary.Item["GSI1SK"])
	var decoded coarse
	require.NoError(t, p.Decode(o.Primary.Item, codec.PtrTo(&decoded)))
	again, err := Item(p, codec.PtrTo(&decoded))
	require.NoError(t, err)
	require.Equal(t, o.Primary.Item, again)
	var stamped coarse
	require.NoError(t, stamps.Apply(codec.PtrTo(&stamped)))
	require.Equal(t, noon, stamped.Updated, "the stamp is what will be read back")

	u, err := Update(updateArgs(p, coarse{Email: "Anna@x"}, ends.Set(odd), note.Set("m")))
	require.NoError(t, err)
	require.Contains(t, requestOf(t, u.Primary).update, "GSI1SK = '2026-08-05T12:00:00.000000000Z#m'")
}

// TestFoldedKeys checks a field that the table's key stores in lower case. The table's key
// determines another key only if that has the same format. Otherwise, the stored field may differ
// from the example.
func TestFoldedKeys(t *testing.T) {
	t.Parallel()
	p := planOf[coarse](t, coarseConfig)
	example := coarse{Email: "ANNA@x"}
	o, err := Update(updateArgs(p, example, note.Set("m"), ends.Set(noon)))
	require.NoError(t, err)
	got := requestOf(t, o.Primary)
	require.Equal(t, "attribute_exists(PK)", got.condition)
	require.Contains(t, got.update, "GSI3PK = 'F#anna@x'")
	require.NotContains(t, got.update, "GSI2PK")

	upsert := updateArgs(p, example, note.Set("m"), ends.Set(noon))
	upsert.Upsert = true
	_, err = Update(upsert)
	requireFields(t, err, errs.Invalid, "email")
	upsert.ReadFirst = true
	o, err = Update(upsert)
	require.NoError(t, err)
	for met, want := range map[string]string{"": "ANNA@x", "Anna@x": "Anna@x"} {
		item := op.Item{"PK": text("MAIL#anna@x"), "email": text(met)}
		if met == "" {
			item = nil
		}
		act, err := o.PreRead.Plan(item)
		require.NoError(t, err)
		require.Contains(t, requestOf(t, act).update, "GSI2PK = '"+want+"'")
	}
}

// TestKeyOnly checks that a key-only field is set with its keys, and is known only after a read.
func TestKeyOnly(t *testing.T) {
	t.Parallel()
	type hidden struct {
		_    keyTag   `type:"hidden" pk:"H#<id>" sk:"H"`
		_    indexTag `name:"by-rank" on:"GSI1" pk:"R#<rank>" sk:"<note>"`
		ID   string   `dynamodbav:"id" entity:"key"`
		Rank string   `dynamodbav:"rank" entity:"key"`
		Note string   `dynamodbav:"note"`
	}
	p := planOf[hidden](t, define.Config{Indexes: []define.Index{{Name: "GSI1"}}})
	rank := attr.Must(func(h *hidden) *string { return &h.Rank })
	note := attr.Must(func(h *hidden) *string { return &h.Note })

	o, err := Update(updateArgs(p, hidden{ID: "a"}, rank.Set("r"), note.Set("n")))
	require.NoError(t, err)
	require.Equal(t, "SET note = 'n', GSI1PK = 'R#r', GSI1SK = 'n'", requestOf(t, o.Primary).update)
	o, err = Update(updateArgs(p, hidden{ID: "a"}, rank.Remove()))
	require.NoError(t, err)
	require.Equal(t, "REMOVE GSI1PK, GSI1SK", requestOf(t, o.Primary).update)

	for name, test := range map[string]struct {
		changes []attr.Change[hidden]
		fields  []string
	}{
		"told":      {[]attr.Change[hidden]{note.Set("n")}, []string{"rank"}},
		"twice":     {[]attr.Change[hidden]{rank.Set("r"), rank.Remove()}, []string{"rank"}},
		"if absent": {[]attr.Change[hidden]{rank.SetIfAbsent("r")}, []string{"rank"}},
		"condition": {[]attr.Change[hidden]{note.Set("n"), rank.Set("r"), attr.If(rank.Eq("r"))}, []string{"rank"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Update(updateArgs(p, hidden{ID: "a", Rank: "r"}, test.changes...))
			requireFields(t, err, errs.Invalid, test.fields...)
		})
	}

	o, err = Update(readFirstArgs(updateArgs(p, hidden{ID: "a"}, note.Set("n")), false))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"#n0": "PK", "#n1": "_type", "#n2": "GSI1PK", "#n3": "note"}, o.PreRead.Read.Names)
	act, err := o.PreRead.Plan(op.Item{"PK": text("H#a"), "GSI1PK": text("R#r")})
	require.NoError(t, err)
	require.Equal(t, request{"SET note = 'n', GSI1PK = 'R#r', GSI1SK = 'n'", "attribute_exists(PK) AND GSI1PK = 'R#r'"}, requestOf(t, act))
}

// TestCreatedInKey checks that an upsert keeps a creation time that is part of the table's key.
func TestCreatedInKey(t *testing.T) {
	t.Parallel()
	type event struct {
		_    keyTag    `type:"event" pk:"E#<id>" sk:"<at:ns>"`
		ID   string    `dynamodbav:"id"`
		At   time.Time `dynamodbav:"at" entity:"created"`
		Note string    `dynamodbav:"note"`
	}
	p := planOf[event](t, define.Config{})
	e := event{ID: "a"}
	o, _, err := Create(putArgs(p, &e))
	require.NoError(t, err)
	require.Equal(t, text("2026-08-05T12:00:00.000000000Z"), o.Primary.Item["SK"])
	note := attr.Must(func(e *event) *string { return &e.Note })
	args := updateArgs(p, event{ID: "a", At: odd}, note.Set("n"))
	args.Upsert = true
	o, err = Update(args)
	require.NoError(t, err)
	require.Equal(t, "SET note = 'n', id = if_not_exists(id, 'a'), at = if_not_exists(at, '2026-08-05T12:00:00.123456789Z'), _type = 'event'",
		requestOf(t, o.Primary).update)
}
