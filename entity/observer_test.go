package entity_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/maintain"
)

// span records what an observer and a transport see of one operation.
type span struct {
	started  trestle.OperationInfo
	ended    []trestle.Event
	attempts int
}

// recorder is an observer that adds a span to the context of each operation, and a transport that
// finds the span there.
type recorder struct {
	next  dynamodb.HTTPClient
	mu    sync.Mutex
	spans []*span
	stray int // attempts and ends without a span
}

type spanKey struct{}

func (rec *recorder) Start(ctx context.Context, op trestle.OperationInfo) context.Context {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	s := &span{started: op}
	rec.spans = append(rec.spans, s)
	return context.WithValue(ctx, spanKey{}, s)
}

func (rec *recorder) End(ctx context.Context, e trestle.Event) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if s, ok := ctx.Value(spanKey{}).(*span); ok {
		s.ended = append(s.ended, e)
	} else {
		rec.stray++
	}
}

func (rec *recorder) Do(r *http.Request) (*http.Response, error) {
	rec.mu.Lock()
	if s, ok := r.Context().Value(spanKey{}).(*span); ok && len(s.ended) == 0 {
		s.attempts++
	} else {
		rec.stray++
	}
	rec.mu.Unlock()
	return rec.next.Do(r)
}

// client returns a client of an engine that sends its requests through the recorder.
func (rec *recorder) client(t *testing.T, e engines.Engine) *dynamodb.Client {
	t.Helper()
	return e.Client(t, func(o *dynamodb.Options) { rec.next, o.HTTPClient = o.HTTPClient, rec })
}

// of returns the only span of a call.
func (rec *recorder) of(t *testing.T, call func() error) (*span, error) {
	t.Helper()
	rec.spans, rec.stray = nil, 0
	err := call()
	require.Zero(t, rec.stray)
	require.Len(t, rec.spans, 1)
	s := rec.spans[0]
	require.Len(t, s.ended, 1, "each start has one end")
	require.Equal(t, s.started, s.ended[0].OperationInfo)
	require.Equal(t, s.ended[0].Attempts, s.attempts)
	return s, err
}

// Every operation starts before its requests. They use the context that the observer returns. The
// operation ends once, with the same context.
func TestOperationsStartAndEnd(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		rec := &recorder{}
		o := newOffice(t, rec.client(t, e), func(c *entity.Config) { c.Observer = rec })
		ctx, a, b := t.Context(), ann(), ann()
		whole := func(name string) trestle.OperationInfo {
			return trestle.OperationInfo{Operation: name, Table: "office"}
		}
		for _, c := range []struct {
			name     string
			info     trestle.OperationInfo
			requests int
			outcome  trestle.Outcome
			err      error
			call     func() error
		}{
			{"check", whole("check table"), 1, trestle.NoWrite, new(types.ResourceNotFoundException), func() error { return maintain.Check(ctx, o.table) }},
			{"make", whole("create table"), 3, trestle.Applied, nil, func() error { return o.table.Create(ctx) }},
			{"make again", whole("create table"), 1, trestle.NotApplied, trestle.ErrExists, func() error { return o.table.Create(ctx) }},
			{"check again", whole("check table"), 2, trestle.NoWrite, nil, func() error { return maintain.Check(ctx, o.table) }},
			{"create", doing("create"), 1, trestle.Applied, nil, func() error { return o.accounts.Create(ctx, &a) }},
			{"create again", doing("create"), 1, trestle.NotApplied, trestle.ErrExists, func() error { return o.accounts.Create(ctx, &b) }},
			{"put", doing("put"), 1, trestle.Applied, nil, func() error { return o.accounts.Put(ctx, &a) }},
			{"overwrite", doing("overwrite"), 2, trestle.Applied, nil, func() error { return o.accounts.Overwrite(ctx, &b) }},
			{"get", doing("get"), 1, trestle.NoWrite, nil, func() error { _, err := o.accounts.Get(ctx, a); return err }},
			{"get nothing", doing("get"), 1, trestle.NoWrite, trestle.ErrNotFound, func() error { _, err := o.accounts.Get(ctx, bobKey()); return err }},
			{"get many", doing("get many"), 1, trestle.NoWrite, nil, func() error {
				_, err := o.accounts.GetMany(ctx, []account{a, bobKey()})
				return err
			}},
			{"put many", doing("put many"), 1, trestle.Applied, nil, func() error { return o.accounts.PutMany(ctx, slices.Values([]*account{&b})) }},
			{"put many again", doing("put many"), 1, trestle.NotApplied, trestle.ErrStale, func() error {
				return unprocessed(t, o.accounts.PutMany(ctx, slices.Values([]*account{{Org: b.Org, ID: b.ID}}))).Err
			}},
			{"delete many", doing("delete many"), 1, trestle.Applied, nil, func() error { return o.accounts.DeleteMany(ctx, slices.Values([]account{bobKey()})) }},
			{"write many", trestle.OperationInfo{Operation: "write many"}, 1, trestle.Applied, nil, func() error {
				return entity.WriteMany(ctx, slices.Values([]entity.Operation{o.accounts.Op().Delete(bobKey())}))
			}},
			{"update", doing("update"), 1, trestle.Applied, nil, func() error { _, err := o.accounts.Update(ctx, annKey(), accLogins.Set(1)); return err }},
			{"read first", doing("update"), 2, trestle.Applied, nil, func() error {
				_, err := o.accounts.With(entity.ReadFirst()).Update(ctx, annKey(), accStatus.Set("away"))
				return err
			}},
			{"read nothing first", doing("update"), 1, trestle.NotApplied, trestle.ErrNotFound, func() error {
				_, err := o.accounts.With(entity.ReadFirst()).Update(ctx, bobKey(), accStatus.Set("away"))
				return err
			}},
			{"upsert", doing("upsert"), 1, trestle.Applied, nil, func() error { _, err := o.accounts.Upsert(ctx, annKey(), accLogins.Set(1)); return err }},
			{"delete", doing("delete"), 1, trestle.Applied, nil, func() error { return o.accounts.Delete(ctx, annKey()) }},
		} {
			s, err := rec.of(t, c.call)
			event := s.ended[0]
			require.Equal(t, c.info, s.started, c.name)
			require.Equal(t, c.requests, event.Requests, c.name)
			require.Equal(t, c.outcome, event.Outcome, c.name)
			require.Positive(t, event.Duration, c.name)
			require.Equal(t, err, event.Err, c.name)
			if missing := (*types.ResourceNotFoundException)(nil); errors.As(c.err, &missing) {
				require.ErrorAs(t, err, &missing, c.name)
			} else {
				require.ErrorIs(t, err, c.err, c.name)
			}
		}
	})
}

