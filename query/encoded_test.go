package query_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/query"
)

// encodings returns the key formats that a column's plain attribute can have, with the type of the
// attribute.
func (c *column) encodings() (all []encoding) {
	if c.name == "on" {
		return nil // a boolean cannot be a plain key attribute
	}
	for _, f := range c.forms {
		all = append(all, encoding{c, f, keys.S})
		if strings.HasPrefix(f.format, "unix") && !f.desc() {
			all = append(all, encoding{c, f, keys.N})
		}
	}
	if c.native == keys.N || c.native == keys.B {
		all = append(all, encoding{c, form{keep: keepAll, ordered: true, prefixes: true}, c.native})
	}
	return all
}

// encoding is a column whose plain attribute uses a key format.
type encoding struct {
	*column
	form form
	kind keys.AttrType
}

func (e encoding) String() string { return fmt.Sprintf("<%s:%s> as %s", e.name, e.form.format, e.kind) }

// keeps returns what the attribute holds of a value; false if it holds none.
func (e encoding) keeps(v any) (any, bool) {
	if b, ok := v.([]byte); ok && len(b) == 0 {
		return v, false
	}
	return part{column: e.column, form: e.form, raw: true, delim: "#", last: true}.keptValue(v)
}

// exact reports whether the attribute can hold a value without loss.
func (e encoding) exact(v any) bool {
	kept, ok := e.form.keep(v)
	return ok && compareTyped(kept, v) == 0
}

// condition is a condition on an attribute.
type condition struct {
	op       operator
	operands []any
}

// conditions returns conditions with all operators, on existing and other values.
func (e encoding) conditions(r *rand.Rand, pool []any) (all []condition) {
	add := func(op operator, operands ...any) { all = append(all, condition{op, operands}) }
	value := func() any {
		if r.IntN(4) == 0 {
			return e.draw(r)
		}
		return pick(r, pool...)
	}
	add(opExists)
	add(opNotExists)
	add(opIn, value())
	add(opIn, value(), value(), value())
	for range 2 {
		for _, op := range []operator{opEq, opNe, opLt, opLe, opGt, opGe} {
			add(op, value())
		}
		lo, hi := value(), value()
		if compareTyped(lo, hi) > 0 {
			lo, hi = hi, lo
		}
		add(opBetween, lo, hi)
		if _, ok := lo.(time.Time); ok {
			add(opDuring, lo, hi)
			add(opSince, lo)
			add(opBefore, lo)
		}
		n := r.IntN(5)
		for _, op := range []operator{opSizeEq, opSizeNe, opSizeLt, opSizeGe} {
			add(op, n)
		}
		add(opSizeIn, n, n+r.IntN(3))
		switch v := value().(type) {
		case string:
			add(opBegins, beginning(r, v))
			add(opContains, middle(r, v))
		case label:
			add(opBegins, label(beginning(r, string(v))))
			add(opContains, label(middle(r, string(v))))
		case []byte:
			add(opBegins, v[:1+r.IntN(len(v))])
			from := r.IntN(len(v))
			add(opContains, v[from:from+1+r.IntN(len(v)-from)])
			// hexadecimal digits of two adjacent bytes
			add(opContains, []byte{v[from]<<4 | v[r.IntN(len(v))]>>4})
		}
	}
	return all
}

func beginning(r *rand.Rand, text string) string {
	runes := []rune(text)
	return string(runes[:1+r.IntN(len(runes))])
}

func middle(r *rand.Rand, text string) string {
	runes := []rune(text)
	from := r.IntN(len(runes))
	return string(runes[from : from+1+r.IntN(len(runes)-from)])
}

// holds is the model. It reports whether a condition is true for a typed value. sure is false if
// engines may count in two ways.
func (c condition) holds(v any, there bool) (holds, sure bool) {
	if !there {
		return c.op == opNotExists || c.op == opNe || c.op == opSizeNe, true
	}
	order := func(i int) int { return compareTyped(v, c.operands[i]) }
	switch c.op {
	case opExists:
		return true, true
	case opNotExists:
		return false, true
	case opEq:
		return order(0) == 0, true
	case opNe:
		return order(0) != 0, true
	case opLt, opBefore:
		return order(0) < 0, true
	case opLe:
		return order(0) <= 0, true
	case opGt:
		return order(0) > 0, true
	case opGe, opSince:
		return order(0) >= 0, true
	case opBetween:
		return order(0) >= 0 && order(1) <= 0, true
	case opDuring:
		return order(0) >= 0 && order(1) < 0, true
	case opIn:
		return slices.ContainsFunc(c.operands, func(o any) bool { return compareTyped(v, o) == 0 }), true
	case opBegins:
		return strings.HasPrefix(textOf(v), textOf(c.operands[0])), true
	case opContains:
		return strings.Contains(textOf(v), textOf(c.operands[0])), true
	}
	size, sure := sizeOf(v)
	n := c.operands[0].(int)
	switch c.op {
	case opSizeEq:
		return size == n, sure
	case opSizeNe:
		return size != n, sure
	case opSizeLt:
		return size < n, sure
	case opSizeGe:
		return size >= n, sure
	}
	return size >= n && size <= c.operands[1].(int), sure
}

