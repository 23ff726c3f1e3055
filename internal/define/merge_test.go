package define_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// draft is a definition with tags that a test can change.
type draft struct {
	config trestle.Config
	types  [][]reflect.StructField
}

var basic = layout("2006-01-02T150405")

// validDraft is a valid draft: three types on a table with every kind of index.
func validDraft() draft {
	const here = "github.com/trestledb/trestle/internal/define_test"
	marker := func(t reflect.Type, tag reflect.StructTag) reflect.StructField {
		return reflect.StructField{Name: "_", PkgPath: here, Type: t, Tag: tag}
	}
	str, num, moment := reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[time.Time]()
	field := func(name string, t reflect.Type, tag reflect.StructTag) reflect.StructField {
		return reflect.StructField{Name: name, Type: t, Tag: tag}
	}
	return draft{
		config: trestle.Config{
			TTL:     "expires",
			Formats: map[string]keys.Format{"basic": basic},
			Indexes: []trestle.IndexConfig{
				{Name: "GSI1"}, {Name: "GSI2"}, {Name: "inverted", Partition: []core.Attribute{named("SK")}, Sort: []core.Attribute{named("PK")}},
				{Name: "many", Partition: []core.Attribute{named("region"), named("city")}, Sort: []core.Attribute{{Name: "floor", Type: keys.N}}},
				{Name: "local", Kind: trestle.LocalIndex},
			},
		},
		types: [][]reflect.StructField{
			{
				marker(markers.Key, `type:"company" pk:"COM#<id>" sk:"#METADATA#<id>"`),
				marker(markers.Index, `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`),
				marker(markers.Index, `name:"by-region" on:"many" pk:"<region>,<city>" sk:"<floor>"`),
				field("ID", str, `dynamodbav:"id"`), field("Name", str, `dynamodbav:"name"`), field("Region", str, `dynamodbav:"region"`),
				field("City", str, `dynamodbav:"city"`), field("Floor", num, `dynamodbav:"floor"`), field("Expires", moment, `dynamodbav:"expires" entity:"ttl"`),
			},
			{
				marker(markers.Key, `type:"employee" pk:"COM#<company>" sk:"EMP#<id>"`),
				marker(markers.Index, `name:"by-hire" on:"GSI1" pk:"COM#<company>" sk:"HIRED#<hired:day>#<id>"`),
				marker(markers.Index, `name:"by-status" on:"GSI2" pk:"STATUS#<status>" sk:"EMP#<hired:basic>#<id>"`),
				marker(markers.Index, `name:"by-seen" on:"local" sk:"SEEN#<hired:ms,desc>"`),
				field("ID", str, `dynamodbav:"id"`), field("Company", str, `dynamodbav:"company"`), field("Status", str, `dynamodbav:"status"`),
				field("Hired", moment, `dynamodbav:"hired"`), field("Version", reflect.TypeFor[int64](), `dynamodbav:"version" entity:"version"`),
				field("Updated", moment, `dynamodbav:"updated" entity:"updated"`), field("Expires", moment, `dynamodbav:"expires" entity:"ttl"`),
			},
			{
				marker(markers.Key, `type:"badge" pk:"COM#<company>" sk:"BADGE#<n:06>#<kind>"`),
				marker(markers.Index, `name:"by-kind" on:"GSI2" pk:"KIND#<kind>" sk:"BADGE#<made:basic>"`),
				field("Company", str, `dynamodbav:"company"`), field("N", num, `dynamodbav:"n"`), field("Kind", str, `dynamodbav:"kind" entity:"key"`),
				field("Made", moment, `dynamodbav:"made"`), field("Expires", moment, `dynamodbav:"expires" entity:"ttl"`),
			},
		},
	}
}

func (d draft) issues() []trestle.Issue {
	def := definition{config: d.config}
	for _, fields := range d.types {
		def.types = append(def.types, reflect.StructOf(fields))
	}
	_, issues := def.compile()
	return issues
}

// retag changes the tag of a field.
func (d draft) retag(typ, field int, tag reflect.StructTag) draft {
	d.types[typ][field].Tag = tag
	return d
}

