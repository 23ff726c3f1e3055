package fetch_test

import (
	"fmt"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/testschema"
)

// textSink writes down the items that it takes: KEY, or PART/KEY outside of partition 0.
type textSink struct {
	accepts string // types; "" for reading
	keeps   bool
	fails   string
	counts  bool
	target  any
	taken   []string
}

var errSink = errs.New("", "example error", "")

func (s *textSink) Target(p *core.Plan) (codec.Ptr, bool) {
	if s.accepts == "" && p.Name != "reading" || s.accepts != "" && !strings.Contains(s.accepts, p.Name) {
		return codec.Ptr{}, false
	}
	v, err := testschema.New(p, "")
	s.target = v
	return codec.PtrTo(v), err == nil
}

func (s *textSink) Commit(p *core.Plan) error {
	at, _ := p.Shape.ByName("at").Key(codec.PtrTo(s.target))
	part, _ := p.Shape.ByName("part").Key(codec.PtrTo(s.target))
	text := strings.Trim(testschema.MemberText(at), `"`)
	if text == s.fails {
		return errSink
	}
	if part.Text() != "0" {
		text = part.Text() + "/" + text
	}
	s.taken = append(s.taken, text)
	return nil
}

func (s *textSink) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	if !s.keeps {
		return false, nil
	}
	name := "unknown"
	if p != nil {
		name = p.Name
	}
	s.taken = append(s.taken, name+":"+testschema.ValueText(row.Attribute("SK")))
	return true, nil
}

// growingSink is a sink that a run tells how many items to expect.
type growingSink struct{ *textSink }

func (s growingSink) Expect(items int) { s.taken = append(s.taken, fmt.Sprintf("expect(%d)", items)) }

func sinkOf(s *textSink) core.Sink {
	if s.counts {
		return growingSink{s}
	}
	return s
}
