package repo

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/tenancy"
	"github.com/trestledb/trestle/internal/write"
)

const transaction = "transaction"

// Transaction is writes that are applied together or not at all. It is immutable.
type Transaction struct {
	ops   []*Op
	token *string // nil: none
}

// NewTransaction returns a transaction of operations.
func NewTransaction(ops []*Op) *Transaction { return &Transaction{ops: ops} }

// value returns the transaction; for nil, one without operations.
func (t *Transaction) value() Transaction {
	if t == nil {
		return Transaction{}
	}
	return *t
}

// Once returns the transaction bound to an idempotency token.
func (t *Transaction) Once(token string) *Transaction {
	return &Transaction{ops: t.value().ops, token: &token}
}

// joined is a planned transaction.
type joined struct {
	op.Operation
	config exec.Config
	parts  []planned
	reads  []int // for each operation, the index of its first read
	slots  []int // for each operation, the index of its first slot
}

// Do sends the transaction. It stamps the entities of the caller only if the transaction was
// applied.
func (t *Transaction) Do(ctx context.Context, res Result) error {
	own := t.value()
	j, err := own.plan(true)
	if err != nil || len(own.ops) == 0 {
		return err
	}
	if err := own.prepare(ctx, j); err != nil {
		return err
	}
	err = exec.Do(ctx, &j.config, &j.Operation, func(reply op.Reply) error {
		*res.Capacity, *res.Attempts = reply.Capacity, reply.Attempts
		return nil
	})
	if err != nil {
		return err
	}
	for i, o := range own.ops {
		if !verbs[o.verb].stores {
			continue
		}
		if bad := j.parts[i].stamps.Apply(codec.PtrTo(o.entity)); bad != nil {
			return &trestle.OpError{Op: transaction, Table: j.config.Table, Outcome: trestle.Applied, Attempts: *res.Attempts, Err: errs.Undecodable(bad)}
		}
	}
	return nil
}

// prepare prepares the operations. If one fails and the transaction has a token, an earlier call
// may have been applied: the error is then that of its plan.
func (t *Transaction) prepare(ctx context.Context, j *joined) error {
	for i, o := range t.ops {
		err := j.unprepared(i, o.prepare(ctx))
		if err == nil {
			continue
		}
		if j.Token == "" {
			return err
		}
		j.Actions, j.PreRead = nil, &op.PreRead{Plan: func([]op.Item) ([]op.Action, error) { return nil, err }}
		return nil
	}
	return nil
}

// unprepared returns the error of the transaction if an operation failed before it was sent.
func (j *joined) unprepared(operation int, err error) error {
	var e *trestle.OpError
	if !errors.As(err, &e) {
		return err
	}
	canceled := &trestle.CanceledError{Failures: []trestle.Failure{{Operation: operation, Err: e}}}
	return &trestle.OpError{Op: transaction, Table: j.config.Table, Outcome: e.Outcome, Attempts: e.Attempts, Err: canceled}
}

// Input returns the SDK input of the transaction.
func (t *Transaction) Input() (*dynamodb.TransactWriteItemsInput, error) {
	own := t.value()
	j, err := own.plan(false)
	if err != nil {
		return nil, err
	}
	if j.PreRead != nil {
		return nil, invalidTransaction(trestle.NotApplied, &j.config, errReadsFirst)
	}
	return op.TransactWriteInput(j.Actions, j.config.Table, j.Token), nil
}

// plan plans all operations and joins them. It reports the problems of all of them.
func (t *Transaction) plan(readFirst bool) (*joined, error) {
	j := &joined{Operation: op.Operation{Name: transaction}}
	var wrong errs.Problems
	if t.token != nil {
		j.Token = *t.token
		wrong.AddErr("", checkToken(j.Token))
	}
	times := map[*core.Schema]time.Time{}
	var first *exec.Config
	readsFirst := false
	for i, o := range t.ops {
		own := o.value()
		p, err := own.planMember(&first, times, planOptions{sends: readFirst, readFirst: readFirst, transaction: true, token: j.Token, member: i})
		wrong.AddAt(op.Place(i), err)
		j.parts = append(j.parts, p)
		readsFirst = readsFirst || p.PreRead != nil
	}
	if len(wrong) > 0 || readsFirst {
		wrong.AddErr("", op.CheckTransaction(j.known(t.ops), len(t.ops), ""))
	}
	if err := wrong.Err(); err != nil {
		return nil, invalidTransaction(trestle.NotApplied, first, err)
	}
	if len(t.ops) == 0 {
		return j, nil
	}
	j.Token = first.Tenant.Token(j.Token)
	j.join(t.ops, first)
	if j.PreRead == nil {
		var err error
		if j.Actions, err = j.combine(j.Actions); err != nil {
			return nil, invalidTransaction(trestle.NotApplied, &j.config, err)
		}
	}
	return j, nil
}

// planMember plans an operation as a part of a transaction. first is the configuration of the first
// operation, and times are the times of the transaction by schema; both are set if they are empty.
func (o *Op) planMember(first **exec.Config, times map[*core.Schema]time.Time, options planOptions) (planned, error) {
	if o.verb == 0 {
		return planned{}, errNoOperation
	}
	var wrong errs.Problems
	if o.token != nil {
		wrong.AddErr("", errTxToken)
	}
	if o.returns != nil {
		wrong.AddErr("", errTxReturn)
	}
	if o.verb == Get {
		wrong.AddErr("", errTxGet)
	}
	if err := o.repo.ready(); err != nil {
		wrong.AddErr("", err)
		return planned{}, wrong.Err()
	}
	view := o.repo.view
	if *first == nil {
		*first = &view.Exec
	}
	if !view.Exec.SameClient(*first) {
		wrong.AddErr("", errTxClient)
	}
	if !view.Exec.Tenant.Same((*first).Tenant) {
		wrong.AddErr("", tenancy.ErrMixed)
	}
	if _, known := times[view.Schema]; !known {
		times[view.Schema] = view.now()
	}
	own := *o
	own.token, own.returns = nil, nil
	options.readFirst, options.now = options.readFirst && view.ReadFirst, times[view.Schema]
	p, err := own.compile(options)
	wrong.AddErr("", err)
	if err := wrong.Err(); err != nil {
		return planned{}, err
	}
	return p, nil
}

