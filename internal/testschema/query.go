package testschema

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/testdriven"
)

// Compile compiles the query or the scan of a command, which has these arguments. A command without
// a type scans every type:
//
//	TYPE access=NAME desc strong count segments=N fields=NAME,…
//	TYPE collection types=NAME,… narrowed prefix=TEXT repeat=N from=TEXT to=TEXT
//
// Each line of its input adds a part. Each example is a partition, and a scan has none:
//
//	{"Team": "a"}           an example, as a JSON object
//	where Ge(at, 7)         a condition on the key; see [Cond]
//	filter Eq(name, "x")    a condition on other attributes
//	filter TYPE Exists(x)   one on the attributes of another type
func Compile(s *core.Schema, c *testdriven.Case) (*read.Plan, error) {
	q, examples := query(s, c)
	var plan *read.Plan
	for _, example := range examples {
		q.Example = example
		next := new(read.Plan)
		if err := q.Compile(next); err != nil {
			return nil, err
		}
		if plan == nil {
			plan = next
		} else {
			plan.Add(next)
		}
	}
	return plan, nil
}

// query returns the query of a command without an example, and the examples.
func query(s *core.Schema, c *testdriven.Case) (q read.Query, examples []codec.Ptr) {
	q = read.Query{
		Schema: s, Access: c.Value("access"), Strong: c.Has("strong"), Desc: c.Has("desc"), Segments: c.Int("segments"), Count: c.Has("count"),
		Collection: c.Has("collection"),
	}
	for _, word := range c.Words() {
		if !slices.Contains([]string{"desc", "strong", "count", "collection", "narrowed"}, word) {
			q.Plan = typeOf(c, s, word)
		}
	}
	for _, name := range split(c.Value("fields"), ",") {
		q.Fields = append(q.Fields, q.Plan.Shape.ByName(name))
	}
	q.Subset = subset(s, c)
	for _, line := range split(c.Input, "\n") {
		verb, text, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "{"):
			v, err := New(q.Plan, line)
			must(c, err)
			examples = append(examples, codec.PtrTo(v))
		case verb == "where":
			q.Where = q.Where.With(condOf(c, q.Plan, text))
		case verb == "filter":
			q.Filter = append(q.Filter, filter(c, s, q.Plan, text))
		default:
			c.T.Fatalf("%s: unknown line %s", c.Pos, line)
		}
	}
	if len(examples) == 0 {
		examples = append(examples, codec.Ptr{})
	}
	return q, examples
}

// filter returns the filter of a line, of the type that it names or else of p.
func filter(c *testdriven.Case, s *core.Schema, p *core.Plan, text string) read.Filter {
	name, rest, _ := strings.Cut(text, " ")
	if other, err := Plan(s, name); err == nil {
		p, text = other, rest
	}
	if text == "nil" {
		return read.Filter{Plan: p}
	}
	return read.Filter{Plan: p, Cond: condOf(c, p, text)}
}

func condOf(c *testdriven.Case, p *core.Plan, text string) *expr.Cond {
	cond, err := Cond(p, text)
	must(c, err)
	return cond
}

// subset returns the part of a collection that a command wants, or nil for all.
func subset(s *core.Schema, c *testdriven.Case) *read.Subset {
	part := read.Subset{Prefix: strings.Repeat(c.Value("prefix"), max(1, c.Int("repeat"))), From: c.Value("from"), To: c.Value("to")}
	part.Narrowed = c.Has("narrowed") || part.Prefix+part.From+part.To != ""
	for _, name := range split(c.Value("types"), ",") {
		part.Types = append(part.Types, typeOf(c, s, name))
	}
	if !part.Narrowed && part.Types == nil {
		return nil
	}
	return &part
}

// typeOf returns the type with a name, which the command must have.
func typeOf(c *testdriven.Case, s *core.Schema, name string) *core.Plan {
	p, err := Plan(s, name)
	must(c, err)
	return p
}

// split returns the parts of a text, or none for an empty text.
func split(text, separator string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, separator)
}

func must(c *testdriven.Case, err error) {
	if err != nil {
		c.T.Fatalf("%s: %v", c.Pos, err)
	}
}
