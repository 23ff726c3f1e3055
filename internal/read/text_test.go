package read_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

// TestReads runs the files in testdata. They have these commands, which use the last schema:
//
//	schema             declares a schema
//	query …            the requests of a query, one for each partition; see testschema.Compile.
//	                   They read at most limit=N items, after=ITEM
//	scan …             the requests of a scan
//	allows stream=N    whether the last read can continue after each item of the input. LONG stands
//	                   for a text of long=N letters
//	signature          the signature of the last read
//	index TYPE access=NAME  the index that an access pattern reads
func TestReads(t *testing.T) {
	t.Parallel()
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		f := new(readFile)
		testdriven.Run(t, file, f.run)
	})
}

// readFile is the state of a file: the last schema and the last read.
type readFile struct {
	schema *core.Schema
	plan   *read.Plan
}

func (f *readFile) run(c *testdriven.Case) string {
	switch c.Command {
	case "schema":
		s, err := testschema.Source{}.Schema(c.Input)
		require.NoError(c.T, err, c.Pos)
		f.schema = s
		return ""
	case "index":
		p, err := testschema.Plan(f.schema, c.Words()[0])
		require.NoError(c.T, err, c.Pos)
		return cmp.Or((&read.Query{Plan: p, Access: c.Value("access")}).IndexName(), "none")
	case "query", "scan":
		p, err := testschema.Compile(f.schema, c)
		if err != nil {
			return errorText(err)
		}
		require.Equal(c.T, c.Command, p.Name, c.Pos)
		f.plan = p
		var after op.Item
		if c.Has("after") {
			after, err = testschema.Item(c.Value("after"))
			require.NoError(c.T, err, c.Pos)
		}
		return planText(p, c.Int("limit"), after)
	case "allows":
		var out strings.Builder
		for line := range strings.SplitSeq(c.Input, "\n") {
			item, err := testschema.Item(strings.ReplaceAll(line, "LONG", strings.Repeat("x", c.Int("long"))))
			require.NoError(c.T, err, c.Pos)
			fmt.Fprintln(&out, f.plan.Allows(f.plan.Partition(c.Int("stream")), item))
		}
		return out.String()
	case "signature":
		return fmt.Sprintf("%q", f.plan.Signature())
	}
	c.T.Fatalf("%s: unknown command %s", c.Pos, c.Command)
	return ""
}