// Differences are no failure of Check.
func TestDriftIsNotAFailedCheck(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		rec := &recorder{}
		client := rec.client(t, e)
		bare, err := entity.NewSchema(entity.Config{}).Open(client, "office")
		require.NoError(t, err)
		require.NoError(t, bare.Create(t.Context()))
		o := newOffice(t, client, func(c *entity.Config) { c.Observer = rec })
		s, err := rec.of(t, func() error { return maintain.Check(t.Context(), o.table) })
		require.ErrorAs(t, err, new(*maintain.Error))
		require.NoError(t, s.ended[0].Err)
	})
}

// After Create created the table, every later failure has the outcome Applied, unless the reply of
// the failed request is lost.
func TestCreateFailsAfterTheTableIsCreated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		verb  string // the request that fails
		fault func(request) reply
		want  trestle.Outcome
		kind  error
	}{
		{"it is looked at", "DescribeTable", refuses(400, "AccessDeniedException", "m"), trestle.Applied, nil},
		{"time to live", "UpdateTimeToLive", refuses(400, "AccessDeniedException", "m"), trestle.Applied, nil},
		{"time to live, in use", "UpdateTimeToLive", refuses(400, "ResourceInUseException", "m"), trestle.Applied, nil},
		{"time to live, lost", "UpdateTimeToLive", func(request) reply { return breaks(testfaults.ErrReset) }, trestle.Unknown, trestle.ErrUnknown},
		{"the table itself", "CreateTable", refuses(400, "AccessDeniedException", "m"), trestle.NotApplied, nil},
	} {
		var seen trestle.Event
		o := newOffice(t, canned(func(r request) reply {
			if r.verb == c.verb {
				return c.fault(r)
			}
			return says(200, `{"Table":{"TableStatus":"ACTIVE"}}`)(r)
		}), func(c *entity.Config) {
			c.Observer = trestle.ObserverFunc(func(_ context.Context, e trestle.Event) { seen = e })
		})
		err := o.table.Create(t.Context())
		if c.kind == nil {
			requireNone(t, err, c.want)
		} else {
			requireOutcome(t, err, c.kind, c.want)
		}
		require.Equal(t, err, seen.Err, c.name)
		require.Equal(t, c.want, seen.Outcome, c.name)
	}
}

// A call that is rejected before sending does not notify the observer.
func TestInvalidCallsAreNotObserved(t *testing.T) {
	t.Parallel()
	rec := &recorder{}
	o := newOffice(t, canned(says(200, `{}`)), func(c *entity.Config) { c.Observer = rec })
	bare, err := entity.NewSchema(entity.Config{Observer: rec}).Open(&mock{}, "office")
	require.NoError(t, err)
	for _, err := range []error{
		o.accounts.Put(t.Context(), &account{}), bare.Create(t.Context()), maintain.Check(t.Context(), bare),
		func() error { _, err := o.accounts.Get(t.Context(), account{}); return err }(),
	} {
		require.ErrorIs(t, err, trestle.ErrInvalid)
	}
	_, err = o.accounts.GetMany(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, rec.spans)
	require.Zero(t, rec.stray)
}

// bomb is text that panics when it is decoded.
type bomb string

func (b bomb) MarshalText() ([]byte, error) { return []byte(b), nil }

func (*bomb) UnmarshalText([]byte) error { panic("bomb") }

type shelter struct {
	_    entity.Key `type:"shelter" pk:"S#<id>" sk:"#"`
	ID   string     `dynamodbav:"id"`
	Bomb bomb       `dynamodbav:"bomb"`
}

