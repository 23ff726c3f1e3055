package query_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/canaries"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

const (
	canary       = canaries.Text
	canaryNumber = canaries.Number
)

// secret has a canary in every field.
type secret struct {
	_      entity.Key        `type:"secret" pk:"S#<owner>" sk:"D#<day:day>#<label>"`
	_      entity.Index      `name:"by-code" on:"GSI1" pk:"C#<code>" sk:"A#<amount:ord>#<n:ord>"`
	_      entity.Index      `name:"by-n" on:"Numbers"`
	Owner  string            `dynamodbav:"owner"`
	Day    time.Time         `dynamodbav:"day"`
	Label  string            `dynamodbav:"label"`
	Code   string            `dynamodbav:"code,omitempty"`
	Amount float64           `dynamodbav:"amount"`
	N      int64             `dynamodbav:"n"`
	Map    map[string]string `dynamodbav:"map"`
	Blob   []byte            `dynamodbav:"blob"`
}

type secretLabel struct {
	Label string            `dynamodbav:"label"`
	Map   map[string]string `dynamodbav:"map"`
}

var (
	secretSchema = entity.NewSchema(entity.Config{Observer: trestle.ObserverFunc(hear), Indexes: []entity.IndexConfig{
		{Name: "GSI1"}, {Name: "Numbers", Partition: []entity.Attribute{entity.S("owner"), entity.S("code")}, Sort: []entity.Attribute{entity.N("n")}},
	}})
	secrets      = entity.Define[secret](secretSchema)
	secretLabels = entity.Project[secretLabel](secrets)

	secDay    = attr.Must(func(s *secret) *time.Time { return &s.Day })
	secLabel  = attr.Must(func(s *secret) *string { return &s.Label })
	secAmount = attr.Must(func(s *secret) *float64 { return &s.Amount })
	secN      = attr.Must(func(s *secret) *int64 { return &s.N })
	secMap    = attr.Must(func(s *secret) *map[string]string { return &s.Map })
)

// heard collects the events of a context's operations.
type heard struct{ seen []trestle.Event }

type heardKey struct{}

func hear(ctx context.Context, e trestle.Event) {
	if h, ok := ctx.Value(heardKey{}).(*heard); ok {
		h.seen = append(h.seen, e)
	}
}

// leaky provokes errors. It reads a table full of canaries from a service whose error messages
// contain values.
type leaky struct {
	*rand.Rand
	t       *testing.T
	db      *ddbtest.DB
	repo    *entity.Repo[secret]
	table   *entity.Table
	sealed  string // a valid cursor
	inputs  int    // SDK inputs that print a value: the negative control
	tokens  int
	planned int
}

func newLeaky(t *testing.T, seed uint64, options ...entity.TableOption) *leaky {
	t.Helper()
	l := &leaky{Rand: rand.New(rand.NewPCG(seed, 14)), t: t, db: ddbtest.Start(t, ddbtest.Options{Seed: seed})}
	table, err := secretSchema.Open(l.db.Client(), "secrets", options...)
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	l.table, l.repo = table, secrets.In(table)
	for i := range 8 {
		item, err := secrets.Encode(&secret{
			Owner: canary, Day: day(1 + i), Label: canary, Code: canary, Amount: canaryNumber, N: canaryNumber, Map: map[string]string{canary: canary}, Blob: []byte(canary),
		})
		require.NoError(t, err)
		switch i { // the first five are readable
		case 5:
			item["map"] = &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: canary}}}
		case 6:
			item["day"] = &types.AttributeValueMemberS{Value: canary}
		case 7:
			item["_type"] = &types.AttributeValueMemberS{Value: "thing"}
		}
		l.db.Load(t, "secrets", item)
	}
	page, err := query.Of(l.repo, secret{Owner: canary}).Limit(2).Page(t.Context(), "")
	require.NoError(t, err)
	l.sealed = page.Next
	return l
}

