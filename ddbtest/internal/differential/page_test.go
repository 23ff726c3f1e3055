package differential

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// query reads a page on both engines, each from the end of its own previous page.
func (r *run) query(ctx context.Context, op operation, in *dynamodb.QueryInput) ([]difference, error) {
	startA, startB := in.ExclusiveStartKey, in.ExclusiveStartKey
	if op.form == nextPage {
		startA, startB = r.a.cursors[op.slot], r.b.cursors[op.slot]
		if startA == nil { // the read is complete
			return nil, nil
		}
		r.coverage["page resumed"]++
	}
	a, b := r.a.read(ctx, op, startA), r.b.read(ctx, op, startB)
	if err := r.record(op, a); err != nil {
		return nil, err
	}
	if a.failed() || b.failed() {
		return r.unexplained(op, a, b, compare(a, b)), nil
	}
	differences, err := r.comparePages(ctx, op, a, b, startA, startB)
	r.moveTo(op, a.page.last, b.page.last)
	return differences, err
}

// moveTo stores the position of a read. The read is complete if one side is complete: comparePages
// has then checked that the next page of the other is empty.
func (r *run) moveTo(op operation, a, b item) {
	if op.slot == 0 {
		return
	}
	if a == nil || b == nil {
		a, b = nil, nil
	}
	r.a.cursors[op.slot], r.b.cursors[op.slot] = a, b
}

// comparePages compares two pages of a query. They must be equal, or each must be a page in the
// order of its own engine. Orders may differ only among entries with equal index keys.
func (r *run) comparePages(ctx context.Context, op operation, a, b outcome, startA, startB item) ([]difference, error) {
	in, _ := op.input.(*dynamodb.QueryInput)
	differences := r.differ(a, b)
	if len(differences) == 0 {
		return r.compareEqual(ctx, op, in, a, b, startA)
	}
	if in.IndexName != nil {
		tied, err := r.compareTies(ctx, in, reading{a.page, startA}, reading{b.page, startB})
		if err != nil || len(tied) > 0 {
			return append(differences, tied...), err
		}
		r.explained[equalKeys]++
		return nil, nil
	}
	if len(differences) == 1 && differences[0].what == factLast && (a.page.last == nil) != (b.page.last == nil) {
		return r.checkEnd(ctx, op, a, b, differences)
	}
	return differences, nil
}

// compareEqual compares all facts of two pages with equal items. If only the capacity of an index
// differs, it may be because the page begins or ends among entries with equal index keys. The
// engines may then have read different entries, with different sizes.
func (r *run) compareEqual(ctx context.Context, op operation, in *dynamodb.QueryInput, a, b outcome, start item) ([]difference, error) {
	remaining := r.unexplained(op, a, b, compare(a, b))
	ofCapacity := func(d difference) bool { return strings.HasPrefix(d.what, factCapacity) }
	if len(remaining) == 0 || in.IndexName == nil || slices.ContainsFunc(remaining, func(d difference) bool { return !ofCapacity(d) }) {
		return remaining, nil
	}
	cut, err := r.isPageOfTies(ctx, in, reading{a.page, start})
	if err != nil || !cut {
		return remaining, err
	}
	r.explained[equalKeys]++
	return nil, nil
}

// factLast is the name of the fact with the LastEvaluatedKey.
const factLast = "LastEvaluatedKey"

// differ compares two pages item by item.
func (r *run) differ(a, b outcome) []difference {
	differences := compareLists("Items", r.a.items(a.page.items), r.b.items(b.page.items))
	differences = append(differences, compareNumbers("Count", a.page.count, b.page.count)...)
	differences = append(differences, compareNumbers("ScannedCount", a.page.scanned, b.page.scanned)...)
	return append(differences, compareFacts(map[string]string{factLast: r.a.item(a.page.last)}, map[string]string{factLast: r.b.item(b.page.last)})...)
}

// checkEnd handles a page that is the last one on one engine only: the next page of the other must
// be empty.
func (r *run) checkEnd(ctx context.Context, op operation, a, b outcome, differences []difference) ([]difference, error) {
	s, last := r.a, a.page.last
	if last == nil {
		s, last = r.b, b.page.last
	}
	next := s.read(ctx, op, last)
	if next.failed() || next.page.scanned > 0 {
		return differences, nil
	}
	r.explained[exactEnd]++
	return r.unexplained(op, a, b, compare(a, b)), nil
}

// indexOf returns the index of a query. An index that was added by the history has no sort key.
func (r *run) indexOf(in *dynamodb.QueryInput) index {
	name := aws.ToString(in.IndexName)
	for _, x := range r.table(aws.ToString(in.TableName)).indexes {
		if x.name == name {
			return x
		}
	}
	return index{name: name}
}
