package query

import (
	"context"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/repo"
)

// Counter counts items: a [Query] or a [Collection].
type Counter interface {
	Count(ctx context.Context) (int, error)
}

// Recount counts items again, sets a count of the counting item of an example to their number, and
// returns it: see [entity.Counted]. It is for counts that other programs changed, for items that
// were stored before their type was counted, and for a counting item that was deleted and created
// again:
//
//	all := query.Of(comments.Strong(), Comment{Post: id})
//	n, err := query.Recount(ctx, posts, Post{ID: id}, PostComments, all)
//
// The query must select all items that the count counts, and no others. If one of the two is made
// from the handle of a tenant, and the other is not of the same one, the error is
// [trestle.ErrInvalid]. It must be strongly
// consistent, and the type of the counting item should have a version: then Recount is right also
// while items are created and deleted, except by a transaction that replaces an item by another one
// of the same counting item, such as a move: it changes no version. Recount counts again if the
// counting item has changed meanwhile, at most eight times in all; then the error is
// [trestle.ErrStale]. Without a version, or with the query of an index, which may lag, stop other
// writers first.
//
// It costs a strongly consistent read of the counting item, the query, and one write unit per KB of
// the counting item if the count differs.
//
//go:noinline
func Recount[P any, N counts](ctx context.Context, of *entity.Repo[P], example P, count *attr.Field[P, N], counted Counter) (int, error) {
	return recount(ctx, of, &example, func(n int) *expr.Change { return expr.ChangeOf(count.Set(N(n))) }, counted)
}

// counts are the types of counts.
type counts interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

func recount(ctx context.Context, repository, example any, set func(int) *expr.Change, counted Counter) (int, error) {
	own, _ := hooks.RepoOf(repository).(*repo.Repo)
	if counted == nil {
		counted = Collection{}
	}
	var of *exec.Config
	if c, ok := counted.(reader); ok {
		of = c.reads()
	}
	return own.Recount(ctx, example, set, of, counted.Count)
}

// reader is a query or a collection. A Counter of another package is none.
type reader interface{ reads() *exec.Config }

//go:noinline
func (q Query[T]) reads() *exec.Config { return q.q.config }

func (c Collection) reads() *exec.Config { return c.q.config }