// trouble selects a failure of the service.
func (l *leaky) trouble() string {
	l.db.ClearFaults()
	effects := []ddbtest.Effect{
		ddbtest.Error("ValidationException", "values CANARY, 731629931", 400), ddbtest.Error("SomethingException", canary, 400), ddbtest.Error("Else", canary, 500),
		ddbtest.Throttle(), ddbtest.Reset, ddbtest.InternalError, ddbtest.InvalidJSON, ddbtest.Truncate,
	}
	i := l.IntN(3 * len(effects))
	if i >= len(effects) {
		return "nothing"
	}
	l.db.Fail(ddbtest.Op("Query", "Scan", "BatchGetItem"), effects[i], ddbtest.First(1+l.IntN(4)))
	return effects[i].String()
}

// way is a read with its conditions and with the fields of its partition key.
type way struct {
	access  string
	example secret
	where   [][]attr.KeyCond[secret]
}

func ways() []way {
	return []way{
		{"", secret{Owner: canary}, [][]attr.KeyCond[secret]{
			nil, {secDay.Eq(day(3))}, {secDay.Eq(day(3)), secLabel.Gt("B")}, {secDay.Eq(day(3)), attr.BeginsWith(secLabel, canary)}, {attr.During(secDay, attr.Month(2026, 8))},
		}},
		{"by-code", secret{Code: canary}, [][]attr.KeyCond[secret]{nil, {secAmount.Eq(canaryNumber), secN.Ge(canaryNumber)}, {secAmount.Gt(canaryNumber - 1)}}},
		{"by-n", secret{Owner: canary, Code: canary}, [][]attr.KeyCond[secret]{nil, {secN.Between(1, canaryNumber)}, {secN.Eq(canaryNumber)}}},
	}
}

// oddWhere returns conditions that some or all reads reject.
func oddWhere() [][]attr.KeyCond[secret] {
	return [][]attr.KeyCond[secret]{
		{secDay.Eq(day(3).Add(canaryNumber))}, {secDay.Between(day(9), day(2))}, {secDay.Lt(time.Date(canaryNumber, 1, 1, 0, 0, 0, 0, time.UTC))},
		{secLabel.Eq(canary)}, {secDay.Eq(day(3)), attr.BeginsWith(secLabel, canary+"\xff")}, {secDay.Eq(day(3)), secLabel.Lt("")}, {secN.Between(canaryNumber, 1)},
		{secDay.Eq(day(3)), secLabel.Eq(strings.Repeat(canary, 300))}, {secAmount.Eq(math.NaN())}, {secAmount.Eq(canaryNumber)}, {secN.Eq(canaryNumber)},
	}
}

// oddExamples returns examples that select no partition, or more than one.
func oddExamples() []secret {
	return []secret{
		{Owner: strings.Repeat(canary, 400)}, {Owner: canary + "\xff", Code: canary}, {Code: canary + "\xff", Owner: "x"}, {Label: canary}, {Owner: canary, Code: canary, Day: day(1), Amount: canaryNumber, N: canaryNumber},
	}
}

func filters() [][]attr.Cond[secret] {
	return [][]attr.Cond[secret]{
		nil, nil, {attr.Key(secMap, canary).Eq(canary)}, {secMap.Eq(map[string]string{canary: canary})}, {attr.Named[secret]("map." + canary).Eq(canary)}, {attr.Size(secMap).Gt(canaryNumber)},
		{attr.Not(attr.Key(secMap, canary).Exists())},
	}
}

func oddFilters() [][]attr.Cond[secret] {
	return [][]attr.Cond[secret]{
		{secLabel.Eq(canary)}, {secAmount.Eq(math.NaN())}, {secN.In()}, {attr.Named[secret]("map." + canary).Eq(make(chan int))}, {attr.Named[secret]("blob[0]").Eq(canary)},
		{attr.Named[secret](canary + "..").Eq(1)},
	}
}

func choose[E any](l *leaky, list []E) E { return list[l.IntN(len(list))] }

// seldom returns an element of list, or sometimes of odd.
func seldom[E any](l *leaky, list, odd []E) E {
	if l.IntN(8) == 0 {
		return choose(l, odd)
	}
	return choose(l, list)
}