// known returns the actions that are known before anything is read: those of the valid operations
// that read nothing, and the reads of the others. It omits changes of counts, which can become a
// part of other actions.
func (j *joined) known(ops []*Op) (actions []op.Action) {
	for i := range j.parts {
		own := j.parts[i].Actions
		switch pre := j.parts[i].PreRead; {
		case pre == nil:
		case ops[i].add.Subject != nil:
			own = []op.Action{{Verb: op.Check, Plan: j.parts[i].Plan, Key: ops[i].add.Subject}}
		default:
			own = pre.Reads
		}
		for _, a := range own {
			if a.Count == nil {
				a.Member, a.Table = i, ops[i].repo.view.Exec.Table
				actions = append(actions, a)
			}
		}
	}
	return actions
}

// join sets the operation that is made of all parts. It has a PreRead if any part has one.
func (j *joined) join(ops []*Op, first *exec.Config) {
	j.config = *first
	var reads []op.Action
	slots, preRead := 0, false
	for i := range j.parts {
		p := &j.parts[i]
		table := ops[i].repo.view.Exec.Table
		if table != first.Table {
			j.config.Table = "" // there are several
		}
		j.Members = append(j.Members, op.Member{Name: p.Name, Plan: p.Plan, Table: table, Key: p.key(), Subject: ops[i].value().add.Subject})
		j.reads, j.slots = append(j.reads, len(reads)), append(j.slots, slots)
		if p.PreRead != nil {
			preRead = true
			slots += p.PreRead.Slots
			for _, read := range p.PreRead.Reads {
				read.Table, read.Member = table, i
				reads = append(reads, read)
			}
		}
	}
	if !preRead {
		for i := range j.parts {
			j.Actions = j.add(j.Actions, i, j.parts[i].Actions)
		}
		return
	}
	for i := range j.slots {
		j.slots[i] += len(reads)
	}
	j.PreRead = &op.PreRead{Reads: reads, Slots: slots, Plan: j.planAfterReads, Again: j.again}
}

// key returns the key of the item of an operation, or nil if it is not known before the plan.
func (p *planned) key() op.Item {
	actions := p.Actions
	if p.PreRead != nil {
		actions = p.PreRead.Reads
	}
	if len(actions) == 0 {
		return nil
	}
	act := &actions[0]
	if act.Key != nil {
		return act.Key
	}
	return act.Plan.Schema.KeyOf(act.KeyRow())
}

// add appends the actions of a part.
func (j *joined) add(all []op.Action, part int, actions []op.Action) []op.Action {
	reads := 0 // of the part
	if p := j.parts[part].PreRead; p != nil {
		reads = len(p.Reads)
	}
	all = slices.Grow(all, len(actions)+len(j.parts)-part-1) // at least one action of each further part
	for _, a := range actions {
		a.Member, a.Table = part, j.Members[part].Table
		a.Clauses = slices.Clone(a.Clauses)
		for i := range a.Clauses {
			if l := &a.Clauses[i]; l.Read < reads {
				l.Read += j.reads[part]
			} else {
				l.Read += j.slots[part] - reads
			}
		}
		all = append(all, a)
	}
	return all
}

// storedOf returns the items of a part that has a PreRead.
func (j *joined) storedOf(part int, stored []op.Item) []op.Item {
	p, reads, slots := j.parts[part].PreRead, j.reads[part], j.slots[part]
	return slices.Concat(stored[reads:reads+len(p.Reads)], stored[slots:slots+p.Slots])
}

// again does what the parts need before they are planned again.
func (j *joined) again(ctx context.Context, stored []op.Item) error {
	for i := range j.parts {
		pre := j.parts[i].PreRead
		if pre == nil || pre.Again == nil {
			continue
		}
		if err := pre.Again(ctx, j.storedOf(i, stored)); err != nil {
			return op.MemberErrors{{Member: i, Err: err}}
		}
	}
	return nil
}

// planAfterReads plans the actions of all parts from the items that were read.
func (j *joined) planAfterReads(stored []op.Item) ([]op.Action, error) {
	var all []op.Action
	var wrong op.MemberErrors
	for i := range j.parts {
		p := &j.parts[i]
		actions := p.Actions
		if p.PreRead != nil {
			planned, err := p.PreRead.Plan(j.storedOf(i, stored))
			if err != nil {
				wrong = append(wrong, op.MemberError{Member: i, Err: err})
				continue
			}
			actions = planned
		}
		all = j.add(all, i, actions)
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return j.combine(all)
}

// combine combines the actions on one item where that is possible, and checks the limits of the
// transaction.
func (j *joined) combine(actions []op.Action) ([]op.Action, error) {
	actions, err := write.Combine(actions, j.config.Table)
	if err != nil {
		return nil, err
	}
	return actions, op.CheckTransaction(actions, len(j.parts), j.config.Table)
}

// invalidTransaction returns the error of a transaction that sends nothing; nil stays nil.
func invalidTransaction(outcome trestle.Outcome, c *exec.Config, err error) error {
	if err == nil {
		return nil
	}
	e := &trestle.OpError{Op: transaction, Outcome: outcome}
	e.Kind, e.Err = errs.Classify(err)
	if c != nil {
		e.Table = c.Table
	}
	return e
}
