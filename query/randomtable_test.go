package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
)

// part is a column in a sort key, in one of its formats.
type part struct {
	*column
	form   form
	known  bool // the partition determines its value
	raw    bool // not escaped
	delim  string
	last   bool // nothing follows it
	binary bool // the key attribute is not of type S
}

// keptValue returns what the key holds of a field's value. It returns false if the key cannot hold
// it.
func (p part) keptValue(v any) (any, bool) {
	kept, ok := p.form.keep(v)
	if text := textOf(kept); ok && p.raw && p.form.format != "hex" && text != "" {
		ok = !strings.HasPrefix(text, "$U") && (p.binary || !strings.Contains(text, p.delim+"$U")) && (p.last || !strings.Contains(text, p.delim))
	}
	return kept, ok
}

// value returns what the key holds value an item.
func (p part) value(s *sample) (any, bool) {
	v := p.get(s)
	if p.stored != nil {
		if _, ok := p.form.keep(v); !ok {
			return nil, false
		}
		v = p.stored(v)
	}
	return p.keptValue(v)
}

func (p part) String() string {
	if p.form.format == "" {
		return "<" + p.name + ">"
	}
	return "<" + p.name + ":" + p.form.format + ">"
}

// path is the table or an index.
type path struct {
	access   string // empty: the table
	index    entity.IndexConfig
	pk, sk   string
	tenanted bool // one partition per tenant; otherwise a single partition
	parts    []part
	lead     string
}

func (p *path) String() string {
	name := p.access
	if name == "" {
		name = "table"
	}
	texts := make([]string, len(p.parts))
	for i, q := range p.parts {
		texts[i] = q.String()
	}
	return fmt.Sprintf("%s pk %q sk %q of %s", name, p.pk, p.sk, strings.Join(texts, " "))
}

// has reports whether an item is on the path, and returns its values in the sort key.
func (p *path) has(s *sample) ([]any, bool) {
	tuple := make([]any, len(p.parts))
	for i, q := range p.parts {
		var ok bool
		if tuple[i], ok = q.value(s); !ok {
			return nil, false
		}
	}
	return tuple, true
}