// query returns a query, and checks its explanation and its input.
func (l *leaky) query() query.Query[secret] {
	w := choose(l, ways())
	example := seldom(l, []secret{w.example}, oddExamples())
	q := query.Of(l.repo, example)
	if w.access != "" {
		q = query.On(l.repo, w.access, example)
	}
	q = q.Where(seldom(l, w.where, oddWhere())...).Filter(seldom(l, filters(), oddFilters())...)
	q = seldom(l, []query.Query[secret]{q, q, q.PageSize(1).MaxRequests(1), q.Bind(canary)}, []query.Query[secret]{q.MaxUnits(math.NaN()), q.Limit(-canaryNumber)})
	if e, err := q.Explain(); err == nil {
		l.planned++
		require.Empty(l.t, canaries.Printed(e))
		require.Empty(l.t, canaries.Printed(e.String()))
		in, err := q.Input()
		require.NoError(l.t, err)
		if canaries.Printed(in) != "" {
			l.inputs++
		}
	}
	return q
}

// fails runs one read and returns its operation name.
func (l *leaky) fails(ctx context.Context) (verb string, err error) {
	q := l.query()
	switch verb = choose(l, []string{"all", "collect", "first", "one", "count", "page", "cursor", "as", "items", "load", "get many", "mixed", "scan", "each", "explain"}); verb {
	case "all":
		for _, err = range q.All(ctx) {
			continue
		}
	case "collect":
		_, err = q.Prefetch().Collect(ctx)
	case "first":
		_, err = q.First(ctx)
	case "one":
		_, err = q.One(ctx)
	case "count":
		_, err = q.Count(ctx)
	case "page":
		var page query.Page[secret]
		page, err = q.Limit(1+l.IntN(3)).Page(ctx, "")
		l.token(page.Next)
	case "cursor":
		_, err = q.Page(ctx, choose(l, []string{l.sealed, l.sealed[1:], canary, base64.RawURLEncoding.EncodeToString([]byte(`{"SK":"CANARY"}`)), "\n", strings.Repeat(canary, 9999)}))
	case "as":
		_, err = query.As(q, secretLabels).Collect(ctx)
	case "items":
		c := choose(l, []query.Collection{q.Collection(), q.Collection().Prefix(canary), q.Collection().Between(canary, "A"), query.Filter(q.Collection(), secN.Eq(canaryNumber))})
		for _, err = range query.Items(ctx, c) {
			continue
		}
	case "load":
		err = query.Load(ctx, q.Collection(), choose(l, []any{&struct{ Secrets []secret }{}, &struct{ Secret *secret }{}, &struct{ Raw []entity.Raw }{}, struct{ X string }{canary}, nil}))
	default:
		err = l.rest(ctx, verb, q)
	}
	return verb, err
}

// rest runs the reads that are not queries.
func (l *leaky) rest(ctx context.Context, verb string, q query.Query[secret]) (err error) {
	examples := []secret{{Owner: canary, Day: day(1 + l.IntN(7)), Label: canary}, {Owner: canary, Day: day(1), Label: choose(l, []string{canary, canary, "", "\xff" + canary})}}
	scan := query.Scan(l.repo).Progress(func(p query.Progress) { require.Empty(l.t, canaries.Printed(p)) }).PageSize(1 + l.IntN(9)).Segments(1 + l.IntN(2))
	switch verb {
	case "get many":
		_, err = l.repo.GetMany(ctx, examples)
		var left *trestle.UnprocessedError
		if errors.As(err, &left) {
			require.Empty(l.t, canaries.Printed(*left))
			require.NotEmpty(l.t, canaries.Printed(struct{ Items []secret }{trestle.Unprocessed[secret](err)}), "the negative control")
		}
	case "mixed":
		_, err = query.GetMany(ctx, query.Ref(l.repo, examples[0]), query.Ref(l.repo, examples[1]))
	case "scan":
		for _, err = range scan.Filter(choose(l, []attr.Cond[secret]{secN.Eq(canaryNumber), secAmount.Eq(math.NaN())})).All(ctx) {
			continue
		}
	case "each":
		var next string
		next, err = scan.MaxRequests(1).Each(ctx, choose(l, []string{"", "", l.sealed, canary}), func([]secret) error { return nil })
		l.token(next)
	case "explain":
		_, err = q.Explain()
	}
	return err
}