// An operation that panics is reported as failed. The outcome of a write is then unknown, unless
// the service acknowledged it.
func TestPanicEndsTheOperation(t *testing.T) {
	t.Parallel()
	rec := &recorder{}
	s := entity.NewSchema(entity.Config{Observer: rec})
	shelters := entity.Define[shelter](s)
	db := ddbtest.Start(t)
	table, err := s.Open(panicky{db.Client()}, "shelters")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	repo, full := shelters.In(table), shelter{ID: "a", Bomb: "x"}
	require.NoError(t, repo.Create(t.Context(), &full))
	for name, c := range map[string]struct {
		call    func()
		outcome trestle.Outcome
		unknown bool
	}{
		"get":      {func() { _, _ = repo.Get(t.Context(), full) }, trestle.NoWrite, false},
		"get many": {func() { _, _ = repo.GetMany(t.Context(), []shelter{full}) }, trestle.NoWrite, false},
		"put, giving back what was there": {func() {
			_, _ = repo.Op().Put(&shelter{ID: "a", Bomb: "y"}).Return(trestle.AllOld).Do(t.Context())
		}, trestle.Applied, false},
		"delete, in the client": {func() { _ = repo.Delete(t.Context(), full) }, trestle.Unknown, true},
	} {
		rec.spans = nil
		require.Panics(t, c.call, name)
		require.Len(t, rec.spans, 1, name)
		require.Len(t, rec.spans[0].ended, 1, name)
		event := rec.spans[0].ended[0]
		require.Error(t, event.Err, name)
		require.Equal(t, c.outcome, event.Outcome, name)
		require.Equal(t, c.outcome, trestle.OutcomeOf(event.Err), name)
		require.Equal(t, c.unknown, errors.Is(event.Err, trestle.ErrUnknown), name)
	}
}

// panicky is a client whose DeleteItem panics.
type panicky struct{ *dynamodb.Client }

func (panicky) DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	panic("no")
}

// noted is an observer that appends its calls to a list and adds its name to the context.
type noted struct {
	name  string
	list  *[]string
	ctx   func(context.Context) context.Context
	panic bool
}

type nameKey struct{}

func (n noted) Start(ctx context.Context, _ trestle.OperationInfo) context.Context {
	before, _ := ctx.Value(nameKey{}).(string)
	*n.list = append(*n.list, "start "+n.name+" in "+before)
	if n.ctx != nil {
		return n.ctx(ctx)
	}
	return context.WithValue(ctx, nameKey{}, before+n.name)
}

func (n noted) End(ctx context.Context, _ trestle.Event) {
	in, _ := ctx.Value(nameKey{}).(string)
	*n.list = append(*n.list, "end "+n.name+" in "+in)
	if n.panic {
		panic(n.name)
	}
}

// MultiObserver nests observers: each gets the context of the previous one, and all get the last
// context at the end, in reverse order.
func TestMultiObserver(t *testing.T) {
	t.Parallel()
	var list []string
	a, b := noted{name: "a", list: &list}, noted{name: "b", list: &list}
	none := noted{name: "none", list: &list, ctx: func(context.Context) context.Context { return nil }}
	loud := noted{name: "loud", list: &list, panic: true}
	for _, c := range []struct {
		name     string
		observer trestle.Observer
		want     []string
	}{
		{"no observer", nil, nil},
		{"none of several", trestle.MultiObserver(nil, nil), nil},
		{"no function", trestle.ObserverFunc(nil), nil},
		{"one", trestle.MultiObserver(nil, a), []string{"start a in ", "end a in a"}},
		{"two", trestle.MultiObserver(a, nil, b), []string{"start a in ", "start b in a", "end b in ab", "end a in ab"}},
		{"no context", none, []string{"start none in ", "end none in "}},
		{"no context of several", trestle.MultiObserver(a, none, b), []string{
			"start a in ", "start none in a", "start b in a", "end b in ab", "end none in ab", "end a in ab",
		}},
		{"a panic", trestle.MultiObserver(a, loud), []string{"start a in ", "start loud in a", "end loud in aloud", "end a in aloud"}},
	} {
		list = nil
		o := newOffice(t, canned(says(200, `{}`)), func(config *entity.Config) { config.Observer = c.observer })
		put := func() { require.NoError(t, o.notes.Put(t.Context(), &note{ID: "n"})) }
		if c.name == "a panic" {
			require.Panics(t, put)
		} else {
			put()
		}
		require.Equal(t, c.want, list, c.name)
	}
}

// The context that an observer returns limits the operation: its deadline and its cancellation
// apply to the requests and to the pauses between them.
func TestObserverContextLimitsTheOperation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var list []string
		o := newOffice(t, canned(hangs), func(c *entity.Config) {
			c.Observer = noted{list: &list, ctx: func(ctx context.Context) context.Context {
				ctx, cancel := context.WithTimeout(ctx, time.Second)
				t.Cleanup(cancel)
				return ctx
			}}
		})
		began := time.Now()
		_, err := o.accounts.With(entity.ReadFirst()).Update(t.Context(), annKey(), accStatus.Set("x"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, time.Second, time.Since(began))
	})
}
