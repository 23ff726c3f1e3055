package repo

import (
	"context"
	"io"
	"reflect"
	"slices"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Op is a verb on one item with its arguments, before planning. It is immutable.
type Op struct {
	repo    Repo
	verb    Verb
	entity  any // a pointer to the entity or the example
	from    any // of a move: a pointer to the example of the old item
	conds   []*expr.Cond
	changes []*expr.Change
	returns *trestle.Return // nil: the default of the verb
	token   *string         // nil: none
	add     Addition        // of an Add, which has no entity
}

// Addition is an operation of another package.
type Addition struct {
	// Plan plans the operation. sends reports whether it is sent afterwards; otherwise it has no
	// PreRead.
	Plan func(sends bool) (op.Operation, error)
	// Prepare is called after Plan, before the operation is sent. It may read and write other
	// items. The plan of a PreRead, which need not read anything, can depend on what it does. Nil:
	// nothing is to be done.
	Prepare func(context.Context) error
	// Subject is the key of an item. A transaction has at most one addition for it. Nil: none.
	Subject op.Item
}

// Op returns an operation on an entity or an example, with conditions.
func (r *Repo) Op(verb Verb, entity any, conds []*expr.Cond) *Op {
	return &Op{repo: r.parts(), verb: verb, entity: entity, conds: conds}
}

// ChangingOp returns an update or an upsert.
func (r *Repo) ChangingOp(verb Verb, example any, changes []*expr.Change) *Op {
	return &Op{repo: r.parts(), verb: verb, entity: example, changes: changes}
}

// AddOp returns an operation of another package.
func (r *Repo) AddOp(a Addition) *Op { return &Op{repo: r.parts(), verb: Add, add: a} }

// prepare does what must be done before the operation is sent.
func (o *Op) prepare(ctx context.Context) error {
	if o.value().add.Prepare == nil {
		return nil
	}
	return o.add.Prepare(ctx)
}

// MoveOp returns an operation that replaces the item of an example by an entity with another key.
func (r *Repo) MoveOp(from, entity any, conds []*expr.Cond) *Op {
	o := r.Op(Move, entity, conds)
	o.from = from
	return o
}

// value returns the operation. For nil and for an Op that no repository made, it has no table.
func (o *Op) value() Op {
	if o == nil {
		return Op{}
	}
	return *o
}

// Return returns the operation with another part of the item to return.
func (o *Op) Return(what trestle.Return) *Op {
	own := o.value()
	own.returns = &what
	return &own
}

// Once returns the operation bound to an idempotency token.
func (o *Op) Once(token string) *Op {
	own := o.value()
	own.token = &token
	return &own
}

// maxToken is the maximum length of a token.
const maxToken = 36

func checkToken(token string) error {
	if token == "" || len(token) > maxToken {
		return errTokenSize
	}
	return nil
}

// check reports what the caller requested of the verb that it cannot do.
func (o *Op) check() error {
	var wrong errs.Problems
	if o.token != nil {
		if o.verb == Get {
			wrong.AddErr("", errTokenRead)
		} else {
			wrong.AddErr("", checkToken(*o.token))
		}
	}
	if o.returns != nil {
		can := verbs[o.verb].returns
		switch what := *o.returns; {
		case what < trestle.AllOld || what > trestle.UpdatedNew:
			wrong.AddErr("", errBadReturn)
		case len(can) == 0:
			wrong.AddErr("", errNoReturn)
		case !slices.Contains(can, what):
			wrong.AddErr("", errOldOnly)
		case o.token != nil:
			wrong.AddErr("", errTxReturn)
		case what != trestle.AllNew && (o.repo.typ.Plan.Companions() || o.verb == Upsert && o.repo.typ.Plan.Moved()):
			wrong.AddErr("", errGuardedReturn)
		}
	}
	return wrong.Err()
}

// returned returns the part of the item to return.
func (o *Op) returned() trestle.Return {
	switch {
	case o.returns != nil:
		return *o.returns
	case o.token == nil && (o.verb == Update || o.verb == Upsert):
		return trestle.AllNew
	default:
		return op.Nothing
	}
}

// Input returns the SDK input of the operation.
func (o *Op) Input() (trestle.Input, error) {
	own := o.value()
	p, err := own.plan(planOptions{})
	if err != nil {
		return trestle.Input{}, err
	}
	if p.PreRead != nil {
		return trestle.Input{}, own.invalid(errReadsFirst)
	}
	act, table := &p.Actions[0], own.repo.view.Exec.Table
	if op.Transacted(p.Actions, p.Token) {
		return trestle.Input{Transaction: op.TransactWriteInput(p.Actions, table, p.Token)}, nil
	}
	switch act.Verb {
	case op.Put:
		return trestle.Input{Put: act.PutItemInput(table)}, nil
	case op.Update:
		return trestle.Input{Update: act.UpdateItemInput(table)}, nil
	case op.Delete:
		return trestle.Input{Delete: act.DeleteItemInput(table)}, nil
	default:
		return trestle.Input{Get: act.GetItemInput(table)}, nil
	}
}

func (o *Op) invalid(err error) error { return o.repo.invalid(o.verb.String(), o.verb.unsent(), err) }

// planned is an operation that can be sent, with the stamps for the entity after the write is
// applied.
type planned struct {
	op.Operation
	stamps write.Stamps
}

// planOptions are the options of a plan.
type planOptions struct {
	sends       bool      // the operation is sent afterwards
	readFirst   bool      // the item may be read first
	random      io.Reader // the source of the write ID; nil: the write stores none
	now         time.Time // the time of timestamps; zero: that of the view
	transaction bool      // the operation is a part of a transaction, which returns no item
	token       string    // of the write or of its transaction; empty: none
	member      int       // the index of the operation in its transaction
}

// options returns the options of a plan to send. A write with a token has no write ID: a repetition
// of the write must be the same request.
func (o *Op) options() planOptions {
	view := o.repo.view
	if view == nil {
		return planOptions{}
	}
	options := planOptions{sends: true, readFirst: view.ReadFirst}
	if o.token == nil {
		options.random = view.Exec.Random // not nil, although the pointer may be
	} else {
		options.token = *o.token
	}
	return options
}

// plan compiles the operation.
func (o *Op) plan(options planOptions) (planned, error) {
	p, err := o.compile(options)
	return p, o.invalid(err)
}

func (o *Op) compile(options planOptions) (p planned, err error) {
	if err := o.repo.ready(); err != nil {
		return p, err
	}
	if err := o.check(); err != nil {
		return p, err
	}
	if o.verb == Add {
		p.Operation, err = o.add.Plan(options.sends)
		return o.complete(p, options, err)
	}
	at := reflect.ValueOf(o.entity)
	if at.IsNil() {
		return p, errNil
	}
	plan, view := o.repo.typ.Plan, o.repo.view
	entity, err := view.Exec.Tenant.Bind(plan, at.Elem())
	if err != nil {
		return p, err
	}
	example := codec.PtrOf(entity)
	now, ret := options.now, o.returned()
	if now.IsZero() {
		now = view.now()
	}
	if options.transaction {
		ret = op.Nothing
	}
	expiry := view.expiryAt(now)
	switch o.verb {
	case Create, Put, Overwrite, Move:
		args := write.PutArgs{
			Plan: plan, Entity: codec.PtrOf(copied(plan, entity)), Conds: o.conds, Now: now, Random: options.random, Expiry: expiry,
			Shard: shardChoice(view.Exec.Random, options.token, options.member), Return: ret,
			JSON: options.sends && view.Exec.JSON && !view.Exec.AttributeValues,
		}
		if o.verb == Move {
			p.Operation, p.stamps, err = o.move(args)
		} else {
			p.Operation, p.stamps, err = puts[o.verb](args)
		}
		example = args.Entity // with its stamps
		if view.Exec.Tenant != nil {
			p.stamps.AddTenant()
		}
	case Update, Upsert:
		p.Operation, err = write.Update(write.UpdateArgs{
			Plan: plan, Example: example, Changes: o.changes, Upsert: o.verb == Upsert,
			ReadFirst: options.readFirst, AsRead: view.AsRead, Recounts: view.Recounts, Now: now, Random: options.random, Return: ret,
			Expiry: expiry,
		})
	case Delete:
		p.Operation, err = write.Delete(plan, example, o.conds, ret, expiry)
	case Check:
		p.Operation, err = write.Check(plan, example, o.conds, expiry)
	default:
		p.Operation, err = view.get(plan, example)
	}
	if err == nil && plan.Moved() {
		err = o.locate(&p, example, ret, expiry)
	}
	return o.complete(p, options, err)
}

// get plans a get.
func (v *View) get(p *core.Plan, example codec.Ptr) (op.Operation, error) {
	key, ok := core.NewTableKeys(p, 1).Render(example)
	if !ok {
		return write.Get(p, example, v.Strong)
	}
	act := op.Action{Verb: op.Get, Plan: p, Key: key, Strong: v.Strong, Idempotent: true}
	return op.Operation{Name: Get.String(), Plan: p, Actions: []op.Action{act}}, nil
}

// move plans a move.
func (o *Op) move(args write.PutArgs) (op.Operation, write.Stamps, error) {
	from, err := o.repo.view.Exec.Tenant.BindPtr(args.Plan, o.from)
	if err != nil {
		return op.Operation{}, write.Stamps{}, err
	}
	return write.Move(args, from)
}

// complete adds the token to a planned operation, and makes it ready to send if it is not a part of
// a transaction.
func (o *Op) complete(p planned, options planOptions, err error) (planned, error) {
	if o.token != nil {
		p.Token = o.repo.view.Exec.Tenant.Token(*o.token)
	}
	if err == nil && !options.transaction {
		err = p.combine(o.repo.view.Exec.Table)
	}
	return p, err
}

// combine makes the actions of an operation on its own ready to send.
func (p *planned) combine(table string) (err error) {
	if p.PreRead == nil {
		p.Actions, err = write.Combine(p.Actions, table)
		return err
	}
	own := *p.PreRead
	plan := own.Plan
	own.Plan = func(stored []op.Item) ([]op.Action, error) {
		actions, err := plan(stored)
		if err != nil {
			return nil, err
		}
		return write.Combine(actions, table)
	}
	p.PreRead = &own
	return nil
}

var puts = map[Verb]func(write.PutArgs) (op.Operation, write.Stamps, error){
	Create: write.Create, Put: write.Put, Overwrite: write.Overwrite,
}

// Result has pointers to the results of an operation; nil for unwanted results.
type Result struct {
	Item     any // a pointer to a zero entity
	Found    *bool
	Capacity *trestle.Capacity
	Attempts *int
}

// Do sends the operation. It stamps the caller's entity only if the write was applied.
func (o *Op) Do(ctx context.Context, res Result) error {
	if o == nil {
		o = new(Op)
	}
	p, err := o.plan(o.options())
	if err == nil {
		err = o.prepare(ctx)
	}
	if err != nil {
		return err
	}
	attempts := 0
	config := &o.repo.view.Exec
	err = exec.Do(ctx, config, &p.Operation, func(reply op.Reply) error {
		attempts = reply.Attempts
		return res.take(p.Plan, o, reply)
	})
	// A write may be applied although its reply cannot be decoded, which is also an error.
	if !verbs[o.verb].stores || trestle.OutcomeOf(err) != trestle.Applied {
		return err
	}
	if bad := p.stamps.Apply(codec.PtrTo(o.entity)); bad != nil && err == nil {
		err = &trestle.OpError{
			Op: o.verb.String(), Entity: p.Plan.Name, Table: config.Table, Outcome: trestle.Applied, Attempts: attempts, Err: errs.Undecodable(bad),
		}
	}
	return err
}

// take decodes the reply to an operation. It takes no item that had expired before the operation.
func (r Result) take(p *core.Plan, o *Op, reply op.Reply) error {
	if r.Capacity != nil {
		*r.Capacity, *r.Attempts = reply.Capacity, reply.Attempts
	}
	row := reply.Rows.First()
	switch {
	case o.verb == Get && !o.repo.view.sees(p, row):
		return errs.NotFound
	case row.Empty() || r.Item == nil || o.returned() == trestle.AllOld && o.repo.view.expiry(p).Expired(p, row):
		return nil
	}
	if r.Found != nil {
		*r.Found = true
	}
	return decode(p, row, r.Item)
}

// decode decodes an item into a pointer to a zero entity. After an error the entity is zero again.
func decode(p *core.Plan, row core.Row, entity any) error {
	if err := row.Decode(p, codec.PtrTo(entity)); err != nil {
		reflect.ValueOf(entity).Elem().SetZero()
		return errs.Undecodable(err)
	}
	return nil
}
