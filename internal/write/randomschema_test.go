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

	"github.com/trestledb/trestle"
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

// fieldKind is a kind of field in the random types: its Go type, its tag option, its formats in
// templates, the key attribute type that it can have, and its values. The first value is zero.
type fieldKind struct {
	typ     reflect.Type
	option  string
	formats []string
	native  keys.AttrType
	addable bool
	values  []any
}

func fieldKindOf[T any](option string, native keys.AttrType, formats []string, values ...T) fieldKind {
	var zero T
	k := fieldKind{typ: reflect.TypeFor[T](), option: option, native: native, formats: formats, values: []any{zero}}
	for _, v := range values {
		k.values = append(k.values, v)
	}
	return k
}

func addable(k fieldKind) fieldKind { k.addable = true; return k }

func ptr[T any](v T) *T { return &v }

var (
	noon         = time.Date(2026, 8, 5, 12, 0, 0, 0, time.UTC)
	sampleTimes  = []time.Time{noon, noon.Add(500 * time.Millisecond), noon.Add(time.Hour), noon.AddDate(0, 0, 1)}
	sampleTexts  = []string{"a", "A", "b#c", "d e"}
	textFormats  = []string{"", "", "", "lower", "upper"}
	intFormats   = []string{"ord", "ord", "raw", "04", "ord,desc"}
	floatFormats = []string{"ord", "ord,desc"}
	timeFormats  = []string{"ns", "us", "ms", "s", "unix", "hour", "day", "month", "s,desc"}
	noFormats    = []string{""}
)

// fieldKinds lists all kinds of fields that can be a member of a key.
var fieldKinds = []fieldKind{
	fieldKindOf("", keys.S, textFormats, sampleTexts...),
	fieldKindOf("omitempty", keys.S, textFormats, sampleTexts...),
	fieldKindOf("", keys.S, textFormats, ptr(sampleTexts[0]), ptr(sampleTexts[2])),
	fieldKindOf("omitempty", keys.S, textFormats, ptr(sampleTexts[0]), ptr(sampleTexts[3]), ptr("")),
	addable(fieldKindOf("", keys.N, intFormats, int64(1), 7, 42)),
	addable(fieldKindOf("omitempty", keys.N, intFormats, int32(1), 7, 42)),
	addable(fieldKindOf("", keys.N, intFormats, uint16(1), 7, 42)),
	fieldKindOf("omitempty", keys.N, intFormats, ptr(int64(0)), ptr(int64(9))),
	addable(fieldKindOf("", keys.N, floatFormats, 0.5, -2.25, 1e10)),
	fieldKindOf("", "", noFormats, true),
	fieldKindOf("omitempty", "", noFormats, true),
	fieldKindOf("", keys.S, timeFormats, sampleTimes...),
	fieldKindOf("omitempty", keys.S, timeFormats, sampleTimes...),
	fieldKindOf("unixtime", keys.N, timeFormats, sampleTimes...),
	fieldKindOf("", keys.S, timeFormats, ptr(sampleTimes[0]), ptr(sampleTimes[1])),
	fieldKindOf("", keys.B, []string{"hex"}, []byte{1}, []byte{0, 0xff}),
	fieldKindOf("omitempty", keys.B, []string{"hex"}, []byte{1}, []byte{0, 0xff}),
	fieldKindOf("", keys.S, textFormats, code{1}, code{2}),
}

// fieldSpec is a field of a random type.
type fieldSpec struct {
	fieldKind
	name string // the attribute name
}

// placeholder returns a placeholder for the field.
func (p fieldSpec) placeholder(r *rand.Rand) string {
	if f := pick(r, p.formats); f != "" {
		return "<" + p.name + ":" + f + ">"
	}
	return "<" + p.name + ">"
}

