package costtest

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Create expects a create of the entity that the code under test stores.
func Create[T any](r *entity.Repo[T], e *T) Call {
	return put(r, e, r.Op().Create(e))
}

// Put expects a put of the entity that the code under test stores. For a type with unique values or
// counts, it expects that the item is new, as Explain assumes.
func Put[T any](r *entity.Repo[T], e *T) Call {
	return put(r, e, r.Op().Put(e))
}

// Overwrite expects an overwrite, with the read before it if the type is versioned.
func Overwrite[T any](r *entity.Repo[T], e *T) Call {
	return put(r, e, r.Op().Overwrite(e))
}

// Update expects an update, with the read before it if the repository reads first and this update
// needs it, and the read after it if it is sent as a transaction and returns the item.
func Update[T any](r *entity.Repo[T], example T, change attr.Change[T], more ...attr.Change[T]) Call {
	return written(updateItem, r, example, r.Op().Update(example, change, more...))
}

// Upsert expects an upsert, like [Update].
func Upsert[T any](r *entity.Repo[T], example T, change attr.Change[T], more ...attr.Change[T]) Call {
	return written(updateItem, r, example, r.Op().Upsert(example, change, more...))
}

// Delete expects a delete.
func Delete[T any](r *entity.Repo[T], example T) Call {
	return written(deleteItem, r, example, r.Op().Delete(example))
}

func put[T any](r *entity.Repo[T], e *T, o *entity.Op[T]) Call {
	var example T
	if e != nil {
		example = *e
	}
	return written(putItem, r, example, o)
}

func written[T any](op string, r *entity.Repo[T], example T, o *entity.Op[T]) Call {
	c, err := keyOf(r.Type(), example, func(a trestle.Assumption) (trestle.Explanation, error) { return o.Explain(a) })
	return Call{write{byKey: c, op: op, operation: o}, err}
}

// write is a write of one item.
type write struct {
	byKey
	op        string
	moves     bool // the item of the key is deleted, and another one is put
	operation entity.Operation
}

// isSentAs reports whether a write can be sent as this action of a transaction. A check that also
// changes a count is an update.
func (w write) isSentAs(op string) bool { return op == w.op || w.op == checkItem && op == updateItem }

func (w write) match(l *openRequests) error {
	x, at, err := w.target()
	if err != nil {
		return err
	}
	if x.Transaction {
		return single(w).match(l)
	}
	first := at
	first.strong = true
	before := l.take(readsOf(x), func(r *request) bool { return r.op == getItem && r.targets[0].equal(first) })
	at.strong = false
	sent := l.take(1, func(r *request) bool { return r.op == w.op && r.targets[0].equal(at) })
	if n := len(before) + len(sent); n < readsOf(x)+1 {
		return missing(x, n, readsOf(x)+1)
	}
	if x, err = w.explain(sent[0].assumed()); err != nil {
		return err
	}
	if err := compare(x.String(), "read", sent[0].expectedReads(x), roundingTolerance(x), before); err != nil {
		return err
	}
	units, slack := sent[0].expected(x)
	return compare(x.String(), "write", units-slack/2, slack/2, sent)
}

// readsOf returns the number of reads that a write sends before and after the write itself.
func readsOf(x trestle.Explanation) (n int) {
	for _, reads := range []bool{x.ReadsFirst, x.ReadsAfter} {
		if reads {
			n++
		}
	}
	return n
}
