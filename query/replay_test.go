package query_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// reader is a read that returns cursors.
type reader struct {
	name string
	page func(ctx context.Context, cursor string) (next string, err error)
}

func pages[T any](name string, page func(context.Context, string) (query.Page[T], error)) reader {
	return reader{name, func(ctx context.Context, cursor string) (string, error) {
		p, err := page(ctx, cursor)
		return p.Next, err
	}}
}

func scans[R any](name string, scan query.TableScan[R]) reader {
	return reader{name, func(ctx context.Context, cursor string) (string, error) {
		return scan.PageSize(2).MaxRequests(3).Each(ctx, cursor, func([]R) error { return nil })
	}}
}

// readers returns reads that differ from each other in one property each.
func readers(client trestle.Client, options ...entity.TableOption) []reader {
	table := func(name string) *entity.Table {
		t, _ := library.Open(client, name, options...)
		return t
	}
	repo, in := rows.In(table("library")), row{Book: "b"}
	q := query.Of(repo, in).Limit(2)
	all := q.Collection()
	number := attr.Must(func(r *row) *int { return &r.N })
	shelf := attr.Must(func(r *row) *string { return &r.Shelf })
	return []reader{
		pages("plain", q.Page),
		pages("table", query.Of(rows.In(table("archive")), in).Limit(2).Page),
		pages("index", query.On(repo, "by-shelf", in).Limit(2).Page),
		pages("index, descending", query.On(repo, "by-shelf", in).Limit(2).Desc().Page),
		pages("index, narrowed", query.On(repo, "by-shelf", in).Limit(2).Where(shelf.Eq("s")).Page),
		// all with the same operand
		pages("index, from", query.On(repo, "by-shelf", in).Limit(2).Where(shelf.Ge("s")).Page),
		pages("index, up to", query.On(repo, "by-shelf", in).Limit(2).Where(shelf.Le("s")).Page),
		pages("index, beginning", query.On(repo, "by-shelf", in).Limit(2).Where(attr.BeginsWith(shelf, "s")).Page),
		pages("index, all types", query.On(repo, "by-shelf", in).Limit(2).Collection().Page),
		pages("direction", q.Desc().Page),
		pages("partition", query.Of(repo, row{Book: "c"}).Limit(2).Page),
		pages("operator", q.Where(number.Ge(1)).Page),
		pages("another operator", q.Where(number.Gt(1)).Page),
		pages("operand", q.Where(number.Ge(2)).Page),
		pages("two operands", q.Where(number.Between(1, 20)).Page),
		pages("second operand", q.Where(number.Between(1, 21)).Page),
		pages("filter", q.Filter(rowKeep.Eq(true)).Page),
		pages("filter value", q.Filter(rowKeep.Eq(false)).Page),
		pages("filter attribute", q.Filter(shelf.Eq("s")).Page),
		pages("filter operator", q.Filter(shelf.Ge("s")).Page),
		pages("two filters", q.Filter(shelf.Ge("s"), rowKeep.Eq(true)).Page),
		pages("consistency", query.Of(repo.Strong(), in).Limit(2).Page),
		pages("projection", query.As(q, rowNumbers).Page),
		pages("another projection", query.As(q, rowShelves).Page),
		pages("all types", all.Page),
		pages("prefix", all.Prefix("R#").Page),
		pages("another prefix", all.Prefix("R").Page),
		pages("between", all.Between("R#", "S").Page),
		pages("types", all.Types(rows).Page),
		pages("bound", q.Bind("tenant").Page),
		pages("bound to another", q.Bind("tenant2").Page),
		pages("bound to two", q.Bind("tenant", "user").Page),
		pages("bound to one of their texts", q.Bind("tenantuser").Page),
		pages("bound to nothing", q.Bind("").Page),
		pages("types, none of which is there", q.PageSize(2).MaxRequests(1).Collection().Types(cards).Page),
		pages("several types", all.Types(rows, cards).Page),
		pages("all types, another filter", query.Filter(all, rowKeep.Eq(true)).Page),
		pages("all types, from the end", q.Desc().Collection().Page),
		scans("scan", query.Scan(repo)),
		scans("scan of another type", query.Scan(cards.In(table("library")))),
		scans("scan of a table", query.ScanTable(table("library"))),
		scans("scan of what is stored", query.ScanStored(table("library"))),
		scans("scan of another table", query.ScanTable(table("archive"))),
		scans("scan of an index", query.Scan(repo).On("by-shelf")),
		scans("scan in two segments", query.Scan(repo).Segments(2)),
		scans("scan in three segments", query.Scan(repo).Segments(3)),
		scans("scan, consistency", query.Scan(repo).Strong()),
		scans("scan, filter", query.Scan(repo).Filter(rowKeep.Eq(true))),
		scans("scan, filter value", query.Scan(repo).Filter(rowKeep.Eq(false))),
		scans("scan of a table, filter", query.Filter(query.ScanTable(table("library")), rowKeep.Eq(true))),
		scans("scan of what is stored, filter", query.Filter(query.ScanStored(table("library")), rowKeep.Eq(true))),
		scans("scan, bound", query.Scan(repo).Bind("tenant")),
		scans("scan of a table, bound", query.ScanTable(table("library")).Bind("tenant")),
	}
}