// attribute returns the placeholder of the field as a key attribute.
func (p fieldSpec) attribute() string {
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

// randomType is a random type with random keys before it is compiled.
type randomType struct {
	r        *rand.Rand
	fields   []fieldSpec
	roles    map[string]string
	config   trestle.Config
	spec     trestle.Spec
	literals int // the number of literals; every template starts with its own
}

// The fields that every random type has. Only the stamps can be members of a key.
var (
	roleFields  = []fieldSpec{{fieldKinds[11], "crt"}, {fieldKinds[11], "upd"}}
	otherFields = []fieldSpec{
		{fieldKindOf("omitempty", "", nil, []string{"x"}, []string{"x", "y"}), "lst"},
		{fieldKindOf("stringset,omitempty", "", nil, []string{"x"}, []string{"x", "y"}), "set"},
		{fieldKindOf("", "", nil, "n1", "n2"), "note"},
		{addable(fieldKindOf("", "", nil, int64(1), 5)), "cnt"},
	}
)

// newRandomType generates a random type and its keys; with companions, also its unique values and
// counts.
func newRandomType(r *rand.Rand, companions bool) *randomType {
	d := &randomType{r: r, roles: map[string]string{}}
	for i := range 4 + r.IntN(4) {
		d.fields = append(d.fields, fieldSpec{pick(r, fieldKinds), "f" + strconv.Itoa(i)})
	}
	d.addRoles()
	d.addTableKey()
	for i := range 1 + r.IntN(4) {
		d.addIndex(i)
	}
	if companions {
		d.addUniques()
		d.addCount()
	}
	d.spec.Type, d.spec.Roles = "thing", d.roles
	d.config.WriteID = trestle.None
	if chance(r, 10) {
		d.config.TypeAttribute = trestle.None
	}
	return d
}

func (d *randomType) addRoles() {
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
	if chance(d.r, 60) {
		for _, p := range d.fields {
			if p.typ == reflect.TypeFor[time.Time]() || p.typ == reflect.TypeFor[int64]() {
				d.roles[p.name] = "ttl"
				break
			}
		}
	}
}

// members selects fields for a template.
func (d *randomType) members(most int) []fieldSpec {
	from := append(slices.Clone(d.fields), roleFields...)
	list := make([]fieldSpec, 1+d.r.IntN(most))
	for i := range list {
		list[i] = pick(d.r, from)
		if chance(d.r, 40) {
			list[i] = pick(d.r, d.fields[2:4]) // so that indexes share members
		}
	}
	return list
}

// template generates a template with these fields.
func (d *randomType) template(members []fieldSpec) string {
	d.literals++
	text := "L" + strconv.Itoa(d.literals)
	for _, m := range members {
		text += "#" + m.placeholder(d.r)
	}
	if chance(d.r, 10) {
		text += "#END"
	}
	return text
}

func (d *randomType) addTableKey() {
	first := d.fields[:2]
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

// addIndex adds an index of a random kind.
func (d *randomType) addIndex(i int) {
	x := trestle.IndexConfig{Name: "GSI" + strconv.Itoa(i)}
	s := trestle.IndexSpec{Name: "by" + strconv.Itoa(i), On: x.Name}
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
		x.Kind = trestle.LocalIndex
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
		if i == 0 || len(d.config.Indexes) == 0 || len(d.config.Indexes[0].Partition) > 0 || d.config.Indexes[0].Kind == trestle.LocalIndex {
			return
		}
		x.Partition = []core.Attribute{{Name: d.config.Indexes[0].Name + "PK"}}
		s.SK = d.template(d.members(2))
	case 4: // several fields as key attributes
		x.Partition, s.PK = d.nativeAttributes(2)
		x.Sort, s.SK = d.nativeAttributes(2)
	case 5: // a field as one half, a template as the other
		x.Partition, s.PK = d.nativeAttributes(1)
		s.SK = d.template(d.members(2))
	case 6: // only members of the table's key
		s.PK, s.SK = d.template(d.fields[:1]), d.template(d.fields[:2])
	}
	d.config.Indexes = append(d.config.Indexes, x)
	d.spec.Indexes = append(d.spec.Indexes, s)
}

// nativeAttributes selects fields that are key attributes themselves.
func (d *randomType) nativeAttributes(most int) ([]core.Attribute, string) {
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

// goType returns the struct type of the random type.
func (d *randomType) goType() reflect.Type {
	var fields []reflect.StructField
	add := func(name, option string, t reflect.Type) {
		tag := name
		if option != "" {
			tag += "," + option
		}
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(name), Type: t, Tag: reflect.StructTag(fmt.Sprintf(`dynamodbav:%q`, tag))})
	}
	for _, p := range slices.Concat(d.fields, roleFields, otherFields) {
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

// compiled is a random schema with one type, and with the type that counts its items if they are
// counted.
type compiled struct {
	*randomType
	schema *core.Schema
	plan   *core.Plan
	groups *core.Plan // nil: they are not counted
}

// compile returns nil if the random type has faults.
func (d *randomType) compile() *compiled {
	s, faults := define.Schema(d.config)
	p, more := define.Compile(s, d.goType(), define.Markers{}, &d.spec)
	if len(faults)+len(more) > 0 {
		return nil
	}
	s.Add(p)
	c := &compiled{randomType: d, schema: s, plan: p}
	if len(d.spec.Counted) > 0 {
		if c.groups, more = define.Compile(s, reflect.TypeFor[group](), define.Markers{}, d.groupSpec()); len(more) > 0 {
			return nil
		}
		s.Add(c.groups)
	}
	if len(define.Validate(s)) > 0 {
		return nil
	}
	return c
}

// specOf returns the part of a field.
func (c *compiled) specOf(f *codec.Field) (fieldSpec, bool) {
	for _, list := range [][]fieldSpec{c.fields, roleFields, otherFields} {
		for _, p := range list {
			if p.name == f.Name {
				return p, true
			}
		}
	}
	return fieldSpec{}, false
}
