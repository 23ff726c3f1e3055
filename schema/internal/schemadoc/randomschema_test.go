package schemadoc_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
)

// The types of a random schema. All of them are samples.
type (
	alpha sample
	beta  sample
	gamma sample
)

// randomSchema is a schema of random templates.
type randomSchema struct {
	r          *rand.Rand
	config     entity.Config
	columns    []column // the columns that templates use
	partitions []string // equal or similar templates of several types
	specs      []entity.Spec
}

func newRandomSchema(r *rand.Rand) *randomSchema {
	d := &randomSchema{r: r, config: entity.Config{Formats: map[string]keys.Format{"compact": compact}, Delimiter: "#", NoSort: r.IntN(10) == 0}}
	if r.IntN(3) == 0 {
		d.config.Raw, d.config.Delimiter = true, pick(r, "#", "|", "~")
	}
	if r.IntN(4) == 0 {
		d.config.TypeAttribute = entity.None
	}
	if r.IntN(6) == 0 {
		d.config.Partition = entity.S("tenant")
	}
	if r.IntN(6) == 0 {
		d.config.Sort = pick(r, entity.S("name"), entity.N("count"), entity.B("hash"))
	}
	if d.config.NoSort {
		d.config.Sort = entity.Attribute{}
	}
	// An address and an equal text render the same key. The samples have no such text, so a schema
	// uses only one of the two kinds.
	alike := [][]string{{"tenant", "name", "tag"}, {"addr"}}
	own := alike[max(0, r.IntN(3)-1)]
	for _, c := range columns {
		if slices.Contains(own, c.name) || !slices.Contains(slices.Concat(alike...), c.name) {
			d.columns = append(d.columns, c)
		}
	}
	for range 2 {
		d.partitions = append(d.partitions, d.template(pick(r, "T", "ORG", "a b"), r.IntN(4), nil))
	}
	for i := range r.IntN(5) {
		d.index(fmt.Sprintf("I-%d", i))
	}
	for i := range 1 + r.IntN(3) {
		d.entity(i)
	}
	return d
}

// index adds an index of a random kind.
func (d *randomSchema) index(name string) {
	x := entity.IndexConfig{Name: name, NoSort: d.r.IntN(8) == 0}
	several := []entity.Attribute{entity.S("tenant"), entity.S("tag"), entity.N("count"), entity.N("heat"), entity.S("name")}
	ordinary := !d.config.NoSort && d.config.Sort == (entity.Attribute{}) && d.config.Partition == (entity.Attribute{})
	switch d.r.IntN(7) {
	case 0:
		x.Kind, x.NoSort = entity.LocalIndex, false
		if d.r.IntN(2) == 0 {
			x.Sort = several[1+d.r.IntN(4) : 5][:1]
		}
	case 1: // inverted
		if ordinary {
			x.Partition, x.Sort, x.NoSort = []entity.Attribute{entity.S("SK")}, []entity.Attribute{entity.S("PK")}, false
		}
	case 2: // contains types that do not declare it too
		if ordinary {
			x.Partition, x.Sort, x.NoSort = several[d.r.IntN(2):][:1], []entity.Attribute{entity.S("SK")}, false
		}
	case 3, 4:
		d.r.Shuffle(len(several), func(i, j int) { several[i], several[j] = several[j], several[i] })
		n := 1 + d.r.IntN(2)
		if x.Partition = several[:n]; !x.NoSort {
			x.Sort = several[n : n+1+d.r.IntN(2)]
		}
	}
	switch d.r.IntN(4) {
	case 0:
		x.KeysOnly = true
	case 1:
		x.Include = pick(d.r, []string{"serial"}, []string{"serial", "_type"})
	}
	if x.KeysOnly || d.config.TypeAttribute == entity.None && len(x.Include) > 0 {
		x.Include = x.Include[:min(len(x.Include), 1)]
	}
	if x.NoSort {
		x.Sort = nil
	}
	d.config.Indexes = append(d.config.Indexes, x)
}

