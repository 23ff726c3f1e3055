package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/keys"
)

// TestText runs the files in testdata. They have these commands, which use the last schema:
//
//	schema               declares a schema; it may use the formats of formats
//	describe [TYPE]      the facts of the schema, or of a type
//	projects INDEX       the projected ones of the attributes in the input
//	signature TYPE [on=INDEX]  the signature of the schema, and of the key of the type
//	types                the types of items, and their keys
//	again TYPE           adds a copy of the type to the schema
//	rows [one] [attributes=NAME,…]  items as the rows of a response
//	decode TYPE          items as entities
//	deliver TYPE=ERROR…  items to a sink that accepts some types; see sinkOf
//	stored TYPE field=NAME  a field of entities as it is after it is stored
//	render TYPE          the key attributes of entities
//	paths TYPE           paths by attribute names; see package testschema
//	fields TYPE          paths by Go fields; see fieldPath
//	in TYPE path=PATH    the value at a path in items
//	role                 whether there is a role
//	sample FORMAT        the samples of a format of kinds
//	indexkinds           the kinds of indexes
func TestText(t *testing.T) {
	t.Parallel()
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		f := new(textFile)
		testdriven.Run(t, file, f.run)
	})
}

// textFile is the state of a file: the last schema.
type textFile struct{ schema *core.Schema }

func (f *textFile) run(c *testdriven.Case) string {
	switch c.Command {
	case "schema":
		s, err := testschema.Source{Formats: map[string]keys.Format{"words": formats["words"]}}.Schema(c.Input)
		require.NoError(c.T, err, c.Pos)
		f.schema = s
		return ""
	case "role":
		return eachLine(c, roleText)
	case "sample":
		return eachLine(c, func(line string) string { return sampleText(c.Words()[0], line) })
	case "indexkinds":
		return indexKindsText()
	case "types":
		return eachItem(c, f.typeText)
	case "rows":
		return rowsText(c)
	case "deliver":
		return f.deliver(c)
	case "projects":
		x := f.schema.Index(c.Words()[0])
		return eachLine(c, func(name string) string { return fmt.Sprint(name, " ", x.Projects(f.schema, name)) })
	case "describe":
		if len(c.Words()) == 0 {
			return schemaText(f.schema)
		}
	}
	p, err := testschema.Plan(f.schema, c.Words()[0])
	require.NoError(c.T, err, c.Pos)
	switch c.Command {
	case "describe":
		return planText(p)
	case "signature":
		return f.signature(c, p)
	case "again":
		second := *p
		f.schema.Add(&second)
		return ""
	case "decode":
		return eachItem(c, func(row core.Row) string { return decodedText(p, row) })
	case "stored":
		return eachLine(c, func(line string) string { return storedText(c, p, line) })
	case "render":
		return eachLine(c, func(line string) string { return renderedText(c, p, line) })
	case "paths":
		return eachLine(c, func(line string) string { return pathText(p, pathOf(c, p, line)) })
	case "fields":
		return eachLine(c, func(line string) string { return pathText(p, fieldPath(c, p, line)) })
	case "in":
		b, err := pathOf(c, p, c.Value("path")).Bind(p)
		require.NoError(c.T, err, c.Pos)
		return eachItem(c, func(row core.Row) string { return testschema.ValueText(b.In(row.Item())) })
	}
	c.T.Fatalf("%s: unknown command %s", c.Pos, c.Command)
	return ""
}

// eachLine returns the results for all lines of the input.
func eachLine(c *testdriven.Case, show func(line string) string) string {
	var out strings.Builder
	for line := range strings.SplitSeq(c.Input, "\n") {
		out.WriteString(show(line) + "\n")
	}
	return out.String()
}

// eachItem is eachLine for lines that are items.
func eachItem(c *testdriven.Case, show func(core.Row) string) string {
	return eachLine(c, func(line string) string {
		row := rowOf(c, line)
		text := show(row)
		require.Equal(c.T, text, show(jsonRow(c, row)), "%s: the row in JSON", c.Pos)
		return text
	})
}

// jsonRow returns a row with the same item in JSON.
func jsonRow(c *testdriven.Case, row core.Row) core.Row { return jsonRows(c, row.Item()).At(0) }

func jsonRows(c *testdriven.Case, items ...map[string]core.AV) core.Rows {
	body := []byte{'['}
	for i, item := range items {
		if i > 0 {
			body = append(body, ',')
		}
		var err error
		body, err = itemjson.Append(body, item)
		require.NoError(c.T, err, c.Pos)
	}
	var list itemjson.Items
	_, err := list.Scan(append(body, ']'), 0)
	require.NoError(c.T, err, c.Pos)
	return core.JSONRows(list)
}

func rowOf(c *testdriven.Case, line string) core.Row {
	item, err := testschema.Item(line)
	require.NoError(c.T, err, c.Pos)
	return core.NewRow(item)
}

// formats are a format that encodes a number as the n-th word, and formats that fail.
var formats = map[string]keys.Format{
	"words": {
		Kinds:  []keys.Kind{keys.KindInt},
		Encode: func(v keys.Value) (string, error) { return "word-" + string(rune('a'+v.Int()%26)), nil },
		Decode: func(text string) (keys.Value, error) { return keys.Int(int64(text[len(text)-1] - 'a')), nil },
	},
	"fails":  {Kinds: []keys.Kind{keys.KindText}, Encode: func(keys.Value) (string, error) { return "", errors.New("example error") }},
	"panics": {Kinds: []keys.Kind{keys.KindText}, Encode: func(keys.Value) (string, error) { panic("example") }},
	"texts":  {Kinds: []keys.Kind{keys.KindText}, Encode: func(v keys.Value) (string, error) { return testschema.MemberText(v), nil }},
}

func sampleText(format, kind string) string {
	for k := keys.KindText; k <= keys.KindBytes; k++ {
		if k.String() == kind {
			return kind + core.SampleText(formats[format], k)
		}
	}
	return "no kind " + kind
}

func roleText(name string) string {
	r, ok := core.RoleNamed(name)
	if !ok {
		return name + ": none"
	}
	return fmt.Sprintf("%s: noattribute=%t listed=%t", r.Name, r.NoAttribute, r.Field != nil)
}

func indexKindsText() string {
	var out strings.Builder
	for k := trestle.GlobalIndex; ; k++ {
		if !core.KnownKind(k) {
			fmt.Fprintf(&out, "%d known=false\n", k)
			return out.String()
		}
		x := core.Index{Kind: k}
		fmt.Fprintf(&out, "%d label=%q strong=%t\n", k, x.Label(), x.StrongReads())
	}
}

func decodedText(p *core.Plan, row core.Row) string {
	v, err := testschema.New(p, "")
	if err == nil {
		err = row.Decode(p, ptrTo(v))
	}
	if err != nil {
		return errorText(p, err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return errorText(p, err)
	}
	return string(text)
}

func errorText(p *core.Plan, err error) string {
	return "error: " + strings.ReplaceAll(err.Error(), p.Type.String(), p.Name)
}
