package write

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/keys"
)

// code is a type that marshals itself as text.
type code struct{ n int }

func (c code) MarshalText() ([]byte, error) {
	if c.n == 0 {
		return nil, nil
	}
	return []byte("c" + strconv.Itoa(c.n)), nil
}

func (c *code) UnmarshalText(text []byte) (err error) {
	*c = code{}
	if len(text) > 0 {
		c.n, err = strconv.Atoi(string(text[1:]))
	}
	return err
}

// kind is a kind of field in the random types: its Go type, its tag option, its formats in
// templates, the key attribute type that it can have, and its values. The first value is zero.
type kind struct {
	typ     reflect.Type
	option  string
	formats []string
	native  keys.AttrType
	adds    bool
	values  []any
}

func kindOf[T any](option string, native keys.AttrType, formats []string, values ...T) kind {
	var zero T
	k := kind{typ: reflect.TypeFor[T](), option: option, native: native, formats: formats, values: []any{zero}}
	for _, v := range values {
		k.values = append(k.values, v)
	}
	return k
}

func adding(k kind) kind { k.adds = true; return k }

func to[T any](v T) *T { return &v }

var (
	noon      = time.Date(2026, 8, 5, 12, 0, 0, 0, time.UTC)
	clocks    = []time.Time{noon, noon.Add(500 * time.Millisecond), noon.Add(time.Hour), noon.AddDate(0, 0, 1)}
	texts     = []string{"a", "A", "b#c", "d e"}
	ofText    = []string{"", "", "", "lower", "upper"}
	ofInt     = []string{"ord", "ord", "raw", "04", "ord,desc"}
	ofFloat   = []string{"ord", "ord,desc"}
	ofTime    = []string{"ns", "us", "ms", "s", "unix", "hour", "day", "month", "s,desc"}
	unadorned = []string{""}
)

// kinds lists all kinds of fields that can be a member of a key.
var kinds = []kind{
	kindOf("", keys.S, ofText, texts...),
	kindOf("omitempty", keys.S, ofText, texts...),
	kindOf("", keys.S, ofText, to(texts[0]), to(texts[2])),
	kindOf("omitempty", keys.S, ofText, to(texts[0]), to(texts[3]), to("")),
	adding(kindOf("", keys.N, ofInt, int64(1), 7, 42)),
	adding(kindOf("omitempty", keys.N, ofInt, int32(1), 7, 42)),
	adding(kindOf("", keys.N, ofInt, uint16(1), 7, 42)),
	kindOf("omitempty", keys.N, ofInt, to(int64(0)), to(int64(9))),
	adding(kindOf("", keys.N, ofFloat, 0.5, -2.25, 1e10)),
	kindOf("", "", unadorned, true),
	kindOf("omitempty", "", unadorned, true),
	kindOf("", keys.S, ofTime, clocks...),
	kindOf("omitempty", keys.S, ofTime, clocks...),
	kindOf("unixtime", keys.N, ofTime, clocks...),
	kindOf("", keys.S, ofTime, to(clocks[0]), to(clocks[1])),
	kindOf("", keys.B, []string{"hex"}, []byte{1}, []byte{0, 0xff}),
	kindOf("omitempty", keys.B, []string{"hex"}, []byte{1}, []byte{0, 0xff}),
	kindOf("", keys.S, ofText, code{1}, code{2}),
}

// part is a field of a random type.
type part struct {
	kind
	name string // the attribute name
}

// placeholder returns a placeholder for the field.
func (p part) placeholder(r *rand.Rand) string {
	if f := pick(r, p.formats); f != "" {
		return "<" + p.name + ":" + f + ">"
	}
	return "<" + p.name + ">"
}

