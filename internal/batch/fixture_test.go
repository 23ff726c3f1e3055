package batch_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Main(m)) }

// page has no version, so its puts are sent together.
type page struct {
	_         entity.Key `type:"page" pk:"PAGE#<id>" sk:"PAGE"`
	ID        string     `dynamodbav:"id"`
	N         int        `dynamodbav:"n"`
	UpdatedAt time.Time  `dynamodbav:"updated_at" entity:"updated"`
}

// draft has a version, so each put is a request of its own.
type draft struct {
	_       entity.Key `type:"draft" pk:"DRAFT#<id>" sk:"DRAFT"`
	ID      string     `dynamodbav:"id"`
	N       int        `dynamodbav:"n"`
	Version int        `dynamodbav:"version" entity:"version"`
}

var (
	pageN  = attr.Must(func(p *page) *int { return &p.N })
	draftN = attr.Must(func(d *draft) *int { return &d.N })
)

// site is a table with pages and drafts.
type site struct {
	table  *entity.Table
	pages  *entity.Repo[page]
	drafts *entity.Repo[draft]

	mu     sync.Mutex
	events []trestle.Event
}

// newSite opens the table. It does not create it.
func newSite(t testing.TB, client trestle.Client, options ...entity.TableOption) *site {
	t.Helper()
	w := &site{}
	s := entity.NewSchema(entity.Config{Observer: trestle.ObserverFunc(func(_ context.Context, e trestle.Event) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.events = append(w.events, e)
	})})
	pages, drafts := entity.Define[page](s), entity.Define[draft](s)
	table, err := s.Open(client, "site", options...)
	require.NoError(t, err)
	w.table, w.pages, w.drafts = table, pages.In(table), drafts.In(table)
	return w
}

// start returns a new table in a database of its own.
func start(t testing.TB, options ...ddbtest.Options) (*ddbtest.DB, *site) {
	t.Helper()
	db := ddbtest.Start(t, options...)
	w := newSite(t, db.Client())
	require.NoError(t, w.table.Create(t.Context()))
	w.events = nil
	return db, w
}

// pagesOf returns n pages.
func pagesOf(n int) []*page {
	list := make([]*page, n)
	for i := range list {
		list[i] = &page{ID: fmt.Sprintf("%04d", i), N: i}
	}
	return list
}

// stored returns the values of all stored pages by ID.
func (w *site) stored(t testing.TB, db *ddbtest.DB) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, item := range db.Dump("site") {
		p, err := w.pages.Type().Decode(item)
		if err == nil {
			found[p.ID] = p.N
			continue
		}
		d, err := w.drafts.Type().Decode(item)
		require.NoError(t, err)
		found[d.ID] = d.N
	}
	return found
}

// counted yields the elements of a list, and counts them.
func counted[T any](list []T, n *int) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, e := range list {
			*n++
			if !yield(e) {
				return
			}
		}
	}
}

// failure returns the error of a batch.
func failure(t testing.TB, err error) *trestle.UnprocessedError {
	t.Helper()
	var e *trestle.UnprocessedError
	require.ErrorAs(t, err, &e)
	var op *trestle.OpError
	require.ErrorAs(t, e.Err, &op)
	require.True(t, slices.IsSortedFunc(e.Failures, func(a, b trestle.BatchFailure) int { return a.Index - b.Index }))
	for _, f := range e.Failures {
		require.ErrorAs(t, f.Err, new(*trestle.OpError))
		require.Less(t, f.Index, e.Consumed)
	}
	return e
}
