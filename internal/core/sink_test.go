package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

// textSink writes down what it receives. It accepts the types in accepts.
type textSink struct {
	accepts map[string]bool
	fails   string // the method that fails
	keeps   bool   // takes unmatched items
	target  any
	out     strings.Builder
}

var errSink = errors.New("example error")

func (s *textSink) Target(p *core.Plan) (codec.Ptr, bool) {
	if !s.accepts[p.Name] {
		return codec.Ptr{}, false
	}
	s.target, _ = testschema.New(p, "")
	return codec.PtrTo(s.target), true
}

func (s *textSink) Commit(p *core.Plan) error {
	text, _ := json.Marshal(s.target)
	fmt.Fprintf(&s.out, "commit %s %s", p.Name, text)
	if s.fails == "commit" {
		return errSink
	}
	return nil
}

func (s *textSink) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	name := "nothing"
	if p != nil {
		name = p.Name
	}
	fmt.Fprintf(&s.out, "unmatched %s %s", name, testschema.ItemText(row.Item()))
	if s.fails == "unmatched" {
		return false, errSink
	}
	return s.keeps, nil
}

// deliver delivers items to a sink with the arguments accepts=TYPE,… fails=METHOD and keeps.
func (f *textFile) deliver(c *testdriven.Case) string {
	accepts := map[string]bool{}
	for name := range strings.SplitSeq(c.Value("accepts"), ",") {
		accepts[name] = true
	}
	return eachItem(c, func(row core.Row) string {
		s := &textSink{accepts: accepts, fails: c.Value("fails"), keeps: c.Has("keeps")}
		taken, err := core.Deliver(f.schema.PlanOf(row), row, s, nil)
		fmt.Fprintf(&s.out, "; taken=%t", taken)
		if err != nil {
			s.out.WriteString("; error: " + err.Error())
		}
		return s.out.String()
	})
}

// rowsText returns the items of a command as rows.
func rowsText(c *testdriven.Case) string {
	var items []map[string]core.AV
	if c.Input != "" {
		for line := range strings.SplitSeq(c.Input, "\n") {
			items = append(items, rowOf(c, line).Item())
		}
	}
	rows, inJSON := core.NewRows(items), jsonRows(c, items...)
	if c.Has("one") {
		rows = core.OneRow(append(items, nil)[0])
		require.Equal(c.T, textOfRows(c, rows), textOfRows(c, core.RowsOf(inJSON.First())), c.Pos)
	}
	text := textOfRows(c, rows)
	require.Equal(c.T, text, textOfRows(c, inJSON), "%s: the rows in JSON", c.Pos)
	return text
}

func textOfRows(c *testdriven.Case, rows core.Rows) string {
	out := fmt.Sprintf("%d rows, first %s, empty=%t\n", rows.Len(), testschema.ItemText(rows.First().Item()), rows.First().Empty())
	var names []core.Attribute
	for name := range strings.SplitSeq(c.Value("attributes"), ",") {
		names = append(names, core.Attribute{Name: name})
	}
	for i := range rows.Len() {
		found, ok := rows.At(i).Attributes(names)
		out += fmt.Sprintf("%d: %s, all=%t\n", i, testschema.ItemText(found), ok)
	}
	return out
}
