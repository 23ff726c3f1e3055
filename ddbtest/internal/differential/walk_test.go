package differential

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// walk is a scan in pages with other operations between them. Engines scan in different orders, so
// only the complete results are compared: items that were not written meanwhile must be found
// exactly once.
type walk struct {
	op      operation
	a, b    progress
	touched map[string]bool // keys written since it began
}

// progress is the state of one side of a walk.
type progress struct {
	page *page
	done bool
}

// scan reads a whole table or index: at once, in segments, or in the pages of a walk.
func (r *run) scan(ctx context.Context, op operation, in *dynamodb.ScanInput) ([]difference, error) {
	switch op.form {
	case firstPage:
		r.walks[op.slot] = &walk{op: op, touched: map[string]bool{}}
		return r.advance(ctx, op)
	case nextPage:
		if r.walks[op.slot] == nil {
			return nil, nil
		}
		r.coverage["page resumed"]++
		return r.advance(ctx, op)
	case allSegments:
		return r.segments(ctx, op, in)
	default:
		a, b := r.a.all(ctx, in), r.b.all(ctx, in)
		if err := r.record(op, a); err != nil {
			return nil, err
		}
		return r.unexplained(op, a, b, append(compare(a, b), r.compareScans(a, b)...)), nil
	}
}

// compareScans compares two complete scans.
func (r *run) compareScans(a, b outcome) []difference {
	if a.page == nil || b.page == nil {
		return nil
	}
	differences := compareLists("Items", r.a.sorted(a.page.items), r.b.sorted(b.page.items))
	differences = append(differences, compareNumbers("Count", a.page.count, b.page.count)...)
	return append(differences, compareNumbers("ScannedCount", a.page.scanned, b.page.scanned)...)
}

// segments scans all segments to their ends.
func (r *run) segments(ctx context.Context, op operation, in *dynamodb.ScanInput) ([]difference, error) {
	whole := [2]outcome{}
	for i, s := range []*side{r.a, r.b} {
		whole[i] = outcome{page: &page{}}
		for segment := range aws.ToInt32(in.TotalSegments) {
			part := *in
			part.Segment = aws.Int32(segment)
			got := s.all(ctx, &part)
			if got.failed() {
				whole[i] = got
				break
			}
			whole[i].page = joined(whole[i].page, got.page)
		}
	}
	a, b := whole[0], whole[1]
	if err := r.record(op, a); err != nil {
		return nil, err
	}
	return r.unexplained(op, a, b, append(compare(a, b), r.compareScans(a, b)...)), nil
}

// advance reads the next page of a walk on both sides. It compares the results when both are
// complete.
func (r *run) advance(ctx context.Context, op operation) ([]difference, error) {
	w := r.walks[op.slot]
	both := !w.a.done && !w.b.done
	a, b := w.a.advance(ctx, r.a, op), w.b.advance(ctx, r.b, op)
	if err := r.record(op, a); err != nil {
		return nil, err
	}
	if a.failed() || b.failed() {
		delete(r.walks, op.slot)
		// The index was deleted after one side was complete.
		if !both {
			return nil, nil
		}
		return r.unexplained(op, a, b, compare(a, b)), nil
	}
	r.a.cursors[op.slot] = a.page.last
	if !w.a.done || !w.b.done {
		return nil, nil
	}
	delete(r.walks, op.slot)
	return r.compareWalk(w), nil
}

// advance reads the next page of one side.
func (p *progress) advance(ctx context.Context, s *side, op operation) outcome {
	if p.done {
		return outcome{page: &page{}}
	}
	var start item
	if p.page != nil {
		start = p.page.last
	}
	got := s.read(ctx, op, start)
	if got.failed() {
		return got
	}
	if p.page == nil {
		p.page = &page{}
	}
	p.page = joined(p.page, got.page)
	p.done = got.page.last == nil
	return got
}

// compareWalk compares the results of both sides, without the items that were written meanwhile.
func (r *run) compareWalk(w *walk) []difference {
	in, ok := w.op.input.(*dynamodb.ScanInput)
	if !ok {
		return nil
	}
	a, b := *w.a.page, *w.b.page
	a.items, b.items = r.unchangedItems(w, in, a.items), r.unchangedItems(w, in, b.items)
	differences := compareLists("Items of all pages", r.a.sorted(a.items), r.b.sorted(b.items))
	if len(w.touched) == 0 {
		differences = append(differences, compareNumbers("Count of all pages", a.count, b.count)...)
		differences = append(differences, compareNumbers("ScannedCount of all pages", a.scanned, b.scanned)...)
	}
	return differences
}

func (r *run) unchangedItems(w *walk, in *dynamodb.ScanInput, items []item) []item {
	if in.Select == types.SelectCount {
		return nil
	}
	table := aws.ToString(in.TableName)
	return slices.DeleteFunc(slices.Clone(items), func(it item) bool { return w.touched[r.itemID(table, it)] })
}

// itemID identifies an item among the items of all tables.
func (r *run) itemID(table string, it item) string {
	return table + showPlain(pickMembers(it, r.table(table).names()))
}

// markWritten records the items that a request may have written, for the active walks.
func (r *run) markWritten(input any) {
	if len(r.walks) == 0 {
		return
	}
	for table, items := range written(input) {
		for _, it := range items {
			for _, w := range r.walks {
				w.touched[r.itemID(table, it)] = true
			}
		}
	}
}

// endWalks completes all walks.
func (r *run) endWalks(ctx context.Context) ([]difference, error) {
	for _, slot := range slices.Sorted(maps.Keys(r.walks)) {
		for r.walks[slot] != nil {
			if differences, err := r.advance(ctx, r.walks[slot].op); err != nil || len(differences) > 0 {
				return differences, err
			}
		}
	}
	return nil, nil
}

// endWalksOf abandons the walks of a table whose indexes change, because a new index may have the
// same name.
func (r *run) endWalksOf(table string) {
	maps.DeleteFunc(r.walks, func(_ int, w *walk) bool {
		in, ok := w.op.input.(*dynamodb.ScanInput)
		return ok && aws.ToString(in.TableName) == table
	})
}

// written returns the items or keys that a request writes, by table.
func written(input any) map[string][]item {
	all := map[string][]item{}
	add := func(table *string, it item) { all[aws.ToString(table)] = append(all[aws.ToString(table)], it) }
	switch in := input.(type) {
	case *dynamodb.PutItemInput:
		add(in.TableName, in.Item)
	case *dynamodb.UpdateItemInput:
		add(in.TableName, in.Key)
	case *dynamodb.DeleteItemInput:
		add(in.TableName, in.Key)
	case *dynamodb.BatchWriteItemInput:
		for table, requests := range in.RequestItems {
			for _, request := range requests {
				if request.PutRequest != nil {
					add(&table, request.PutRequest.Item)
				}
				if request.DeleteRequest != nil {
					add(&table, request.DeleteRequest.Key)
				}
			}
		}
	case *dynamodb.TransactWriteItemsInput:
		for _, action := range in.TransactItems {
			switch {
			case action.Put != nil:
				add(action.Put.TableName, action.Put.Item)
			case action.Update != nil:
				add(action.Update.TableName, action.Update.Key)
			case action.Delete != nil:
				add(action.Delete.TableName, action.Delete.Key)
			}
		}
	}
	return all
}
