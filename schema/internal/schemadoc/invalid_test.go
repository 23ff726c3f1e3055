package schemadoc_test

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// withMistakes returns wrong copies of correct rows. Each has a single mistake in one row.
func (x *requestLog) withMistakes(rows []patternRow) iter.Seq2[string, []patternRow] {
	return func(yield func(string, []patternRow) bool) {
		for i, row := range rows {
			for mistake, wrong := range x.mistakes(row) {
				if wrong != row && !yield(mistake, slices.Concat(rows[:i], []patternRow{wrong}, rows[i+1:])) {
					return
				}
			}
			if !yield("left out", slices.Delete(slices.Clone(rows), i, i+1)) || !yield("duplicated", append(slices.Clone(rows), row)) {
				return
			}
			for j := range i {
				if wrong := swapIndexes(rows, i, j); !sameRows(wrong, rows) && !yield("indexes swapped", wrong) {
					return
				}
			}
		}
	}
}

// swapIndexes swaps the indexes of two rows.
func swapIndexes(rows []patternRow, i, j int) []patternRow {
	rows = slices.Clone(rows)
	rows[i].index, rows[j].index = rows[j].index, rows[i].index
	return rows
}

// sameRows reports whether two lists have the same rows in any order.
func sameRows(a, b []patternRow) bool {
	count := map[patternRow]int{}
	for i := range a {
		count[a[i]]++
		count[b[i]]--
	}
	return !slices.ContainsFunc(slices.Collect(maps.Values(count)), func(n int) bool { return n != 0 })
}

var (
	lastCondition = regexp.MustCompile(`^(.*) AND .*$`)
	ranged        = regexp.MustCompile(` AND (\S+) BETWEEN (\D*).*$`)
)

// mistakes returns modified copies of a row. A few of them are still correct.
func (x *requestLog) mistakes(row patternRow) map[string]patternRow {
	with := func(change func(*patternRow)) patternRow {
		wrong := row
		change(&wrong)
		return wrong
	}
	return map[string]patternRow{
		"another name": with(func(r *patternRow) { r.pattern += "s" }),
		"another index": with(func(r *patternRow) {
			r.index = x.keyed[(slices.IndexFunc(x.keyed, func(k keySchema) bool { return k.name == r.index })+1)%len(x.keyed)].name
		}),
		"another literal":  with(func(r *patternRow) { r.key = strings.Replace(r.key, " = ", " = X", 1) }),
		"one more literal": with(func(r *patternRow) { r.key = strings.Replace(r.key, "#", "#X#", 1) }),
		"another field":    with(func(r *patternRow) { r.key = x.withOtherField(row) }),
		"another key":      with(func(r *patternRow) { r.key = "X" + r.key }),
		"less of the key":  with(func(r *patternRow) { r.key = lastCondition.ReplaceAllString(r.key, "$1") }),
		"equality": with(func(r *patternRow) {
			r.key = strings.NewReplacer("begins_with(", "", ", ", " = ", ")", "").Replace(r.key)
		}),
		"a prefix":       with(func(r *patternRow) { r.key = ranged.ReplaceAllString(r.key, " AND begins_with($1, $2)") }),
		"more shards":    with(func(r *patternRow) { r.partitions = shards.ReplaceAllString(r.partitions, "1$0") }),
		"no shards":      with(func(r *patternRow) { r.partitions = shards.ReplaceAllString(r.partitions, "") }),
		"no filter":      with(func(r *patternRow) { r.filter = "" }),
		"another filter": with(func(r *patternRow) { r.filter += "x" }),
	}
}

// withOtherField returns a row's key condition with its first field replaced by a field of another
// value.
func (x *requestLog) withOtherField(row patternRow) string {
	own := x.texts[row.pattern]
	first := placeholder.FindStringSubmatch(row.key)
	if first == nil {
		return row.key
	}
	for _, other := range slices.Sorted(maps.Keys(own)) {
		if own[other] != own[first[1]] {
			return strings.Replace(row.key, first[0], "<"+other+">", 1)
		}
	}
	return row.key
}
