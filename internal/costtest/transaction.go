package costtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// Check expects a condition check, which is sent as a transaction.
func Check[T any](r *entity.Repo[T], example T, conds ...attr.Cond[T]) Call {
	return written(checkItem, r, example, r.Op().Check(example, conds...))
}

// Move expects a move of an item to another key. Like every call of a write it can be a part of a
// [Transaction].
func Move[T any](r *entity.Repo[T], from T, to *T) Call {
	o := tx.Move(r, from, to)
	c, err := keyOf(r.Type(), from, func(a trestle.Assumption) (trestle.Explanation, error) { return o.Explain(a) })
	return Call{write{byKey: c, op: deleteItem, moves: true, operation: o}, err}
}

// Transaction expects one transaction of all calls: of writes, or of calls of [Get]. An operation
// with a token is a transaction of one write. A transaction that reads a single item is a strongly
// consistent GetItem.
//
// The transaction must have these writes, by operation and key, and as many other actions as their
// explanations list, such as guards of unique values. DynamoDB Local does not report the units of
// all actions, so the costs of transactions cannot be compared there.
func Transaction(calls ...Call) Call {
	var t transaction
	var wrong []error
	for _, c := range calls {
		wrong = append(wrong, c.err)
		switch k := c.kind.(type) {
		case write:
			t.writes = append(t.writes, k)
		case get:
			t.reads = append(t.reads, k)
		default:
			wrong = append(wrong, errors.New("a transaction takes calls of writes, or calls of costtest.Get"))
		}
	}
	if len(calls) == 0 || len(t.writes) > 0 && len(t.reads) > 0 {
		wrong = append(wrong, errors.New("a transaction writes or reads"))
	}
	t.explain = t.explainWrites
	return Call{t, errors.Join(wrong...)}
}

// transaction is a transaction of writes or of reads.
type transaction struct {
	writes  []write
	explain func([]trestle.Assumption) (trestle.TransactionExplanation, error) // of writes
	reads   []get
}

// single returns the transaction of one write that the library sends as a transaction.
func single(w write) transaction {
	return transaction{writes: []write{w}, explain: func(a []trestle.Assumption) (trestle.TransactionExplanation, error) {
		x, err := w.explain(a[0])
		return trestle.TransactionExplanation{Writes: true, Operations: []trestle.Explanation{x}, Actions: 1 + len(x.Also), Units: x.Units}, err
	}}
}

// explainWrites explains writes that are sent together.
func (t transaction) explainWrites(a []trestle.Assumption) (trestle.TransactionExplanation, error) {
	ops := make([]entity.Operation, len(t.writes))
	for i, w := range t.writes {
		ops[i] = w.operation
	}
	return tx.NewWrite(ops...).Explain(a...)
}

func (t transaction) match(l *openRequests) error {
	if len(t.reads) > 0 {
		return t.matchReads(l)
	}
	return t.matchWrites(l)
}

func (t transaction) matchReads(l *openRequests) error {
	var wanted []target
	units, tolerance, what := 0.0, 0.0, "a transaction that reads:"
	var distinct []get
	for _, g := range t.reads {
		x, at, err := g.target()
		if err != nil {
			return err
		}
		at.strong = false
		if !slices.ContainsFunc(wanted, at.equal) { // a repeated item is read once
			wanted, distinct = append(wanted, at), append(distinct, g)
			what += " " + x.String()
		}
	}
	op, factor := transactGetItems, 2.0
	if len(wanted) == 1 {
		op, factor, wanted[0].strong = getItem, 1, true
	}
	sent := l.take(1, func(r *request) bool { return r.op == op && sameTargets(r.targets, wanted) })
	if len(sent) == 0 {
		return fmt.Errorf("not sent: %s", what)
	}
	for i, g := range distinct {
		at := slices.IndexFunc(sent[0].targets, wanted[i].equal)
		x, slack, err := g.explainSize(sent[0].targets[at].size)
		if err != nil {
			return err
		}
		if !x.Strong {
			x.Units.Read, slack = 2*x.Units.Read, 2*slack
		}
		units, tolerance = units+factor*x.Units.Read, tolerance+factor*slack
	}
	return compare(what, "read", units, tolerance, sent)
}

// sameTargets reports whether two lists have the same targets, in any order.
func sameTargets(a, b []target) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(t target) bool { return !slices.ContainsFunc(b, t.equal) })
}

func (t transaction) matchWrites(l *openRequests) error {
	x, err := t.explain(make([]trestle.Assumption, len(t.writes)))
	if err != nil {
		return err
	}
	what := x.String()
	places := make([]target, len(t.writes))
	var reads []target
	for i, w := range t.writes {
		at := target{table: x.Operations[i].Table, key: w.key}
		places[i], at.strong = at, true
		for range readsOf(x.Operations[i]) {
			reads = append(reads, at)
		}
	}
	var found []*request // the actions of the writes
	sent := l.take(1, func(r *request) (is bool) {
		found, is = t.actionsOf(r, places, x.Actions)
		return is
	})
	if len(sent) == 0 {
		return fmt.Errorf("not sent: %s", what)
	}
	var gets []*request
	for _, at := range reads {
		gets = append(gets, l.take(1, func(r *request) bool { return r.op == getItem && r.targets[0].equal(at) })...)
	}
	if len(gets) < len(reads) {
		return fmt.Errorf("%d of %d reads of its items were sent: %s", len(gets), len(reads), what)
	}
	var cost trestle.Capacity
	slack := 0.0
	if x, err = t.explain(assumedBy(found)); err != nil {
		return err
	}
	for i, w := range t.writes {
		own := x.Operations[i]
		if w.moves { // Assumed is of the new item, and the action is on the old one
			own.Assumed = found[i].assumed()
			own.Assumed.EntrySize = max(1, own.Assumed.EntrySize)
		}
		expected, less := found[i].expectedInTransaction(own)
		cost.Add(trestle.Capacity{Read: found[i].expectedReads(own), Write: expected})
		slack += less
	}
	if err := compare(what, "read", cost.Read, float64(len(reads)), gets); err != nil {
		return err
	}
	return compare(what, "write", cost.Write-slack/2, slack/2, sent)
}

// assumedBy returns the assumption for each write.
func assumedBy(actions []*request) []trestle.Assumption {
	list := make([]trestle.Assumption, len(actions))
	for i, r := range actions {
		list[i] = r.assumed()
	}
	return list
}

// actionsOf returns the actions of the writes in a request. It returns false if the request does
// not have each of them once and n actions in all.
func (t transaction) actionsOf(r *request, places []target, n int) ([]*request, bool) {
	if r.op != transactWriteItems || len(r.actions) != n {
		return nil, false
	}
	found := make([]*request, len(places))
	for i, at := range places {
		n := slices.IndexFunc(r.actions, func(a *request) bool { return t.writes[i].isSentAs(a.op) && a.targets[0].equal(at) })
		if n < 0 {
			return nil, false
		}
		found[i] = r.actions[n]
	}
	return found, true
}
