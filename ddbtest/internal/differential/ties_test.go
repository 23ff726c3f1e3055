package differential

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// reading is a page and its start key.
type reading struct {
	page  *page
	start item
}

// listing is all results of a query on one engine, in the order of that engine.
type listing struct {
	entries  []item            // as in the index
	returned map[string]string // what the query returns after its filter, by table key
}

// compareTies compares two different pages of an index. It returns no differences if three
// conditions hold. Both engines list the same entries. Their orders differ only among equal index
// keys. Each page is a part of its engine's list, starting at the end of the previous page.
func (r *run) compareTies(ctx context.Context, in *dynamodb.QueryInput, a, b reading) ([]difference, error) {
	listA, err := r.list(ctx, r.a, in)
	if err != nil {
		return nil, err
	}
	listB, err := r.list(ctx, r.b, in)
	if err != nil {
		return nil, err
	}
	differences := compareLists("entries of the index, in order of their keys", r.grouped(r.a, in, listA), r.grouped(r.b, in, listB))
	differences = append(differences, r.checkTies(r.a, in, listA, a)...)
	return append(differences, r.checkTies(r.b, in, listB, b)...), nil
}

// isPageOfTies reports whether a page of the reference begins or ends among entries with equal
// index keys.
func (r *run) isPageOfTies(ctx context.Context, in *dynamodb.QueryInput, got reading) (bool, error) {
	l, err := r.list(ctx, r.a, in)
	if err != nil {
		return false, err
	}
	sort := r.indexOf(in).sort
	among := func(i int) bool {
		return i > 0 && i < len(l.entries) && order(sort, l.entries[i-1], l.entries[i]) == 0
	}
	for _, from := range r.starts(in, l, got.start) {
		if among(from) || among(from+got.page.scanned) {
			return true, nil
		}
	}
	return false, nil
}

// list reads all entries of a query's key condition, and all results of the query.
func (r *run) list(ctx context.Context, s *side, in *dynamodb.QueryInput) (listing, error) {
	plain := *in
	plain.Limit, plain.ExclusiveStartKey = nil, nil
	filtered := plain
	plain.FilterExpression, plain.ProjectionExpression, plain.Select = nil, nil, ""
	plain.QueryFilter, plain.AttributesToGet, plain.ConditionalOperator = nil, nil, ""
	if filtered.Select == types.SelectCount {
		filtered.Select = ""
	}
	prune(&plain)
	entries, found := s.all(ctx, &plain), s.all(ctx, &filtered)
	if entries.failed() || found.failed() {
		return listing{}, fmt.Errorf("%s: list an index: %s%s", s.name, entries.message, found.message)
	}
	l := listing{entries: entries.page.items, returned: map[string]string{}}
	for _, it := range found.page.items {
		l.returned[r.identity(in, it)] = s.item(it)
	}
	return l, nil
}

// identity returns the table key of an entry.
func (r *run) identity(in *dynamodb.QueryInput, it item) string {
	return showPlain(pickMembers(it, r.table(aws.ToString(in.TableName)).names()))
}

// grouped formats the entries of a list. Entries with equal keys are grouped and sorted.
func (r *run) grouped(s *side, in *dynamodb.QueryInput, l listing) []string {
	sort := key{sort: r.indexOf(in).sort}.names()
	var groups []string
	for entries := l.entries; len(entries) > 0; {
		n := 1
		for n < len(entries) && showPlain(pickMembers(entries[n], sort)) == showPlain(pickMembers(entries[0], sort)) {
			n++
		}
		groups = append(groups, strings.Join(s.sorted(entries[:n]), " = "))
		entries = entries[n:]
	}
	return groups
}

// checkTies returns a difference unless the page is a part of its engine's list.
func (r *run) checkTies(s *side, in *dynamodb.QueryInput, l listing, got reading) []difference {
	var expected []string
	for _, from := range r.starts(in, l, got.start) {
		want := r.cut(in, l, from)
		if have := r.textOf(s, in, got.page); have != want {
			expected = append(expected, want)
			continue
		}
		return nil
	}
	return []difference{{s.name + ": a page of its own list", strings.Join(expected, "\n    or "), r.textOf(s, in, got.page)}}
}

// starts returns the possible positions of a page in a list: after the start key or, if that item
// is gone, anywhere among equal keys.
func (r *run) starts(in *dynamodb.QueryInput, l listing, start item) []int {
	if start == nil {
		return []int{0}
	}
	sort := r.indexOf(in).sort
	for i, entry := range l.entries {
		if r.identity(in, entry) == r.identity(in, start) && order(sort, entry, start) == 0 {
			return []int{i + 1}
		}
	}
	backward := in.ScanIndexForward != nil && !*in.ScanIndexForward
	var all []int
	for i := 0; i <= len(l.entries); i++ {
		before := i == 0 || follows(backward, order(sort, l.entries[i-1], start))
		after := i == len(l.entries) || follows(backward, -order(sort, l.entries[i], start))
		if before && after {
			all = append(all, i)
		}
	}
	return all
}

// follows reports whether two adjacent entries may have that order, in the direction of the list.
func follows(backward bool, order int) bool {
	if backward {
		return order >= 0
	}
	return order <= 0
}

// order compares two entries by the attributes of a sort key.
func order(sort []attribute, a, b item) int {
	for _, attribute := range sort {
		x, y := a[attribute.name], b[attribute.name]
		switch {
		case less(x, y):
			return -1
		case less(y, x):
			return 1
		}
	}
	return 0
}

// cut formats the page that starts at a position of a list.
func (r *run) cut(in *dynamodb.QueryInput, l listing, from int) string {
	to, last := len(l.entries), "none"
	if in.Limit != nil && from+int(*in.Limit) <= to {
		to = from + int(*in.Limit)
		last = r.identity(in, l.entries[to-1])
	}
	var items []string
	for _, entry := range l.entries[from:to] {
		if text, ok := l.returned[r.identity(in, entry)]; ok {
			items = append(items, text)
		}
	}
	count := len(items)
	if in.Select == types.SelectCount {
		items = nil
	}
	return fmt.Sprint(count, " of ", to-from, ", last ", last, ": ", items)
}

// textOf formats a page.
func (r *run) textOf(s *side, in *dynamodb.QueryInput, p *page) string {
	last := "none"
	if p.last != nil {
		last = r.identity(in, p.last)
	}
	var items []string
	if len(p.items) > 0 {
		items = s.items(p.items)
	}
	return fmt.Sprint(p.count, " of ", p.scanned, ", last ", last, ": ", items)
}

// prune removes unused placeholders of a query.
func prune(in *dynamodb.QueryInput) {
	used := tokens(aws.ToString(in.KeyConditionExpression) + " " + aws.ToString(in.FilterExpression) + " " + aws.ToString(in.ProjectionExpression))
	in.ExpressionAttributeNames = keep(in.ExpressionAttributeNames, used)
	in.ExpressionAttributeValues = keep(in.ExpressionAttributeValues, used)
}

// keep returns the entries of a map whose keys are used, or nil if there are none.
func keep[V any](m map[string]V, used map[string]bool) map[string]V {
	kept := map[string]V{}
	for name, v := range m {
		if used[name] {
			kept[name] = v
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}
