package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// over checks whether an error is a limit that was detected before a request. Without the error the
// read must succeed.
func over(t *testing.T, err error, limit bool, what string) {
	t.Helper()
	if !limit {
		require.NoError(t, err, what)
		return
	}
	require.ErrorIs(t, err, trestle.ErrLimit, what)
	var failed *trestle.OpError
	require.ErrorAs(t, err, &failed, what)
	require.Empty(t, failed.RequestID, "%s: nothing was sent", what)
}

// The texts that narrow a collection may be as long as a sort key, and no longer. The service has
// the same limit.
func TestPartsUpToTheKeyLimit(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		c := query.Of(companies.In(table), company{ID: "c1"}).Collection()
		for n := 1023; n <= 1025; n++ {
			// The limit counts bytes.
			text := strings.Repeat("é", 511) + strings.Repeat("x", n-1022)
			for name, part := range map[string]query.Collection{"prefix": c.Prefix(text), "from": c.Between(text, ""), "to": c.Between("a", text), "both": c.Between(text, text)} {
				_, err := part.Count(t.Context())
				over(t, err, n > 1024, fmt.Sprint(name, n))
			}
		}
		for name, part := range map[string]query.Collection{"prefix": c.Prefix("a\xff"), "from": c.Between("\xff", ""), "to": c.Between("a", "a\xff")} {
			_, err := part.Count(t.Context())
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
		}
	})
}

// sized returns a number of conditions. Some of them have an operator that is a byte longer.
func sized(conditions, longer int) (conds []attr.Cond[employee]) {
	for i := range conditions {
		if i < longer {
			conds = append(conds, level.Le(1000+i))
		} else {
			conds = append(conds, level.Lt(1000+i))
		}
	}
	return conds
}

// Joined filters may be as long as an expression, 4 KB, and no longer. Each of the filters is
// short.
func TestJoinedFiltersUpToTheSizeLimit(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		q := query.Of(employees.In(table), employee{CompanyID: "c1"})
		wide := level.In(make([]int, 100)...)
		length := func(conds []attr.Cond[employee]) int {
			in, err := q.Filter(conds...).Input()
			require.NoError(t, err)
			return len(*in.FilterExpression)
		}
		rest := []attr.Cond[employee]{wide, wide, wide, wide, wide}
		made := func(longer int) []attr.Cond[employee] { return append(sized(25, longer), rest...) }
		short := 4096 - length(made(0))
		for ; short > 24; short = 4096 - length(made(0)) {
			rest = append(rest, level.Eq(1))
		}
		require.GreaterOrEqual(t, short, 1)
		for by := -1; by <= 1; by++ {
			conds := made(short + by)
			if by < 1 {
				require.Equal(t, 4096+by, length(conds))
			}
			_, err := q.Filter(conds...).Count(t.Context())
			over(t, err, by > 0, fmt.Sprint(4096+by, " bytes"))
			_, err = q.Filter(conds...).Collect(t.Context())
			over(t, err, by > 0, fmt.Sprint(4096+by, " bytes"))
			if by > 0 {
				_, err = oneOf(query.Scan(employees.In(table)).Filter(conds...).All(t.Context()))
				over(t, err, true, "a scan")
			}
		}
	})
}

// Joined filters may have at most 300 operators and functions. Each of the filters has few.
func TestJoinedFiltersUpToTheOperatorLimit(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		q := query.Of(employees.In(table), employee{CompanyID: "c1"})
		conds := sized(150, 0) // and 149 AND
		not := append(sized(149, 0), attr.Not(level.Lt(0)))
		for n, conds := range map[int][]attr.Cond[employee]{299: conds, 300: not, 301: sized(151, 0)} {
			_, err := q.Filter(conds...).Count(t.Context())
			over(t, err, n > 300, fmt.Sprint(n))
			_, err = oneOf(query.Filter(query.ScanTable(table), conds...).All(t.Context()))
			over(t, err, n > 300, fmt.Sprint("scan ", n))
		}
	})
}
