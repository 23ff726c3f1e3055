package document

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/read"
)

// ranges returns the ranges of sort keys that hold the parts.
func (l *layout) ranges(wanted []*part) (list []read.Subset) {
	for _, together := range l.groups(wanted) {
		list = append(list, subset(together[0].prefix, together[len(together)-1].prefix))
	}
	return list
}

// groups returns the parts that one query reads, for each query, in the order of their sort keys:
// as few groups as possible without reading items of other types.
func (l *layout) groups(wanted []*part) (list [][]*part) {
	sorted := slices.SortedFunc(slices.Values(wanted), func(a, b *part) int { return strings.Compare(a.prefix, b.prefix) })
	others := l.others(wanted)
	for from := 0; from < len(sorted); {
		to := from
		for to+1 < len(sorted) && !between(others, sorted[from].prefix, sorted[to+1].prefix) {
			to++
		}
		list = append(list, sorted[from:to+1])
		from = to + 1
	}
	return list
}

// others returns the prefixes of the sort keys of the other types that can be in the partition.
func (l *layout) others(wanted []*part) (prefixes []string) {
	own, _ := l.root.plan.Table.Partition[0].Template.Prefix()
	for _, plan := range l.schema.Plans {
		if p := l.of[plan]; p != nil && slices.Contains(wanted, p) || len(plan.Table.Sort) == 0 {
			continue
		}
		partition, _ := plan.Table.Partition[0].Template.Prefix()
		if strings.HasPrefix(partition, own) || strings.HasPrefix(own, partition) {
			sort, _ := plan.Table.Sort[0].Template.Prefix()
			prefixes = append(prefixes, sort)
		}
	}
	return prefixes
}

// between reports whether items of another type can be between the ranges of two prefixes.
func between(others []string, from, to string) bool {
	return slices.ContainsFunc(others, func(o string) bool {
		return o == "" || from < o && o < to && !strings.HasPrefix(o, from) || strings.HasPrefix(from, o) || strings.HasPrefix(to, o)
	})
}

// subset returns the range of the keys from those of a prefix to those of another.
func subset(from, to string) read.Subset {
	if from == to {
		return read.Subset{Prefix: from, Narrowed: from != ""}
	}
	return read.Subset{From: from, To: lastKey(to), Narrowed: true}
}

// maxSortKey is the maximum length of a sort key in bytes.
const maxSortKey = 1024

// lastKey returns a key that sorts after all others of a prefix: the next prefix of the same length
// in characters.
func lastKey(prefix string) string {
	r, size := utf8.DecodeLastRuneInString(prefix)
	if next := r + 1; size > 0 && utf8.ValidRune(next) {
		return prefix[:len(prefix)-size] + string(next)
	}
	return prefix + strings.Repeat(string(utf8.MaxRune), (maxSortKey-len(prefix))/utf8.UTFMax)
}

// sortKey returns the sort key of an item.
func (l *layout) sortKey(key map[string]core.AV) string {
	text, _ := core.KeyText(l.schema.Sort.Type, key[l.schema.Sort.Name])
	return text
}
