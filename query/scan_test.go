package query_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

func TestScanReadsATypeOrAll(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table := open(t, client)
		newcomer(t, client)
		var ids []string
		for e, err := range query.Scan(employees.In(table)).Segments(4).PageSize(3).All(t.Context()) {
			require.NoError(t, err)
			ids = append(ids, e.CompanyID+e.ID)
		}
		require.ElementsMatch(t, []string{"c1e0", "c1e1", "c1e2", "c1e3", "c1e4", "c10e0", "c10e1", "c10e2", "c10e3", "c10e4"}, ids)
		ids = nil
		for e, err := range query.Scan(employees.In(table)).On("by-hire").Filter(level.Gt(9), employeeID.Ne("e4")).All(t.Context()) {
			require.NoError(t, err)
			ids = append(ids, e.CompanyID+e.ID)
		}
		require.ElementsMatch(t, []string{"c1e2", "c1e3", "c10e2", "c10e3"}, ids)
		kinds := map[string]int{}
		for item, err := range query.ScanTable(table).Segments(3).All(t.Context()) {
			require.NoError(t, err)
			switch item.(type) {
			case employee:
				kinds["employee"]++
			case company:
				kinds["company"]++
			case employeeLog:
				kinds["log"]++
			case entity.Raw:
				kinds["raw"]++
			}
		}
		require.Equal(t, map[string]int{"employee": 10, "company": 2, "log": 2, "raw": 1}, kinds)
		n := 0
		for _, err := range query.ScanTable(table).Segments(3).PageSize(1).All(t.Context()) {
			require.NoError(t, err)
			if n++; n == 4 {
				break
			}
		}
		require.Equal(t, 4, n)
	})
}

// A scan that was interrupted and continued returns every item once. This holds for interruptions
// by budgets, by the caller and by failures, and for any number of segments. The negative control
// continues after the last returned item as if there were one segment.
func TestScansResume(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	db := ddbtest.Start(t, ddbtest.Options{Seed: r.Uint64()})
	repo := library0(t, db.Client())
	const n = 120
	for i := range n {
		require.NoError(t, repo.Put(t.Context(), &row{Book: string(rune('a' + i%9)), N: i, Shelf: "s"}))
	}
	errMine := errors.New("mine")
	breaks := map[string]int{}
	for range testsize.Sequential(20, 100, 150, 1000) {
		scan := query.Scan(repo).Segments(1 + r.IntN(8)).PageSize(1 + r.IntN(20))
		seen := map[int]int{}
		cursor, told := "", ""
		for rounds := 0; ; rounds++ {
			require.Less(t, rounds, 500)
			this, fails, passed := scan, r.IntN(10), false
			if r.IntN(2) == 0 {
				this = this.MaxRequests(1 + r.IntN(5))
			}
			rule := db.Fail(ddbtest.Op("Scan"), ddbtest.Error("ValidationException", "", 400), ddbtest.Nth(1+r.IntN(8)))
			next, err := this.Progress(func(p query.Progress) {
				var err error
				passed = true
				told, err = p.Cursor()
				require.NoError(t, err)
			}).Each(t.Context(), cursor, func(page []row) error {
				if fails--; fails == 0 {
					return errMine
				}
				for _, item := range page {
					seen[item.N]++
				}
				return nil
			})
			rule.Remove()
			switch {
			case errors.Is(err, errMine):
				breaks["caller"]++
			case err != nil:
				breaks["failure"]++
			case next != "":
				breaks["budget"]++
			}
			if passed {
				require.Equal(t, told == "", next == "", "the progress tells where it stands")
			}
			if cursor = next; cursor == "" {
				require.NoError(t, err)
				break
			}
		}
		require.True(t, onceEach(seen, n), "%v", seen)
	}
	t.Log(breaks)
	for _, kind := range []string{"caller", "failure", "budget"} {
		require.Positive(t, breaks[kind], kind)
	}
	tries := 1
	for tries < 100 && onceEach(behindTheLast(t, db.Client(), r), n) {
		tries++
	}
	require.Less(t, tries, 100, "the control")
}

