package query_test

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

// drawn is a schema of random templates.
type drawn struct {
	r          *rand.Rand
	config     entity.Config
	columns    []*column // the columns that templates use
	partitions []string  // equal or similar templates of several types
	specs      []entity.Spec
}

func drawSchema(r *rand.Rand) *drawn {
	d := &drawn{r: r, config: entity.Config{Formats: map[string]keys.Format{"compact": compact}, Delimiter: "#", NoSort: r.IntN(10) == 0}}
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
	for _, c := range append([]*column{tenant}, columns...) {
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
func (d *drawn) index(name string) {
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
func (d *drawn) entity(i int) {
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
	for n, x := range d.config.Indexes {
		if d.r.IntN(4) == 0 {
			continue
		}
		spec.Indexes = append(spec.Indexes, d.access(spec, i, n, x, lead))
	}
	d.specs = append(d.specs, spec)
}

// access declares an access pattern for an index.
func (d *drawn) access(spec entity.Spec, i, n int, x entity.IndexConfig, lead string) entity.IndexSpec {
	a := entity.IndexSpec{Name: fmt.Sprintf("by %d", n), On: x.Name}
	if i > 0 && d.r.IntN(3) == 0 {
		for k, other := range d.specs[i-1].Indexes {
			if other.On == x.Name {
				d.specs[i-1].Indexes[k].Shared = true
				a.Shared, a.PK, a.SK = true, other.PK, other.SK
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
	return a
}

// template returns a template of n fields in random formats. Some fields are taken from given.
func (d *drawn) template(lead string, n int, given []string) string {
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
		f := c.forms[d.r.IntN(len(c.forms))]
		parts = append(parts, part{column: c, form: f}.String())
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
func (d *drawn) define(same bool) *charted {
	s := entity.NewSchema(d.config)
	var asks []func(t *testing.T, x *interview)
	whole := d.sample(same)
	all := writtenTexts(&whole)
	for i, spec := range d.specs {
		switch i {
		case 0:
			asks = append(asks, askSpec(d, entity.DefineSpec[alpha](s, spec), spec, all, whole, func(s sample) alpha { return alpha(s) }))
		case 1:
			asks = append(asks, askSpec(d, entity.DefineSpec[beta](s, spec), spec, all, whole, func(s sample) beta { return beta(s) }))
		default:
			asks = append(asks, askSpec(d, entity.DefineSpec[gamma](s, spec), spec, all, whole, func(s sample) gamma { return gamma(s) }))
		}
	}
	if s.Err() != nil {
		return nil
	}
	return &charted{s, d.config.Raw, func(t *testing.T, x *interview) {
		t.Helper()
		for _, ask := range asks {
			ask(t, x)
		}
	}}
}

// askSpec asks a type with the examples that its spec needs.
func askSpec[T any](d *drawn, typ *entity.Type[T], spec entity.Spec, all texts, whole sample, of func(sample) T) func(*testing.T, *interview) {
	return func(t *testing.T, x *interview) {
		t.Helper()
		var on []asking[T]
		for _, a := range spec.Indexes {
			on = append(on, asking[T]{access: a.Name, example: of(d.part(x, spec, a.On, whole))})
		}
		ask(t, x, typ, all, of(whole), of(d.part(x, spec, onTable, whole)), on...)
	}
}

// part returns the example that selects a partition: a sample that sets only the fields of the
// partition key.
func (d *drawn) part(x *interview, spec entity.Spec, index string, whole sample) (example sample) {
	at := slices.IndexFunc(x.keyed, func(k keySchema) bool { return k.name == index })
	for _, attribute := range x.keyed[at].partition {
		for _, f := range fieldsOf(d.templateOf(x, spec, attribute)) {
			name, _, _ := strings.Cut(strings.Trim(f, "<>"), ":")
			for _, c := range append([]*column{tenant}, columns...) {
				if c.name == name {
					c.set(&example, c.get(&whole))
				}
			}
		}
	}
	return example
}

// templateOf returns the template of an attribute.
func (d *drawn) templateOf(x *interview, spec entity.Spec, attribute string) string {
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
func (d *drawn) sample(same bool) sample {
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
