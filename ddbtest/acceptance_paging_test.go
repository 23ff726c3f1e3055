package ddbtest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// reader reads rows in pages. Each page starts after a key; nil means the first page.
type reader interface {
	// next returns the names of a page's rows and the LastEvaluatedKey, or nil.
	next(start attributes) (names []string, last attributes)
	// remove deletes the row with that key, if it exists.
	remove(key attributes)
}

// lost reads all pages. After each page it deletes the row of the LastEvaluatedKey and some rows
// that were read before. It returns the rows that always existed but were returned twice or never.
func lost(r *rand.Rand, from reader, all map[string]attributes) (missing []string) {
	times := map[string]int{}
	var read []string
	start := attributes(nil)
	for range manyPages {
		names, last := from.next(start)
		for _, name := range names {
			times[name]++
		}
		read = append(read, names...)
		if start = last; start == nil {
			break
		}
		from.remove(start)
		for range r.IntN(3) {
			from.remove(all[read[r.IntN(len(read))]])
		}
	}
	for name := range all {
		if times[name] != 1 {
			missing = append(missing, name)
		}
	}
	return missing
}

// engineReader reads from an engine.
type engineReader struct {
	*session
	view view
}

func (e engineReader) next(start attributes) ([]string, attributes) {
	e.Helper()
	p, err := e.page(e.view, start)
	require.NoError(e, err)
	return each(p.items, "name"), p.last
}

func (e engineReader) remove(key attributes) {
	e.Helper()
	e.delete(attributes{"pk": key["pk"], "sk": key["sk"]})
}

// searchingReader is a naive reader: it searches the row of the start key and continues after it.
type searchingReader struct {
	names []string
	rows  map[string]attributes
	limit int
}

func (s *searchingReader) next(start attributes) ([]string, attributes) {
	at := 0
	if start != nil {
		at = len(s.names)
		for i, name := range s.names {
			if textOf(s.rows[name]["sk"]) == textOf(start["sk"]) {
				at = i + 1
			}
		}
	}
	end := min(at+s.limit, len(s.names))
	if end == len(s.names) {
		return slices.Clone(s.names[at:end]), nil
	}
	return slices.Clone(s.names[at:end]), s.rows[s.names[end-1]]
}

func (s *searchingReader) remove(key attributes) {
	s.names = slices.DeleteFunc(s.names, func(name string) bool { return textOf(s.rows[name]["sk"]) == textOf(key["sk"]) })
}

// TestPagingAfterDelete covers every kind of page in both directions.
func TestPagingAfterDelete(t *testing.T) {
	t.Parallel()
	table := tableOf("pk:S sk:N", ix{name: "local", key: "pk:S x:N", local: true, holds: "name"}, ix{name: "global", key: "g:S | x:N y:S", holds: "name"},
		ix{name: "single", key: "g:S", holds: "name"})
	onEveryEngine(t, table, func(s *session) {
		r := newRand(s)
		views := map[string]view{
			"table": {key: "pk = :v"}, "local": {key: "pk = :v", index: "local"}, "global": {key: "g = :v", index: "global"},
			"single": {key: "g = :v", index: "single"},
			"range":  {key: "pk = :v AND sk > :lo"}, "range of local": {key: "pk = :v AND x BETWEEN :lo AND :hi", index: "local"},
			"scan": {}, "scan of local": {index: "local"}, "scan of global": {index: "global"}, "scan of single": {index: "single"},
			"segment": {segments: 1},
		}
		n := testsize.Pick(20, 60)
		for name, v := range views {
			for _, v.backward = range []bool{false, v.key != ""} {
				v.values, v.limit = valuesOf(v.key), int32(1+r.IntN(6))
				all := map[string]attributes{}
				for i := range n {
					key := fmt.Sprintf("%03d", i)
					all[key] = row("pk", "a", "sk", i, "g", "a", "x", i/4, "y", fmt.Sprint(i%2), "name", key)
				}
				s.put(slices.Collect(maps.Values(all))...)
				require.Empty(s, lost(r, engineReader{s, v}, all), "%s, backward %v, pages of %d", name, v.backward, v.limit)
				var left []attributes
				for _, item := range all {
					left = append(left, attributes{"pk": item["pk"], "sk": item["sk"]})
				}
				s.remove(left...)
				naive := &searchingReader{names: slices.Sorted(maps.Keys(all)), rows: all, limit: int(v.limit)}
				require.NotEmpty(s, lost(r, naive, all), "a search for the row under the cursor would lose some")
			}
		}
	})
}

// valuesOf returns the values of the placeholders in a key condition.
func valuesOf(key string) attributes {
	values := attributes{}
	for name, v := range row(":v", "a", ":lo", -1, ":hi", 1000) {
		if strings.Contains(key, name) {
			values[name] = v
		}
	}
	return values
}
