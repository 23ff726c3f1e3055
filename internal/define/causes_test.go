package define_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// draft is a definition with tags that a test can change.
type draft struct {
	config define.Config
	types  [][]reflect.StructField
}

var basic = layout("2006-01-02T150405")

// office is a valid draft: three types on a table with every kind of index.
func office() draft {
	const here = "github.com/trestledb/trestle/internal/define_test"
	marker := func(t reflect.Type, tag reflect.StructTag) reflect.StructField {
		return reflect.StructField{Name: "_", PkgPath: here, Type: t, Tag: tag}
	}
	str, num, moment := reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[time.Time]()
	field := func(name string, t reflect.Type, tag reflect.StructTag) reflect.StructField {
		return reflect.StructField{Name: name, Type: t, Tag: tag}
	}
	return draft{
		config: define.Config{
			TTL:     "expires",
			Formats: map[string]keys.Format{"basic": basic},
			Indexes: []define.Index{
				{Name: "GSI1"}, {Name: "GSI2"}, {Name: "inverted", Partition: []core.Attribute{named("SK")}, Sort: []core.Attribute{named("PK")}},
				{Name: "many", Partition: []core.Attribute{named("region"), named("city")}, Sort: []core.Attribute{{Name: "floor", Type: keys.N}}},
				{Name: "local", Local: true},
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

func (d draft) faults() []define.Fault {
	def := definition{config: d.config}
	for _, fields := range d.types {
		def.types = append(def.types, reflect.StructOf(fields))
	}
	_, faults := def.compile()
	return faults
}

// retag changes the tag of a field.
func (d draft) retag(typ, field int, tag reflect.StructTag) draft {
	d.types[typ][field].Tag = tag
	return d
}

// TestOneFaultForOneCause checks that a mistake with effects in many places is reported once.
func TestOneFaultForOneCause(t *testing.T) {
	t.Parallel()
	require.Empty(t, office().faults(), define.Text(office().faults()))
	config := func(spoil func(c *define.Config)) draft {
		d := office()
		spoil(&d.config)
		return d
	}
	same := func(n, indexes int) draft {
		d := office()
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
		faults int
	}{
		{"the partition key is of type N", config(func(c *define.Config) { c.Partition.Type, c.Indexes[2].Sort[0].Type = keys.N, keys.N }), 1},
		{"the partition key is of no type", config(func(c *define.Config) { c.Partition.Type = "BOOL" }), 1},
		{"the sort key is the partition key", config(func(c *define.Config) { c.Sort.Name = "PK" }), 1},
		{"an index's attributes are of no type", config(func(c *define.Config) { c.Indexes[0].Sort = []core.Attribute{{Name: "GSI1SK", Type: "s"}} }), 1},
		{"an index is missing", config(func(c *define.Config) { c.Indexes = c.Indexes[1:] }), 1},
		{"an attribute of an index has two types", config(func(c *define.Config) {
			c.Indexes = append(c.Indexes, define.Index{Name: "floors", Partition: []core.Attribute{named("floor")}, NoSort: true})
		}), 1},
		{"an index has an attribute twice", config(func(c *define.Config) { c.Indexes[0].Partition = []core.Attribute{named("GSI1SK")} }), 1},
		{"an index has no sort key", config(func(c *define.Config) { c.Indexes[0].NoSort = true }), 1},
		{"a format is not complete", config(func(c *define.Config) {
			c.Formats = map[string]keys.Format{"basic": {Kinds: []keys.Kind{keys.KindTime}, Ordered: true}}
		}), 1},
		{"a format is missing", config(func(c *define.Config) { c.Formats = nil }), 1},
		{"another delimiter", config(func(c *define.Config) { c.Delimiter = "|" }), 1},
		{"a delimiter of two characters", config(func(c *define.Config) { c.Delimiter = "##" }), 1},
		{"a letter for a delimiter", config(func(c *define.Config) { c.Delimiter = "x" }), 1},
		{"another attribute for the time to live", config(func(c *define.Config) { c.TTL = "ttl" }), 1},
		{"the same keys twice", same(2, 0), 1},
		{"the same keys four times", same(4, 0), 3},
		{"the same keys on the inverted index too", same(2, 3), 1},
		{"a field that is not stored", office().retag(0, 3, `dynamodbav:"-"`), 1},
		{"a field of another name", office().retag(1, 5, `dynamodbav:"com"`), 1},
		{"a field of a similar name", office().retag(1, 5, `dynamodbav:"compayn"`), 1},
		{"a tag without its quote", office().retag(1, 5, `dynamodbav:company`), 1},
		{"a tag without its last quote", office().retag(1, 5, `dynamodbav:"company`), 1},
		{"a misspelled tag", office().retag(1, 5, `dynmodbav:"company"`), 1},
		{"a misspelled tag of a field in keys only", office().retag(2, 4, `dynmodbav:"kind" entity:"key"`), 1},
		{"a misspelled tag of a time to live", office().retag(2, 6, `dynmodbav:"expires" entity:"ttl"`), 1},
		{"a field under another's name", office().retag(1, 6, `dynamodbav:"company"`), 2},
		{"no partition key", office().retag(1, 0, `type:"employee" sk:"EMP#<id>"`), 1},
		{"a quote too many", office().retag(1, 2, `name:"by"status" on:"GSI2" pk:"STATUS#<status>" sk:"EMP#<hired:basic>#<id>"`), 1},
		{"a quote too few", office().retag(1, 2, `name:"by-status on:"GSI2" pk:"STATUS#<status>" sk:"EMP#<hired:basic>#<id>"`), 1},
		{"doubled brackets", office().retag(0, 0, `type:"company" pk:"COM#<<id>>" sk:"#METADATA#<id>"`), 1},
		{"a bracket too many", office().retag(0, 0, `type:"company" pk:"COM#<id>>" sk:"#METADATA#<id>"`), 1},
	} {
		faults := c.of.faults()
		require.Len(t, faults, c.faults, "%s\n%s", c.name, define.Text(faults))
		for _, f := range faults {
			require.NotEmpty(t, f.Hint, "%s\n%s", c.name, f)
		}
	}
}

// TestCausesOfTwoTypes checks that the same mistake in two types is two faults. Only mistakes in
// the configuration have a common cause for several types.
func TestCausesOfTwoTypes(t *testing.T) {
	t.Parallel()
	d := office().retag(1, 5, `dynamodbav:"com"`).retag(2, 2, `dynamodbav:"com"`)
	require.Len(t, d.faults(), 2, define.Text(d.faults()))
}

// TestRandomMistakes checks that one wrong character causes few faults, and that mistakes in two
// types do not hide each other.
func TestRandomMistakes(t *testing.T) {
	t.Parallel()
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
	for range testsize.Pick(1500, 4000, 8000) {
		one := office()
		spoil(one, 0)
		faults := one.faults()
		require.LessOrEqual(t, len(faults), 4, define.Text(faults))
		total += len(faults)
		if len(faults) > 0 {
			bad++
		}
		if len(faults) > 1 {
			several++
		}
		spoil(one, 1)
		more := one.faults()
		require.GreaterOrEqual(t, len(more), len(faults), "%s\n%s", define.Text(faults), define.Text(more))
		if len(more) > len(faults) {
			both++
		}
	}
	t.Logf("%d definitions with faults, %d with several; %d faults; %d have more of a second mistake", bad, several, total, both)
	require.Less(t, several*5, bad, "one mistake is several faults too often")
	require.Greater(t, bad, 1000)
	require.Greater(t, both, 700, "the second mistake is not seen")
}