// sizeOf returns the number of characters or bytes of a value. Characters above U+FFFF may count as
// two.
func sizeOf(v any) (n int, sure bool) {
	if b, ok := v.([]byte); ok {
		return len(b), true
	}
	text := textOf(v)
	return utf8.RuneCountInString(text), !strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
}

// answerable reports whether a condition must be accepted: the operator supports the value's type,
// and the format can hold the operands.
func (e encoding) answerable(c condition) bool {
	var kind any
	if len(c.operands) > 0 {
		kind = c.operands[0]
	}
	switch c.op {
	case opExists, opNotExists:
		return true
	case opSizeEq, opSizeNe, opSizeLt, opSizeGe, opSizeIn:
		switch e.draw(rand.New(rand.NewPCG(0, 0))).(type) {
		case string, label, []byte, netip.Addr:
			return true
		}
		return false
	case opContains:
		if _, ok := kind.([]byte); ok && e.form.format == "hex" {
			return false
		}
	case opLt, opLe, opGt, opGe, opBetween, opDuring, opSince, opBefore:
		if !e.form.ordered {
			return false
		}
	}
	end := len(c.operands)
	if c.op == opDuring && c.operands[1].(time.Time).Equal(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)) {
		end = 1
	}
	for _, o := range c.operands[:end] {
		if !e.exact(o) {
			return false
		}
		if text := textOf(o); strings.Contains(text, "$U") && e.form.format != "hex" && e.kind == keys.S {
			return false // no plain key begins with it; it may be rejected
		}
	}
	return true
}

// For an attribute in a key format, every operator either compares the value instead of the text,
// or is rejected. The negative control compares the text.
func TestConditionsOnEncodedAttributes(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		client := e.Client(t)
		most := 0
		for _, c := range columns {
			most = max(most, len(c.encodings()))
		}
		first, rounds := r.IntN(most), most
		if e.Name == engines.DynamoDBLocal {
			rounds = testsize.Pick(4, 4, most)
		}
		answered, refused, wrong := map[operator]int{}, map[operator]int{}, 0
		for round := range rounds {
			s := newEncodedTable(t, client, r, fmt.Sprintf("encoded%d", round), first+round)
			for _, enc := range s.encodings {
				for _, c := range enc.conditions(r, s.pools[enc.name]) {
					about := fmt.Sprintf("%s %s %v", enc, c.op, c.operands)
					got, err := s.ask(t, enc, c)
					if err != nil {
						require.ErrorIs(t, err, trestle.ErrInvalid, about)
						require.False(t, enc.answerable(c), "%s: %v", about, err)
						refused[c.op]++
						continue
					}
					answered[c.op]++
					for i, item := range s.items {
						v, there := enc.keeps(enc.get(item))
						if holds, sure := c.holds(v, there); sure {
							require.Equal(t, holds, got[i], "%s of %v", about, v)
						}
					}
				}
			}
			wrong += s.naive(t, client, r)
			_, err := s.repo.Update(t.Context(), sample{Tenant: "t", Serial: 0}, attr.Add(sampleCount, 1))
			require.Equal(t, s.kindOf("count") == keys.S, errors.Is(err, trestle.ErrInvalid), err)
		}
		t.Log("answered", answered, "refused", refused, "wrong in the control", wrong)
		for _, op := range []operator{
			opEq, opNe, opLt, opLe, opGt, opGe, opBetween, opBegins, opDuring, opSince, opBefore, opIn, opExists, opNotExists, opContains,
			opSizeEq, opSizeNe, opSizeLt, opSizeGe, opSizeIn,
		} {
			if rounds == most { // some encodings may support no operator
				require.Positive(t, answered[op], op)
			}
		}
		require.Positive(t, refused[opContains])
		require.Positive(t, refused[opSizeEq])
		require.Positive(t, wrong, "the control: the text answers otherwise")
	})
}