var (
	rowNumbers = entity.Project[struct {
		N int `dynamodbav:"n"`
	}](rows)
	rowShelves = entity.Project[struct {
		Shelf string `dynamodbav:"shelf"`
	}](rows)
)

// stacks creates the items for readers.
func stacks(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	for _, name := range []string{"library", "archive"} {
		table, err := library.Open(client, name)
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		for n := range 20 {
			for _, book := range []string{"b", "c"} {
				require.NoError(t, rows.In(table).Put(t.Context(), &row{Book: book, N: n, Shelf: "s", Keep: n%2 == 0}))
			}
		}
	}
}

// A cursor of each of many reads is valid only for that read. Rejecting a cursor sends no request.
func TestCursorsAreRejectedByOtherReads(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]entity.TableOption{"sealed": entity.Cursors(ring), "plain": entity.PlainCursors()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				client := e.Client(t)
				stacks(t, client)
				counted := &counting{Client: client}
				all := readers(counted, option)
				cursors := make([]string, len(all))
				for i, r := range all {
					var err error
					cursors[i], err = r.page(t.Context(), "")
					require.NoError(t, err, r.name)
					require.NotEmpty(t, cursors[i], r.name)
				}
				before := counted.sent.Load()
				for i, r := range all {
					for j, cursor := range cursors {
						if i == j {
							continue
						}
						_, err := r.page(t.Context(), cursor)
						require.ErrorIs(t, err, query.ErrCursor, "%s takes a cursor of %s", r.name, all[j].name)
					}
				}
				require.Equal(t, before, counted.sent.Load(), "requests for refused cursors")
				for i, r := range all {
					_, err := r.page(t.Context(), cursors[i])
					require.NoError(t, err, r.name)
				}
			})
		})
	}
}

// A read that can find nothing rejects cursors of the read that it narrows, although it sends
// nothing.
func TestEmptyRangeRejectsCursors(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	stacks(t, db.Client())
	table, err := library.Open(db.Client(), "library", entity.Cursors(ring))
	require.NoError(t, err)
	shelf := attr.Must(func(r *row) *string { return &r.Shelf })
	q := query.On(rows.In(table), "by-shelf", row{Book: "b"}).Limit(2)
	page, err := q.Page(t.Context(), "")
	require.NoError(t, err)
	none := q.Where(shelf.Lt("\x00"))
	before := len(db.Requests())
	empty, err := none.Page(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, empty.Items)
	_, err = none.Page(t.Context(), page.Next)
	require.ErrorIs(t, err, query.ErrCursor)
	require.Len(t, db.Requests(), before)
}