// TestOneIssuePerCause checks that a mistake with effects in many places is reported once.
func TestOneIssuePerCause(t *testing.T) {
	t.Parallel()
	require.Empty(t, validDraft().issues(), textOf(validDraft().issues()))
	config := func(spoil func(c *trestle.Config)) draft {
		d := validDraft()
		spoil(&d.config)
		return d
	}
	same := func(n, indexes int) draft {
		d := validDraft()
		d.config.Indexes = d.config.Indexes[:indexes]
		employee := d.types[1]
		d.types = nil
		for i := range n {
			twin := append(employee[:1:1], employee[4:]...)
			twin[0].Tag = reflect.StructTag(`type:"twin` + string(rune('a'+i)) + `" pk:"COM#<company>" sk:"EMP#<id>"`)
			d.types = append(d.types, twin)
		}
		return d
	}
	for _, c := range []struct {
		name   string
		of     draft
		issues int
	}{
		{"the partition key is of type N", config(func(c *trestle.Config) { c.Partition.Type, c.Indexes[2].Sort[0].Type = keys.N, keys.N }), 1},
		{"the partition key is of no type", config(func(c *trestle.Config) { c.Partition.Type = "BOOL" }), 1},
		{"the sort key is the partition key", config(func(c *trestle.Config) { c.Sort.Name = "PK" }), 1},
		{"an index's attributes are of no type", config(func(c *trestle.Config) { c.Indexes[0].Sort = []core.Attribute{{Name: "GSI1SK", Type: "s"}} }), 1},
		{"an index is missing", config(func(c *trestle.Config) { c.Indexes = c.Indexes[1:] }), 1},
		{"an attribute of an index has two types", config(func(c *trestle.Config) {
			c.Indexes = append(c.Indexes, trestle.IndexConfig{Name: "floors", Partition: []core.Attribute{named("floor")}, NoSort: true})
		}), 1},
		{"an index has an attribute twice", config(func(c *trestle.Config) { c.Indexes[0].Partition = []core.Attribute{named("GSI1SK")} }), 1},
		{"an index has no sort key", config(func(c *trestle.Config) { c.Indexes[0].NoSort = true }), 1},
		{"a format is not complete", config(func(c *trestle.Config) {
			c.Formats = map[string]keys.Format{"basic": {Kinds: []keys.Kind{keys.KindTime}, Ordered: true}}
		}), 1},
		{"a format is missing", config(func(c *trestle.Config) { c.Formats = nil }), 1},
		{"another delimiter", config(func(c *trestle.Config) { c.Delimiter = "|" }), 1},
		{"a delimiter of two characters", config(func(c *trestle.Config) { c.Delimiter = "##" }), 1},
		{"a letter for a delimiter", config(func(c *trestle.Config) { c.Delimiter = "x" }), 1},
		{"another attribute for the time to live", config(func(c *trestle.Config) { c.TTL = "ttl" }), 1},
		{"the same keys twice", same(2, 0), 1},
		{"the same keys four times", same(4, 0), 3},
		{"the same keys on the inverted index too", same(2, 3), 1},
		{"a field that is not stored", validDraft().retag(0, 3, `dynamodbav:"-"`), 1},
		{"a field of another name", validDraft().retag(1, 5, `dynamodbav:"com"`), 1},
		{"a field of a similar name", validDraft().retag(1, 5, `dynamodbav:"compayn"`), 1},
		{"a tag without its quote", validDraft().retag(1, 5, `dynamodbav:company`), 1},
		{"a tag without its last quote", validDraft().retag(1, 5, `dynamodbav:"company`), 1},
		{"a misspelled tag", validDraft().retag(1, 5, `dynmodbav:"company"`), 1},
		{"a misspelled tag of a field in keys only", validDraft().retag(2, 4, `dynmodbav:"kind" entity:"key"`), 1},
		{"a misspelled tag of a time to live", validDraft().retag(2, 6, `dynmodbav:"expires" entity:"ttl"`), 1},
		{"a field under another's name", validDraft().retag(1, 6, `dynamodbav:"company"`), 2},
		{"no partition key", validDraft().retag(1, 0, `type:"employee" sk:"EMP#<id>"`), 1},
		{"a quote too many", validDraft().retag(1, 2, `name:"by"status" on:"GSI2" pk:"STATUS#<status>" sk:"EMP#<hired:basic>#<id>"`), 1},
		{"a quote too few", validDraft().retag(1, 2, `name:"by-status on:"GSI2" pk:"STATUS#<status>" sk:"EMP#<hired:basic>#<id>"`), 1},
		{"doubled brackets", validDraft().retag(0, 0, `type:"company" pk:"COM#<<id>>" sk:"#METADATA#<id>"`), 1},
		{"a bracket too many", validDraft().retag(0, 0, `type:"company" pk:"COM#<id>>" sk:"#METADATA#<id>"`), 1},
	} {
		issues := c.of.issues()
		require.Len(t, issues, c.issues, "%s\n%s", c.name, textOf(issues))
		for _, f := range issues {
			require.NotEmpty(t, f.Hint, "%s\n%s", c.name, f)
		}
	}
}

// TestMerge_severalTypes checks that the same mistake in two types is two issues. Only mistakes in
// the configuration have a common cause for several types.
func TestMerge_severalTypes(t *testing.T) {
	t.Parallel()
	d := validDraft().retag(1, 5, `dynamodbav:"com"`).retag(2, 2, `dynamodbav:"com"`)
	require.Len(t, d.issues(), 2, textOf(d.issues()))
}

// TestIssues_random checks that one wrong character causes few issues, and that mistakes in two
// types do not hide each other.
func TestIssues_random(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	const chars = "abcdexyz<>:#,\" 0$_-{}=;\t\n"
	spoil := func(d draft, typ int) {
		f := &d.types[typ][r.IntN(len(d.types[typ]))]
		at, char := r.IntN(len(f.Tag)), chars[r.IntN(len(chars)):][:1]
		switch r.IntN(3) {
		case 0:
			f.Tag = f.Tag[:at] + f.Tag[at+1:]
		case 1:
			f.Tag = f.Tag[:at] + reflect.StructTag(char) + f.Tag[at:]
		default:
			f.Tag = f.Tag[:at] + reflect.StructTag(char) + f.Tag[at+1:]
		}
	}
	bad, several, total, both := 0, 0, 0, 0
	for range testsize.Pick(1500, 3000, 8000) {
		one := validDraft()
		spoil(one, 0)
		issues := one.issues()
		require.LessOrEqual(t, len(issues), 4, textOf(issues))
		total += len(issues)
		if len(issues) > 0 {
			bad++
		}
		if len(issues) > 1 {
			several++
		}
		spoil(one, 1)
		more := one.issues()
		require.GreaterOrEqual(t, len(more), len(issues), "%s\n%s", textOf(issues), textOf(more))
		if len(more) > len(issues) {
			both++
		}
	}
	t.Logf("%d definitions with issues, %d with several; %d issues; %d have more of a second mistake", bad, several, total, both)
	require.Less(t, several*5, bad, "one mistake is several issues too often")
	require.Greater(t, bad, 1000)
	require.Greater(t, both, 700, "the second mistake is not seen")
}