// encodedTable is a table of samples in which each column is a plain attribute in a key format.
type encodedTable struct {
	name      string
	encodings []encoding
	pools     map[string][]any
	items     []*sample
	repo      *entity.Repo[sample]
}

func newEncodedTable(t *testing.T, client *dynamodb.Client, r *rand.Rand, name string, round int) *encodedTable {
	t.Helper()
	s := &encodedTable{name: name, pools: map[string][]any{}}
	config := entity.Config{Formats: map[string]keys.Format{"compact": compact}, Sort: entity.N("serial")}
	spec := entity.Spec{Type: "sample", Key: entity.KeySpec{PK: "S", SK: "<serial>"}}
	for _, c := range columns {
		all := c.encodings()
		if len(all) == 0 {
			continue
		}
		e := all[round%len(all)]
		s.encodings = append(s.encodings, e)
		key := map[keys.AttrType]func(string) entity.Attribute{keys.S: entity.S, keys.N: entity.N, keys.B: entity.B}[e.kind](c.name)
		config.Indexes = append(config.Indexes, entity.IndexConfig{Name: "X-" + c.name, Partition: []entity.Attribute{key}, NoSort: true})
		template := "<" + c.name + ":" + e.form.format + ">"
		if e.form.format == "" {
			template = "<" + c.name + ">"
		}
		spec.Indexes = append(spec.Indexes, entity.IndexSpec{Name: c.name, On: "X-" + c.name, PK: template})
		for tries := 0; len(s.pools[c.name]) < 5; tries++ {
			require.Less(t, tries, 100_000)
			if v := c.draw(r); s.fits(e, v) {
				s.pools[c.name] = append(s.pools[c.name], v)
			}
		}
	}
	schema := entity.NewSchema(config)
	samples := entity.DefineSpec[sample](schema, spec)
	table, err := schema.Open(client, name)
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	s.repo = samples.In(table)
	for i := range 12 {
		one := &sample{Tenant: "t", Serial: i}
		for _, e := range s.encodings {
			if r.IntN(8) > 0 {
				e.set(one, pick(r, s.pools[e.name]...))
			}
		}
		require.NoError(t, s.repo.Put(t.Context(), one))
		s.items = append(s.items, one)
	}
	return s
}

// kindOf returns the type of a column's attribute.
func (s *encodedTable) kindOf(name string) keys.AttrType {
	for _, e := range s.encodings {
		if e.name == name {
			return e.kind
		}
	}
	return ""
}

// fits reports whether an attribute can hold a value, possibly with less precision.
func (s *encodedTable) fits(e encoding, v any) bool {
	_, ok := e.keeps(v)
	return ok
}

// ask returns for each item whether a condition is true.
func (s *encodedTable) ask(t *testing.T, e encoding, c condition) (map[int]bool, error) {
	t.Helper()
	scan := query.Scan(s.repo)
	switch c.op {
	case opEq, opLt, opLe, opGt, opGe, opBetween, opBegins, opDuring, opSince, opBefore:
		scan = scan.Filter(e.ask(c.op, c.operands...))
	default:
		scan = scan.Filter(e.filter(c.op, c.operands...))
	}
	got := map[int]bool{}
	for one, err := range scan.All(t.Context()) {
		if err != nil {
			return nil, err
		}
		got[one.Serial] = true
	}
	return got, nil
}

// naive counts how often conditions on bytes and on their hexadecimal text differ.
func (s *encodedTable) naive(t *testing.T, client *dynamodb.Client, r *rand.Rand) (wrong int) {
	t.Helper()
	hash := s.encodings[len(s.encodings)-1]
	if hash.form.format != "hex" {
		return 0
	}
	for range 20 {
		n := r.IntN(5)
		part := []byte{byte(r.IntN(256))}
		out, err := client.Scan(t.Context(), &dynamodb.ScanInput{
			TableName: &s.name, FilterExpression: aws.String("size(#h) = :n OR contains(#h, :p)"), ExpressionAttributeNames: map[string]string{"#h": "hash"},
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":n": &types.AttributeValueMemberN{Value: fmt.Sprint(n)}, ":p": &types.AttributeValueMemberS{Value: fmt.Sprintf("%x", part)},
			},
		})
		require.NoError(t, err)
		found := map[string]bool{}
		for _, item := range out.Items {
			found[item["serial"].(*types.AttributeValueMemberN).Value] = true
		}
		for _, one := range s.items {
			if found[fmt.Sprint(one.Serial)] != (len(one.Hash) > 0 && (len(one.Hash) == n || bytes.Contains(one.Hash, part))) {
				wrong++
			}
		}
	}
	return wrong
}
