package fetch_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

// TestRuns runs the files in testdata. They have these commands:
//
//	schema          declares a schema; the partition key of its items is R#0, R#1 and so on
//	query, scan     the read to run; see testschema.Compile. shards=N makes groups of N partitions
//	pages           the pages of the next run; see pageOf
//	run             runs the read, to its end; see runArgs for the arguments
//	continue        runs it from the positions of the last run
//	valid           whether a run can begin at the positions of a line; see positionsOf
//	first limit=N   the limit of the first request
//	keys, replies, batch  a batch read; see batchFile
func TestRuns(t *testing.T) {
	t.Parallel()
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		f := &runFile{t: t}
		testdriven.Run(t, file, f.run)
	})
}

// runFile is the state of a file.
type runFile struct {
	t      *testing.T
	schema *core.Schema
	plan   *read.Plan
	pages  map[int][]reply
	from   []cursor.Position
	batchFile
}

func (f *runFile) run(c *testdriven.Case) string {
	var err error
	switch c.Command {
	case "schema":
		f.schema, err = testschema.Source{}.Schema(c.Input)
	case "query", "scan":
		f.plan, err = testschema.Compile(f.schema, c)
		if c.Has("shards") && err == nil {
			f.plan.Shards = c.Int("shards")
		}
	case "pages":
		f.pages = map[int][]reply{}
		for line := range strings.SplitSeq(c.Input, "\n") {
			stream, page := pageOf(f.plan, line)
			f.pages[stream] = append(f.pages[stream], page)
		}
	case "run", "continue":
		var out string
		synctest.Test(f.t, func(t *testing.T) { out = f.runOnce(t, c) })
		return out
	case "valid":
		var out strings.Builder
		for line := range strings.SplitSeq(c.Input, "\n") {
			fmt.Fprintln(&out, fetch.Valid(f.plan, orderOf(c), positionsOf(c, line)))
		}
		return out.String()
	case "first":
		in := fetch.FirstInputs(&exec.Config{Table: "app"}, f.plan, fetch.Bounds{Items: c.Int("limit"), PageSize: c.Int("pagesize")}, orderOf(c))[0]
		return fmt.Sprintf("partition %d limit %v", streamOf(in.ExpressionAttributeValues), int32Text(in.Limit))
	default:
		return f.batchFile.run(f.t, c, f.schema)
	}
	require.NoError(c.T, err, c.Pos)
	return ""
}

// orderOf returns the order that a command names.
func orderOf(c *testdriven.Case) fetch.Order {
	return map[string]fetch.Order{"any": fetch.AnyOrder, "merged": fetch.Merged}[c.Value("order")]
}

func int32Text(n *int32) string {
	if n == nil {
		return "none"
	}
	return strconv.Itoa(int(*n))
}

// runOnce runs the read with these arguments:
//
//	order=any, order=merged           else in turn
//	limit=N pagesize=N requests=N units=N ahead atonce=N  the bounds
//	answers=0,1,…                     the streams in the order of the answers
//	accepts=TYPE,…                    the types that the sink accepts, else reading
//	keeps                             the sink takes other items
//	fails=KEY                         the sink fails at the item
//	stop=N, abandon=N                 the caller ends the run after N pages, or leaves it
//	undo                              the last page is taken back
func (f *runFile) runOnce(t *testing.T, c *testdriven.Case) string {
	t.Helper()
	s := newScript(c.Pos)
	s.replies = f.pages
	for _, text := range strings.FieldsFunc(c.Value("answers"), func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(text)
		require.NoError(t, err, c.Pos)
		s.answers = append(s.answers, n)
	}
	bounds := fetch.Bounds{Items: c.Int("limit"), PageSize: c.Int("pagesize"), Requests: c.Int("requests"), Ahead: c.Has("ahead"), AtOnce: c.Int("atonce")}
	bounds.Units, _ = strconv.ParseFloat(c.Value("units"), 64)
	from := f.from
	if c.Command == "run" {
		from = nil
	}
	sink := &textSink{accepts: c.Value("accepts"), keeps: c.Has("keeps"), fails: c.Value("fails"), counts: c.Has("expects")}
	config := &exec.Config{Client: s, Table: "app", Observer: observer{s}}
	run := fetch.New(config, f.plan, sinkOf(sink), bounds, orderOf(c), from)

	ctx, stop := context.WithCancel(t.Context())
	go s.run(ctx, t)
	f.pageLoop(run, s, sink, c)
	stop()
	f.from = run.Positions()
	for stream, left := range f.pages {
		if len(left) > 0 && run.Ended() {
			t.Errorf("%s: %d pages of stream %d were not read", c.Pos, len(left), stream)
		}
	}
	return s.log.String() + resultText(run)
}

// pageLoop reads the pages of a run as its callers do.
func (f *runFile) pageLoop(run *fetch.Run, s *script, sink *textSink, c *testdriven.Case) {
	stop, abandon := c.Int("stop"), c.Int("abandon")
	ctx := run.Start(context.Background())
	for pages := 1; run.Next(ctx); pages++ {
		s.note("page: %s", strings.Join(sink.taken, " "))
		sink.taken = nil
		if pages == abandon {
			break
		}
		if pages == stop {
			run.Stop()
			break
		}
	}
	if c.Has("undo") {
		run.Undo()
	}
	run.Close(ctx)
	run.Close(ctx) // the observer is notified once
}

// resultText returns the state at the end of a run.
func resultText(run *fetch.Run) string {
	out := ""
	if err := run.Err(); err != nil {
		out += errorText(err) + "\n"
	}
	out += fmt.Sprintf("ended=%t short=%t stuck=%t\n", run.Ended(), run.Short(), run.Stuck())
	for _, at := range run.Positions() {
		out += "position " + positionText(at) + "\n"
	}
	return out
}

// positionText returns a position: the number of its stream, and where the stream continues. The
// base of a run that merges is merged, and has the streams of its group that have ended.
func positionText(at cursor.Position) string {
	out := strconv.Itoa(at.Stream)
	if at.Merged {
		out += " merged"
	}
	if len(at.Ended) > 0 {
		out += " ended " + strings.Trim(strings.ReplaceAll(fmt.Sprint(at.Ended), " ", ","), "[]")
	}
	if at.After != nil {
		out += " after " + testschema.ItemText(at.After)
	}
	return out
}

// errorText returns an error with its kind and its key.
func errorText(err error) string {
	var e *trestle.OpError
	if !errors.As(err, &e) {
		return "not an OpError: " + err.Error()
	}
	text := "error: " + err.Error()
	if e.Kind != nil {
		text += "; kind " + e.Kind.Error()
	}
	if e.Key != nil {
		text += "; key " + testschema.ItemText(e.Key)
	}
	return text
}

// observer writes down the end of a run.
type observer struct{ *script }

func (observer) Start(ctx context.Context, _ trestle.OperationInfo) context.Context { return ctx }

func (o observer) End(_ context.Context, e trestle.Event) {
	o.note("%s of %s on %s: items %d, scanned %d, skipped %d, unknown %d, requests %d, units %v, failed %t",
		e.Operation, cmp.Or(e.Entity, "any type"), strings.TrimSpace(e.Table+" "+e.Index), e.Items, e.Scanned, e.Skipped, e.Unknown, e.Requests, e.Capacity.Read, e.Err != nil)
}