// token checks the text of a cursor as it would appear in a log.
func (l *leaky) token(token string) {
	if token == "" {
		return
	}
	l.tokens++
	text, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(l.t, err)
	require.False(l.t, canaries.In(token) || canaries.In(string(text)))
}

// Errors, events, log lines, explanations, progress and sealed cursors of reads contain no values,
// however they are printed. Errors and inputs of the SDK do.
func TestQueriesPrintNoValue(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	// One of 16 failures is a leak of the negative control.
	wanted := testsize.Pick(1000, 1500, 30_000)
	synctest.Test(t, func(t *testing.T) {
		l := newLeaky(t, seed, entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{cursorKey(1)}}))
		var lines bytes.Buffer
		everything := &slog.HandlerOptions{Level: slog.LevelDebug - 10}
		logs := []trestle.Observer{trestle.SlogObserver(slog.New(slog.NewTextHandler(&lines, everything))), trestle.SlogObserver(slog.New(slog.NewJSONHandler(&lines, everything)))}
		verbs, outcomes, leaks, events := map[string]int{}, map[string]int{}, 0, 0
		required := []string{"invalid", "limit", "cursor", "budget", "several", "not found", "none"}
		complete := func() bool { // one of 130 failures is that of a limit
			return len(verbs) == 15 && !slices.ContainsFunc(required, func(name string) bool { return outcomes[name] == 0 })
		}
		for failed := 0; failed < wanted || !complete() && failed < 10_000; {
			h := &heard{}
			trouble := l.trouble()
			verb, err := l.fails(context.WithValue(t.Context(), heardKey{}, h))
			for _, e := range h.seen {
				events++
				require.Empty(t, canaries.Printed(e), "%s, %s", verb, trouble)
				lines.Reset()
				for _, log := range logs {
					log.End(t.Context(), e)
				}
				require.Positive(t, lines.Len())
				require.False(t, canaries.In(lines.String()), "%s, %s: %s", verb, trouble, &lines)
			}
			if err == nil {
				continue
			}
			failed++
			verbs[verb]++
			outcomes[outcomeOf(err)]++
			require.Empty(t, canaries.Failed(err), "%s, %s", verb, trouble)
			if sdk := (*smithy.OperationError)(nil); errors.As(err, &sdk) && canaries.Printed(sdk) != "" {
				leaks++
			}
		}
		t.Logf("verbs %v, outcomes %v, %d events, %d cursors, %d explanations; the SDK's errors tell a value %d times, its inputs %d times",
			verbs, outcomes, events, l.tokens, l.planned, leaks, l.inputs)
		require.Len(t, verbs, 15)
		for _, name := range required {
			require.Positive(t, outcomes[name], name)
		}
		require.Greater(t, leaks, wanted/100, "the negative control")
		require.Greater(t, l.inputs, wanted/10, "the negative control")
		require.Greater(t, l.tokens, wanted/100)
	})
}

func outcomeOf(err error) string {
	for kind, name := range map[error]string{
		trestle.ErrNotFound: "not found", trestle.ErrInvalid: "invalid", trestle.ErrLimit: "limit", query.ErrCursor: "cursor", query.ErrBudget: "budget", query.ErrSeveral: "several",
	} {
		if errors.Is(err, kind) {
			return name
		}
	}
	return "none"
}

// A plain cursor contains readable values, as the name PlainCursors indicates.
func TestPlainCursorsContainValues(t *testing.T) {
	t.Parallel()
	l := newLeaky(t, 1, entity.PlainCursors())
	text, err := base64.RawURLEncoding.DecodeString(l.sealed)
	require.NoError(t, err)
	require.True(t, canaries.In(string(text)))
}