// onceEach reports whether each of n items was seen exactly once.
func onceEach(seen map[int]int, n int) bool {
	for _, times := range seen {
		if times != 1 {
			return false
		}
	}
	return len(seen) == n
}

// behindTheLast is the naive way to continue. It reads segments in turn until an interruption, and
// then reads the table after the last item.
func behindTheLast(t *testing.T, client *dynamodb.Client, r *rand.Rand) map[int]int {
	t.Helper()
	table, segments, seen := "library", 2+r.IntN(7), map[int]int{}
	var last map[string]types.AttributeValue
	read := func(in *dynamodb.ScanInput) map[string]types.AttributeValue {
		in.TableName, in.Limit = &table, aws.Int32(10)
		out, err := client.Scan(t.Context(), in)
		require.NoError(t, err)
		for _, item := range out.Items {
			one, err := rows.Decode(item)
			require.NoError(t, err)
			seen[one.N]++
			last = map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
		}
		return out.LastEvaluatedKey
	}
	for i := range segments {
		read(&dynamodb.ScanInput{Segment: aws.Int32(int32(i)), TotalSegments: aws.Int32(int32(segments))})
	}
	for last != nil {
		last = read(&dynamodb.ScanInput{ExclusiveStartKey: last})
	}
	return seen
}

func TestInvalidScans(t *testing.T) {
	t.Parallel()
	table, err := library.Open(silent{}, "library", entity.PlainCursors())
	require.NoError(t, err)
	plain, err := library.Open(silent{}, "library")
	require.NoError(t, err)
	repo := rows.In(table)
	each := func(s query.TableScan[row], cursor string) error {
		_, err := s.Each(t.Context(), cursor, func([]row) error { return nil })
		return err
	}
	for name, err := range map[string]error{
		"zero":       each(query.TableScan[row]{}, ""),
		"no cursors": each(query.Scan(rows.In(plain)), ""),
		"segments":   each(query.Scan(repo).Segments(0), ""),
		"too many":   each(query.Scan(repo).Segments(query.MaxSegments+1), ""),
		"page size":  each(query.Scan(repo).PageSize(0), ""),
		"requests":   each(query.Scan(repo).MaxRequests(0), ""),
		"units":      each(query.Scan(repo).MaxUnits(-1), ""),
		"access":     each(query.Scan(repo).On("nothing"), ""),
		"strong":     each(query.Scan(repo.Strong()).On("by-shelf"), ""),
		"no table":   each(query.Scan(&entity.Repo[row]{}), ""),
	} {
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
	for _, err := range query.ScanTable(nil).All(t.Context()) {
		require.ErrorIs(t, err, trestle.ErrInvalid)
	}
	for _, err := range query.ScanTable(table).On("by-shelf").All(t.Context()) {
		require.ErrorIs(t, err, trestle.ErrInvalid)
	}
	require.ErrorIs(t, each(query.Scan(repo), "nonsense"), query.ErrCursor)
}

func TestScanCursorsAreBoundToTheirScan(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	repo := library0(t, db.Client())
	for i := range 20 {
		require.NoError(t, repo.Put(t.Context(), &row{Book: "b", N: i, Shelf: "s"}))
	}
	nothing := func([]row) error { return nil }
	scan := query.Scan(repo).Segments(2).PageSize(2)
	next, err := scan.MaxRequests(2).Each(t.Context(), "", nothing)
	require.NoError(t, err)
	for name, other := range map[string]query.TableScan[row]{
		"segments": scan.Segments(3), "filter": scan.Filter(rowKeep.Eq(true)), "index": scan.On("by-shelf"), "binding": scan.Bind("x"),
		"consistency": query.Scan(repo.Strong()).Segments(2),
	} {
		_, err := other.Each(t.Context(), next, nothing)
		require.ErrorIs(t, err, query.ErrCursor, name)
	}
	_, err = query.Of(repo, row{Book: "b"}).Page(t.Context(), next)
	require.ErrorIs(t, err, query.ErrCursor)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	again, err := scan.Each(ctx, next, nothing)
	require.ErrorIs(t, err, context.Canceled)
	require.NotEmpty(t, again)
}