// entity adds a type. Some types share the keys of the previous type.
func (d *randomSchema) entity(i int) {
	spec := entity.Spec{Type: []string{"alpha", "beta", "gamma ray"}[i]}
	lead := []string{"A", "B", "C"}[i]
	if i > 0 && d.r.IntN(4) == 0 && d.config.TypeAttribute == "" {
		d.specs[i-1].Key.Shared = true
		spec.Key = d.specs[i-1].Key
	} else {
		spec.Key = entity.KeySpec{PK: pick(d.r, d.partitions...)}
		if spec.Key.SK = d.template(lead, d.r.IntN(4), fieldsOf(spec.Key.PK)); d.config.NoSort {
			spec.Key.PK, spec.Key.SK = d.template(lead, 1+d.r.IntN(2), nil), ""
		}
	}
	if d.config.Partition != (entity.Attribute{}) {
		spec.Key.PK = ""
	}
	if d.config.Sort != (entity.Attribute{}) {
		spec.Key.SK = ""
	}
	if !spec.Key.Shared {
		fields := fieldsOf(spec.Key.PK + spec.Key.SK)
		spec.Key.PK, spec.Key.Shards = d.sharded(spec.Key.PK, fields, false)
	}
	for n, x := range d.config.Indexes {
		if d.r.IntN(4) == 0 {
			continue
		}
		spec.Indexes = append(spec.Indexes, d.access(spec, i, n, x, lead))
	}
	d.specs = append(d.specs, spec)
}

// access declares an access pattern for an index.
func (d *randomSchema) access(spec entity.Spec, i, n int, x entity.IndexConfig, lead string) entity.IndexSpec {
	a := entity.IndexSpec{Name: fmt.Sprintf("by %d", n), On: x.Name}
	if i > 0 && d.r.IntN(3) == 0 {
		for k, other := range d.specs[i-1].Indexes {
			if other.On == x.Name {
				d.specs[i-1].Indexes[k].Shared = true
				a.Shared, a.PK, a.SK, a.Shards = true, other.PK, other.SK, other.Shards
				return a
			}
		}
	}
	if a.PK = pick(d.r, d.partitions...); x.Partition != nil || x.Kind == entity.LocalIndex {
		a.PK = ""
	}
	of := a.PK
	if x.Kind == entity.LocalIndex {
		of = spec.Key.PK
	}
	if a.SK = d.template(lead, d.r.IntN(4), fieldsOf(of)); x.Sort != nil || x.NoSort {
		a.SK = ""
	}
	a.PK, a.Shards = d.sharded(a.PK, fieldsOf(spec.Key.PK+spec.Key.SK), true)
	return a
}

// sharded adds a shard to some templates, computed from some of the fields of the table's key. The
// literal before it has the number of shards, so templates with different numbers differ.
func (d *randomSchema) sharded(template string, fields []string, index bool) (string, []int) {
	fields = slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return strings.HasPrefix(f, "<shard") })
	if template == "" || d.r.IntN(4) > 0 || len(fields) == 0 {
		return template, nil
	}
	d.r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	var from []string
	for _, f := range fields[:1+d.r.IntN(len(fields))] {
		name, _, _ := strings.Cut(strings.Trim(f, "<>"), ":")
		from = append(from, name)
	}
	n, shard := 1+d.r.IntN(4), "<shard:"+strings.Join(from, ",")+">"
	counts := []int{n}
	if index && d.r.IntN(2) == 0 {
		shard, counts = "<shard>", []int{1, n}
	}
	return template + d.config.Delimiter + fmt.Sprintf("sh%d", n) + d.config.Delimiter + shard, counts
}

// template returns a template of n fields in random formats. Some fields are taken from given.
func (d *randomSchema) template(lead string, n int, given []string) string {
	var parts []string
	if n == 0 || d.r.IntN(4) > 0 {
		parts = append(parts, lead)
	}
	for range n {
		if len(given) > 0 && d.r.IntN(2) == 0 {
			parts = append(parts, given[d.r.IntN(len(given))])
			continue
		}
		c := pick(d.r, d.columns...)
		field := "<" + c.name
		if format := pick(d.r, c.formats...); format != "" {
			field += ":" + format
		}
		parts = append(parts, field+">")
	}
	text := strings.Join(parts, d.config.Delimiter)
	if d.r.IntN(6) == 0 {
		text += d.config.Delimiter + pick(d.r, "END", "of all")
	}
	return text
}

// fieldsOf returns the placeholders of a template.
func fieldsOf(template string) []string { return placeholder.FindAllString(template, -1) }