// attribute returns the placeholder of the field as a key attribute.
func (p part) attribute() string {
	switch {
	case strings.Contains(p.typ.String(), "time.Time") && p.native == keys.S:
		return "<" + p.name + ":s>"
	case strings.Contains(p.typ.String(), "time.Time"):
		return "<" + p.name + ":unix>"
	default:
		return "<" + p.name + ">"
	}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func chance(r *rand.Rand, percent int) bool { return r.IntN(100) < percent }

// drawing is a random type with random keys before it is compiled.
type drawing struct {
	r      *rand.Rand
	parts  []part
	roles  map[string]string
	config define.Config
	spec   define.Spec
	tags   int // the number of literals; every template starts with its own
}

// The fields that every random type has. Only the stamps can be members of a key.
var (
	stamps = []part{{kinds[11], "crt"}, {kinds[11], "upd"}}
	others = []part{
		{kindOf("omitempty", "", nil, []string{"x"}, []string{"x", "y"}), "lst"},
		{kindOf("stringset,omitempty", "", nil, []string{"x"}, []string{"x", "y"}), "set"},
		{kindOf("", "", nil, "n1", "n2"), "note"},
		{adding(kindOf("", "", nil, int64(1), 5)), "cnt"},
	}
)

// draw generates a random type and its keys.
func draw(r *rand.Rand) *drawing {
	d := &drawing{r: r, roles: map[string]string{}}
	for i := range 4 + r.IntN(4) {
		d.parts = append(d.parts, part{pick(r, kinds), "f" + strconv.Itoa(i)})
	}
	d.drawRoles()
	d.drawTable()
	for i := range 1 + r.IntN(4) {
		d.drawIndex(i)
	}
	d.spec.Type, d.spec.Roles = "thing", d.roles
	d.config.WriteID = core.None
	if chance(r, 10) {
		d.config.TypeAttribute = core.None
	}
	return d
}

func (d *drawing) drawRoles() {
	if chance(d.r, 50) {
		d.roles["ver"] = "version"
	}
	if chance(d.r, 50) {
		d.roles["crt"] = "created"
	}
	if chance(d.r, 50) {
		d.roles["upd"] = "updated"
	}
	if chance(d.r, 15) {
		d.roles["rest"] = "rest"
	}
	if chance(d.r, 15) {
		d.roles["f3"] = "key"
	}
	if chance(d.r, 15) {
		for _, p := range d.parts {
			if p.typ == reflect.TypeFor[time.Time]() || p.typ == reflect.TypeFor[int64]() {
				d.roles[p.name] = "ttl"
				break
			}
		}
	}
}

// members selects fields for a template.
func (d *drawing) members(most int) []part {
	from := append(slices.Clone(d.parts), stamps...)
	list := make([]part, 1+d.r.IntN(most))
	for i := range list {
		list[i] = pick(d.r, from)
		if chance(d.r, 40) {
			list[i] = pick(d.r, d.parts[2:4]) // so that indexes share members
		}
	}
	return list
}

// template generates a template with these fields.
func (d *drawing) template(members []part) string {
	d.tags++
	text := "L" + strconv.Itoa(d.tags)
	for _, m := range members {
		text += "#" + m.placeholder(d.r)
	}
	if chance(d.r, 10) {
		text += "#END"
	}
	return text
}

func (d *drawing) drawTable() {
	first := d.parts[:2]
	switch {
	case chance(d.r, 10) && first[0].native != "":
		d.config.Partition = core.Attribute{Name: first[0].name, Type: first[0].native}
		d.spec.Key.PK = first[0].attribute()
	default:
		d.spec.Key.PK = d.template(first[:1+d.r.IntN(2)])
	}
	switch {
	case chance(d.r, 15):
		d.config.NoSort = true
	case chance(d.r, 15) && first[1].native != "":
		d.config.Sort = core.Attribute{Name: first[1].name, Type: first[1].native}
		d.spec.Key.SK = first[1].attribute()
	case chance(d.r, 20):
		d.spec.Key.SK = "#META"
	default:
		d.spec.Key.SK = d.template(first[1:])
	}
}

// drawIndex adds an index of a random kind.
func (d *drawing) drawIndex(i int) {
	x := define.Index{Name: "GSI" + strconv.Itoa(i)}
	s := define.IndexSpec{Name: "by" + strconv.Itoa(i), On: x.Name}
	switch d.r.IntN(8) {
	default:
		s.PK, s.SK = d.template(d.members(2)), d.template(d.members(3))
	case 0:
		x.NoSort = true
		s.PK = d.template(d.members(2))
	case 1:
		if d.config.NoSort {
			return
		}
		x.Kind = core.LocalIndex
		s.SK = d.template(d.members(2))
	case 2: // the table's keys swapped
		if d.config.NoSort {
			return
		}
		x.Partition, x.Sort = []core.Attribute{d.config.Sort}, []core.Attribute{d.config.Partition}
		if x.Partition[0].Name == "" {
			x.Partition[0].Name = "SK"
		}
		if x.Sort[0].Name == "" {
			x.Sort[0].Name = "PK"
		}
	case 3: // another index's partition key
		if i == 0 || len(d.config.Indexes) == 0 || len(d.config.Indexes[0].Partition) > 0 || d.config.Indexes[0].Kind == core.LocalIndex {
			return
		}
		x.Partition = []core.Attribute{{Name: d.config.Indexes[0].Name + "PK"}}
		s.SK = d.template(d.members(2))
	case 4: // several fields as key attributes
		x.Partition, s.PK = d.natives(2)
		x.Sort, s.SK = d.natives(2)
	case 5: // a field as one half, a template as the other
		x.Partition, s.PK = d.natives(1)
		s.SK = d.template(d.members(2))
	case 6: // only members of the table's key
		s.PK, s.SK = d.template(d.parts[:1]), d.template(d.parts[:2])
	}
	d.config.Indexes = append(d.config.Indexes, x)
	d.spec.Indexes = append(d.spec.Indexes, s)
}

// natives selects fields that are key attributes themselves.
func (d *drawing) natives(most int) ([]core.Attribute, string) {
	var attrs []core.Attribute
	var texts []string
	for _, m := range d.members(most) {
		if m.native != "" {
			attrs = append(attrs, core.Attribute{Name: m.name, Type: m.native})
			texts = append(texts, m.attribute())
		}
	}
	return attrs, strings.Join(texts, ",")
}

// goType returns the struct type of the drawing.
func (d *drawing) goType() reflect.Type {
	var fields []reflect.StructField
	add := func(name, option string, t reflect.Type) {
		tag := name
		if option != "" {
			tag += "," + option
		}
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(name), Type: t, Tag: reflect.StructTag(fmt.Sprintf(`dynamodbav:%q`, tag))})
	}
	for _, p := range slices.Concat(d.parts, stamps, others) {
		option := p.option
		if d.roles[p.name] == "key" {
			option = ""
		}
		add(p.name, option, p.typ)
	}
	add("ver", "", pick(d.r, []reflect.Type{reflect.TypeFor[int64](), reflect.TypeFor[uint64](), reflect.TypeFor[int16]()}))
	if d.roles["rest"] != "" {
		add("rest", "", reflect.TypeFor[map[string]types.AttributeValue]())
	}
	return reflect.StructOf(fields)
}

// compiled is a random schema with one type.
type compiled struct {
	*drawing
	schema *core.Schema
	plan   *core.Plan
}

// compile returns nil if the drawing has faults.
func (d *drawing) compile() *compiled {
	s, faults := define.Schema(d.config)
	p, more := define.Compile(s, d.goType(), define.Markers{}, &d.spec)
	if len(faults)+len(more) > 0 {
		return nil
	}
	s.Add(p)
	if len(define.Validate(s)) > 0 {
		return nil
	}
	return &compiled{drawing: d, schema: s, plan: p}
}

// part returns the part of a field.
func (c *compiled) part(f *codec.Field) (part, bool) {
	for _, list := range [][]part{c.parts, stamps, others} {
		for _, p := range list {
			if p.name == f.Name {
				return p, true
			}
		}
	}
	return part{}, false
}
