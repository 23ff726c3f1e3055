package explain_test

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/internal/write"
)

// TestExplanations runs the files in testdata. They have these commands, which use the last schema.
// Each may assume items=N, itemsize=N and entrysize=N:
//
//	schema            declares a schema
//	query …, scan …   a read, with the bounds limit=N pagesize=N requests=N units=N; see
//	                  testschema.Compile
//	many [TYPE]       a batch read of count=N items, of which strong=N strongly consistently
//	get, create, put, overwrite, update, upsert, delete, check TYPE  an operation on one item
//
// The input of an operation on one item is the entity or the example as a JSON object, in which
// LONG stands for a text of 1,024 letters. After it, each line is a change, such as
// If(Eq(name, "x")) for a condition, or the item that is read first:
//
//	stored {"PK": "a"}
//
// The argument attributes=NAME,… of get and many reads only these.
func TestExplanations(t *testing.T) {
	t.Parallel()
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		var schema *core.Schema
		testdriven.Run(t, file, func(c *testdriven.Case) string {
			if c.Command == "schema" {
				s, err := testschema.Source{}.Schema(c.Input)
				require.NoError(t, err, c.Pos)
				schema = s
				return ""
			}
			assumed := trestle.Assumption{Items: c.Int("items"), ItemSize: c.Int("itemsize"), EntrySize: c.Int("entrysize")}
			return explained(c, schema, assumed).String()
		})
	})
}

func explained(c *testdriven.Case, s *core.Schema, assumed trestle.Assumption) trestle.Explanation {
	switch c.Command {
	case "query", "scan":
		b := explain.Bounds{Wanted: c.Int("limit"), PageSize: c.Int("pagesize"), Requests: c.Int("requests")}
		if units := c.Value("units"); units != "" {
			n, err := strconv.ParseFloat(units, 64)
			require.NoError(c.T, err, c.Pos)
			b.Units = n
		}
		p, err := testschema.Compile(s, c)
		require.NoError(c.T, err, c.Pos)
		return explain.Read(p, "app", b, assumed)
	case "many":
		b := explain.Batch{Table: "app", Items: c.Int("count"), Strong: c.Int("strong")}
		if words := c.Words(); len(words) > 0 {
			b.Plan = typeOf(c, s, words[0])
		}
		b.Projection, b.Names = projection(c)
		return explain.Many(b, assumed)
	}
	p := typeOf(c, s, c.Words()[0])
	o, stored := planned(c, p)
	if c.Command == "get" {
		o.Actions[0].Projection, o.Actions[0].Names = projection(c)
		return explain.Get(&o.Actions[0], "app", false, assumed)
	}
	w := explain.Operation{Name: o.Name, Actions: o.Actions, Token: c.Value("token"), Table: "app"}
	if w.ReadsFirst, w.ReadsAfter = o.PreRead != nil, o.After != nil; w.ReadsFirst {
		var err error
		w.Actions, err = o.PreRead.Plan([]op.Item{stored})
		require.NoError(c.T, err, c.Pos)
	}
	return explain.Write(w, assumed)
}

func typeOf(c *testdriven.Case, s *core.Schema, name string) *core.Plan {
	p, err := testschema.Plan(s, name)
	require.NoError(c.T, err, c.Pos)
	return p
}

// projection returns the projection expression of a command.
func projection(c *testdriven.Case) (expression string, names map[string]string) {
	if c.Value("attributes") == "" {
		return "", nil
	}
	var marks []string
	names = map[string]string{}
	for name := range strings.SplitSeq(c.Value("attributes"), ",") {
		mark := fmt.Sprintf("#p%d", len(marks))
		names[mark] = name
		marks = append(marks, mark)
	}
	return strings.Join(marks, ", "), names
}

// planned plans an operation on one item, and returns the item that it reads first.
func planned(c *testdriven.Case, p *core.Plan) (o op.Operation, stored op.Item) {
	object, rest, _ := strings.Cut(c.Input, "\n")
	v, err := testschema.New(p, strings.ReplaceAll(object, "LONG", strings.Repeat("x", 1024)))
	require.NoError(c.T, err, c.Pos)
	at := codec.PtrOf(reflect.ValueOf(v).Elem())
	var changes []*expr.Change
	var conds []*expr.Cond
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if item, ok := strings.CutPrefix(line, "stored "); ok {
			stored, err = testschema.Item(item)
			require.NoError(c.T, err, c.Pos)
			continue
		}
		change, err := testschema.Change(p, line)
		require.NoError(c.T, err, c.Pos)
		changes, conds = append(changes, change), append(conds, change.Conds...)
	}
	put := write.PutArgs{Plan: p, Entity: at, Conds: conds, Now: time.Unix(1_785_758_400, 0).UTC()}
	switch c.Command {
	case "create":
		o, _, err = write.Create(put)
	case "put":
		o, _, err = write.Put(put)
	case "overwrite":
		o, _, err = write.Overwrite(put)
	case "get":
		o, err = write.Get(p, at, c.Has("strong"))
	case "delete":
		o, err = write.Delete(p, at, conds, op.Nothing, core.Expiry{})
	case "check":
		o, err = write.Check(p, at, conds, core.Expiry{})
	case "update", "upsert":
		o, err = write.Update(write.UpdateArgs{Plan: p, Example: at, Changes: changes, Upsert: c.Command == "upsert", ReadFirst: true, Now: put.Now})
	default:
		c.T.Fatalf("%s: unknown command %s", c.Pos, c.Command)
	}
	require.NoError(c.T, err, c.Pos)
	return o, stored
}