// define defines the schema. It returns nil if the schema is invalid, such as for conflicting
// types. If same is set, all fields of a kind have the same value; otherwise all values differ.
func (d *randomSchema) define(same bool) *documented {
	s := entity.NewSchema(d.config)
	var reads []func(t *testing.T, x *requestLog)
	whole := d.sample(same)
	all := keyTextsOf(&whole)
	for i, spec := range d.specs {
		switch i {
		case 0:
			reads = append(reads, sendSpec(d, entity.DefineSpec[alpha](s, spec), spec, all, whole, func(s sample) alpha { return alpha(s) }))
		case 1:
			reads = append(reads, sendSpec(d, entity.DefineSpec[beta](s, spec), spec, all, whole, func(s sample) beta { return beta(s) }))
		default:
			reads = append(reads, sendSpec(d, entity.DefineSpec[gamma](s, spec), spec, all, whole, func(s sample) gamma { return gamma(s) }))
		}
	}
	if s.Err() != nil {
		return nil
	}
	return &documented{s, d.config.Raw, func(t *testing.T, x *requestLog) {
		t.Helper()
		for _, read := range reads {
			read(t, x)
		}
	}}
}

// sendSpec returns a function that sends the reads of a type, with the examples that its spec
// needs.
func sendSpec[T any](d *randomSchema, typ *entity.Type[T], spec entity.Spec, all keyTexts, whole sample, of func(sample) T) func(*testing.T, *requestLog) {
	return func(t *testing.T, x *requestLog) {
		t.Helper()
		var on []patternUse[T]
		for _, a := range spec.Indexes {
			on = append(on, patternUse[T]{access: a.Name, example: of(d.example(x, spec, a.On, whole))})
		}
		sendReads(t, x, typ, all, of(whole), of(d.example(x, spec, onTable, whole)), on...)
	}
}

// example returns the example that selects a partition: a sample that sets only the fields of the
// partition key.
func (d *randomSchema) example(x *requestLog, spec entity.Spec, index string, whole sample) (example sample) {
	at := slices.IndexFunc(x.keyed, func(k keySchema) bool { return k.name == index })
	for _, attribute := range x.keyed[at].partition {
		for _, f := range fieldsOf(d.templateOf(x, spec, attribute)) {
			name, _, _ := strings.Cut(strings.Trim(f, "<>"), ":")
			for _, c := range columns {
				if c.name == name {
					c.value(&example).Set(c.value(&whole))
				}
			}
		}
	}
	return example
}

// templateOf returns the template of an attribute.
func (d *randomSchema) templateOf(x *requestLog, spec entity.Spec, attribute string) string {
	own := "<" + attribute + ">"
	of := func(k keySchema, pk, sk string) string {
		switch {
		case k.partition[0] == attribute && pk != "":
			return pk
		case len(k.sort) > 0 && k.sort[0] == attribute && sk != "":
			return sk
		}
		return ""
	}
	for _, k := range x.keyed {
		if k.name == onTable {
			if t := of(k, spec.Key.PK, spec.Key.SK); t != "" {
				return t
			}
		}
		for _, a := range spec.Indexes {
			if a.On == k.name {
				if t := of(k, a.PK, a.SK); t != "" {
					return t
				}
			}
		}
	}
	return own
}

// sample returns an item with a value in every field.
func (d *randomSchema) sample(same bool) sample {
	at := time.Date(2026, 8, 9, 10, 11, 12, 13_014_015, time.UTC)
	s := sample{
		Tenant: "Tt $#", Serial: 1, Name: "Nn !1", Tag: "Gg#2", Addr: netip.AddrFrom4([4]byte{10, 0, 0, 7}), Count: 42, Small: 43, Mass: 44, Heat: 1.5,
		At: at, Ends: time.Date(2027, 9, 10, 11, 12, 13, 0, time.UTC), On: true, Hash: []byte{1, 'h'},
	}
	if d.config.Raw {
		s.Tenant, s.Tag = "Tt $", "Gg 2"
	}
	if same {
		s.Name, s.Tag, s.Small, s.Mass, s.Heat, s.At = s.Tenant, label(s.Tenant), 42, 42, 42, s.Ends
	}
	return s
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }
