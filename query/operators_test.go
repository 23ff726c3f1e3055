package query_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// counting counts the requests of queries.
type counting struct {
	trestle.Client
	sent atomic.Int64
}

func (c *counting) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	c.sent.Add(1)
	return c.Client.Query(ctx, in, opts...)
}

func (c *counting) Scan(ctx context.Context, in *dynamodb.ScanInput, opts ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	c.sent.Add(1)
	return c.Client.Scan(ctx, in, opts...)
}

// asker runs a question. It returns the items in order, or only their number.
type asker func(ctx context.Context, q question) (found []sample, n int, err error)

// TestOperatorsAreExact compares every operator on keys of every format with a filter over all
// items in memory. It uses random templates of one to four parts on the table and on every kind of
// index, escaped and raw, with hostile values. It reads in both directions, with filters, limits
// and pages of any size. Operands that a key cannot hold are rejected without a request.
func TestOperatorsAreExact(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		shapes, questions := testsize.Pick(12, 30, 50), testsize.Pick(250, 400, 2200)
		if e.Name != engines.InProcess {
			shapes, questions = testsize.Pick(3, 6, 20), testsize.Pick(100, 150, 550)
		}
		client, d, met := e.Client(t), &generator{r: r}, coverage{}
		least := testsize.Pick(0, 1, 10)
		awaited := func() bool { return e.Name == engines.InProcess && len(met.rarer(least)) > 0 }
		for n := 0; n < shapes || awaited() && n < 4*shapes; n++ {
			s := newRandomTable(t, d, n%4 == 3, 60)
			name := fmt.Sprintf("samples-%d", n)
			s.fill(t.Context(), t, client, name)
			counted := &counting{Client: client}
			table, err := s.schema.Open(counted, name, entity.PlainCursors())
			require.NoError(t, err)
			ask := asked(s.samples.In(table), counted, r)
			// few are rejected
			for i := 0; i < questions || met["refused"] == 0 && i < 10*questions; i++ {
				q := s.question(r)
				if wrong := s.judge(t.Context(), q, ask); wrong != "" {
					q, wrong = s.simplest(t.Context(), q, wrong, ask)
					require.Fail(t, wrong, "%s\nraw %t, delimiter %s", q, s.raw, s.delim)
				}
				met.add(s, q)
			}
		}
		t.Log(met)
		for _, kind := range []string{"refused", "nothing found", "some found"} {
			require.Positive(t, met[kind], kind)
		}
		if e.Name == engines.InProcess {
			require.Empty(t, met.rarer(least), "few or no questions about them")
		}
	})
}

// rarer lists the parts of keys that fewer questions than least are about.
func (c coverage) rarer(least int) (list []string) {
	for _, column := range columns {
		for _, f := range column.forms {
			p := part{column: column, form: f}
			if c[p.String()] < least {
				list = append(list, p.String())
			}
		}
	}
	return list
}

// asked returns an asker that uses the library.
func asked(repo *entity.Repo[sample], client *counting, r *rand.Rand) asker {
	return func(ctx context.Context, q question) ([]sample, int, error) {
		before := client.sent.Load()
		found, n, err := q.read(ctx, q.query(repo, r))
		if errors.Is(err, trestle.ErrInvalid) && client.sent.Load() > before {
			return nil, 0, errors.New("refused, but after a request")
		}
		return found, n, err
	}
}

// read runs the query with the method that the question selects.
func (q question) read(ctx context.Context, read query.Query[sample]) (found []sample, n int, err error) {
	one := func(s sample, err error) ([]sample, int, error) {
		if err != nil {
			return nil, 0, err
		}
		return []sample{s}, 1, nil
	}
	switch q.end {
	case byCount:
		n, err = read.Count(ctx)
		return nil, n, err
	case byFirst:
		return one(read.First(ctx))
	case byOne:
		return one(read.One(ctx))
	case byPages:
		found, err = q.pages(ctx, read)
	case byAll:
		for s, err := range read.Prefetch().All(ctx) {
			if err != nil {
				return nil, 0, err
			}
			found = append(found, s)
		}
	default:
		found, err = read.Collect(ctx)
	}
	return found, len(found), err
}

func (q question) pages(ctx context.Context, read query.Query[sample]) (found []sample, err error) {
	cursor := ""
	for {
		page, err := read.Page(ctx, cursor)
		if err != nil {
			return nil, err
		}
		found = append(found, page.Items...)
		if cursor = page.Next; cursor == "" {
			return found, nil
		}
		if q.limit > 0 && len(page.Items) != q.limit {
			return nil, errors.New("a page that is not the last holds other than its limit")
		}
	}
}

// judge compares the result of a question with the model. It returns what is wrong.
func (s *randomTable) judge(ctx context.Context, q question, ask asker) string {
	got, n, err := ask(ctx, q)
	if refused := q.refused(); refused || errors.Is(err, trestle.ErrInvalid) {
		if !refused || !errors.Is(err, trestle.ErrInvalid) {
			return fmt.Sprintf("to be refused: %t, but the error is %v", refused, err)
		}
		return ""
	}
	want := s.answer(q)
	switch {
	case q.end == byFirst && len(want) == 0, q.end == byOne && len(want) == 0:
		return unless(errors.Is(err, trestle.ErrNotFound), "there is none", err)
	case q.end == byOne && len(want) > 1:
		return unless(errors.Is(err, query.ErrSeveral), "there are several", err)
	case err != nil:
		return "the error is " + err.Error()
	}
	count := len(want)
	switch {
	case q.end == byFirst:
		count = 1
	case q.limit > 0 && q.end != byPages:
		count = min(count, q.limit)
	}
	if n != count && q.end == byCount {
		return fmt.Sprintf("%d are counted, not %d", n, count)
	}
	if q.end == byCount {
		return ""
	}
	return q.differ(got, want, count)
}

func unless(ok bool, what string, err error) string {
	if ok {
		return ""
	}
	return fmt.Sprintf("%s, but the error is %v", what, err)
}

// differ compares items with the first count of the wanted items. Each must be returned once. Items
// with equal keys may be in any order.
func (q question) differ(got []sample, want []*sample, count int) string {
	left := map[int]*sample{}
	for _, w := range want {
		left[w.Serial] = w
	}
	for i := range got {
		if left[got[i].Serial] == nil {
			return fmt.Sprintf("to many, or twice:\n%s", q.show(&got[i]))
		}
		delete(left, got[i].Serial)
		if i < count && q.compare(&got[i], want[i]) != 0 {
			return fmt.Sprintf("out of order, number %d:\n%s\ninstead of\n%s", i, q.show(&got[i]), q.show(want[i]))
		}
	}
	switch {
	case len(got) < count:
		for _, w := range want[:count] {
			if left[w.Serial] != nil {
				return fmt.Sprintf("%d of %d, missing:\n%s", len(got), count, q.show(w))
			}
		}
	case len(got) > count:
		return fmt.Sprintf("%d instead of %d", len(got), count)
	}
	return ""
}

// show returns the parts of an item that matter to the question.
func (q question) show(s *sample) string {
	texts := []string{fmt.Sprintf("tenant=%q serial=%d keep=%t score=%d", s.Tenant, s.Serial, s.Keep, s.Score)}
	for _, p := range q.path.parts {
		texts = append(texts, fmt.Sprintf("%s=%#v", p.name, p.get(s)))
	}
	return strings.Join(texts, " ")
}

// simplest removes parts of a failing question that do not cause the failure.
func (s *randomTable) simplest(ctx context.Context, q question, wrong string, ask asker) (question, string) {
	for _, simpler := range []func(*question){
		func(q *question) { q.filter = 0 },
		func(q *question) { q.end = byCollect },
		func(q *question) { q.size = 0 },
		func(q *question) { q.limit = 0 },
		func(q *question) { q.desc = false },
	} {
		try := q
		simpler(&try)
		if still := s.judge(ctx, try, ask); still != "" {
			q, wrong = try, still
		}
	}
	return q, wrong
}

// coverage counts the kinds of questions.
type coverage map[string]int

func (c coverage) add(s *randomTable, q question) {
	c[string(q.op)]++
	c["by "+string(q.end)]++
	switch {
	case q.refused():
		c["refused"]++
		return
	case len(s.answer(q)) == 0:
		c["nothing found"]++
	default:
		c["some found"]++
	}
	if q.op != opNothing {
		p := q.path.parts[len(q.equals)]
		c[p.String()]++
	}
}

func (c coverage) String() string {
	var texts []string
	for _, k := range slices.Sorted(maps.Keys(c)) {
		texts = append(texts, fmt.Sprintf("%s: %d", k, c[k]))
	}
	return strings.Join(texts, ", ")
}