// compare compares two tuples in the order of the path.
func (p *path) compare(a, b []any) int {
	for i, q := range p.parts {
		if c := q.form.sort(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

// neighbor is another type whose sort keys have almost the same prefix as those of the samples.
type neighbor struct {
	Tenant string `dynamodbav:"tenant"`
	ID     string `dynamodbav:"id"`
}

// randomTable is a table of samples with random templates, and its items.
type randomTable struct {
	raw       bool
	delim     string
	paths     []*path
	schema    *entity.Schema
	samples   *entity.Type[sample]
	neighbors *entity.Type[neighbor]
	pools     map[string][]any // values of each column
	tenants   []string
	items     []*sample
}

// tenant is the column in the partition keys.
var tenant = columnOf("tenant", keys.S, func(s *sample) *string { return &s.Tenant }, drawText, textForms[0])

// newRandomTable returns a table with an index of every kind, and items.
func newRandomTable(t *testing.T, d *generator, raw bool, items int) *randomTable {
	t.Helper()
	d.delim = "#"
	if raw {
		d.delim = pick(d.r, "#", "-")
	}
	s := &randomTable{raw: raw, delim: d.delim, pools: map[string][]any{}}
	table, global, local := d.template("", 1+d.r.IntN(3), raw, true), d.template("global", 1+d.r.IntN(3), raw, d.r.IntN(3) > 0), d.template("local", 1+d.r.IntN(3), raw, true)
	own, ownLocal, several := d.native("own", d.r.IntN(3) > 0), d.native("ownlocal", true), d.multiAttribute("several")
	s.paths = []*path{table, global, local, own, ownLocal, several}
	config := entity.Config{Raw: raw, Delimiter: d.delim, Formats: map[string]keys.Format{"compact": compact}}
	spec := entity.Spec{Type: "sample", Key: entity.KeySpec{PK: table.pk, SK: table.sk}}
	near := entity.Spec{Type: "neighbor"}
	for _, p := range s.paths[1:] {
		p.index.Name = "I-" + p.access
		x := entity.IndexSpec{Name: p.access, On: p.index.Name, PK: p.pk, SK: p.sk}
		switch p {
		case local:
			p.index.Kind, x.PK = entity.LocalIndex, ""
		case own:
			p.index.Partition, p.index.Sort = []entity.Attribute{entity.S("OwnPK")}, []entity.Attribute{attributeOf(p.parts[0].column, "OwnSK")}
		case ownLocal:
			p.index.Kind, x.PK = entity.LocalIndex, ""
			p.index.Sort = []entity.Attribute{attributeOf(p.parts[0].column, "OwnLocalSK")}
		case several:
			x.PK, x.SK = "", ""
		}
		config.Indexes = append(config.Indexes, p.index)
		spec.Indexes = append(spec.Indexes, x)
		if p == global && p.lead != "" {
			near.Indexes = append(near.Indexes, entity.IndexSpec{Name: "near", On: p.index.Name, PK: p.pk, SK: similarTemplate(p.lead, d.delim)})
		}
	}
	s.schema = entity.NewSchema(config)
	s.samples = entity.DefineSpec[sample](s.schema, spec)
	if table.lead != "" {
		near.Key = entity.KeySpec{PK: table.pk, SK: similarTemplate(table.lead, d.delim)}
		s.neighbors = entity.DefineSpec[neighbor](s.schema, near)
	}
	require.NoError(t, s.schema.Err(), "%s", s)
	s.generateItems(t, d.r, items)
	return s
}

// similarTemplate returns a template with almost the same prefix as another.
func similarTemplate(lead, delim string) string { return lead[:len(lead)-1] + "p" + delim + "<id>" }

func (s *randomTable) String() string {
	texts := []string{fmt.Sprintf("raw %t, delimiter %s", s.raw, s.delim)}
	for _, p := range s.paths {
		texts = append(texts, p.String())
	}
	return strings.Join(texts, "\n")
}

// keepsOrder reports whether keys preserve the order of a value. Raw keys do so only if none of its
// characters is below the delimiter.
func (s *randomTable) keepsOrder(v any) bool {
	if _, isBytes := v.([]byte); isBytes || !s.raw {
		return true
	}
	return !strings.ContainsFunc(textOf(v), func(r rune) bool { return r < rune(s.delim[0]) })
}

// canHold reports whether every key that holds the column can hold the value.
func (s *randomTable) canHold(c *column, v any) bool {
	if !s.keepsOrder(v) {
		return false
	}
	if c == tenant && (strings.HasPrefix(textOf(v), "$U") || strings.Contains(textOf(v), s.delim+"$U")) {
		return false // reserved in plain and raw keys
	}
	var probe sample
	c.set(&probe, v)
	for _, p := range s.paths {
		for _, q := range p.parts {
			if q.name != c.name {
				continue
			}
			if _, ok := q.value(&probe); !ok {
				return false
			}
		}
	}
	return true
}

func (s *randomTable) generateItems(t *testing.T, r *rand.Rand, items int) {
	t.Helper()
	for _, c := range append([]*column{tenant}, columns...) {
		for tries := 0; len(s.pools[c.name]) < 4; tries++ {
			require.Less(t, tries, 100_000, "no value of %s fits\n%s", c.name, s)
			if v := c.draw(r); s.canHold(c, v) && (c != tenant || !slices.Contains(s.pools[c.name], v)) {
				s.pools[c.name] = append(s.pools[c.name], v)
			}
		}
	}
	for _, v := range s.pools["tenant"][:3] {
		s.tenants = append(s.tenants, textOf(v))
	}
	inTable := map[string]bool{}
	for _, p := range s.paths[0].parts {
		inTable[p.name] = true
	}
	for range 4 * items {
		one := &sample{Tenant: s.tenants[r.IntN(3)], Serial: len(s.items), Keep: r.IntN(2) == 0, Score: r.IntN(10)}
		for _, c := range columns {
			if r.IntN(12) == 0 && !inTable[c.name] {
				continue // absent or zero
			}
			c.set(one, s.pools[c.name][r.IntN(4)])
		}
		if s.distinct(one) {
			s.items = append(s.items, one)
		}
		if len(s.items) == items {
			return
		}
	}
}

// distinct reports whether no other item has the same table key.
func (s *randomTable) distinct(one *sample) bool {
	key, _ := s.paths[0].has(one)
	for _, other := range s.items {
		if k, _ := s.paths[0].has(other); other.Tenant == one.Tenant && s.paths[0].compare(k, key) == 0 {
			return false
		}
	}
	return true
}

// fill creates the table and puts the items and their neighbors.
func (s *randomTable) fill(ctx context.Context, t *testing.T, client *dynamodb.Client, name string) {
	t.Helper()
	table, err := s.schema.Open(client, name)
	require.NoError(t, err)
	require.NoError(t, table.Create(ctx))
	var puts []types.WriteRequest
	for _, one := range s.items {
		item, err := s.samples.Encode(one)
		require.NoError(t, err, "%+v\n%s", one, s)
		puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	if s.neighbors != nil {
		for _, tenant := range s.tenants {
			item, err := s.neighbors.Encode(&neighbor{Tenant: tenant, ID: "1"})
			require.NoError(t, err)
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
	}
	for len(puts) > 0 {
		n := min(25, len(puts))
		out, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{name: puts[:n]}})
		require.NoError(t, err)
		require.Empty(t, out.UnprocessedItems)
		puts = puts[n:]
	}
}
