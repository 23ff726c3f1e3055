package write

import (
	"io"
	"slices"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// UpdateArgs are the arguments of Update.
type UpdateArgs struct {
	Plan      *core.Plan
	Example   codec.Ptr
	Changes   []*expr.Change
	Upsert    bool        // create the item if it does not exist
	ReadFirst bool        // unknown values may be read
	AsRead    bool        // the example is the item as it was read, including its zeros
	Recounts  bool        // it may set counts if the stored ones are those of the example
	Expiry    core.Expiry // expired items count as none; zero: they exist
	Now       time.Time
	Random    io.Reader // the source of the write ID; nil: the write stores none
	Return    op.Return
}

// Update plans a change of some attributes of an item. It also renders or removes the affected
// index keys. It uses only values that are certain or that a condition checks. If a key member is
// unknown, Update plans to read the item first if ReadFirst is set. Otherwise, it returns an error
// that names the member.
func Update(a UpdateArgs) (op.Operation, error) {
	u, err := newUpdate(a)
	if err != nil {
		return op.Operation{}, err
	}
	p := u.planner(nil)
	actions, err := p.plan()
	if a.ReadFirst && len(p.unknown) > 0 || p.readsFirst {
		read := readBefore(a.Plan, u.key, append(indexMemberAttributes(a.Plan), companionAttributes(a.Plan)...), a.Expiry)
		o := op.Operation{Name: u.name(), Plan: a.Plan, PreRead: &op.PreRead{
			Reads: []op.Action{read}, Slots: slots(a.Plan), Plan: u.planAfterRead, Known: p.knownGuards(),
		}}
		if u.readsAfter() {
			o.After = &op.Action{Verb: op.Get, Plan: a.Plan, Key: u.key, Strong: true, Idempotent: true}
		}
		return o, nil
	}
	if err != nil {
		return op.Operation{}, err
	}
	return op.Operation{Name: u.name(), Plan: a.Plan, Actions: actions}, nil
}

// updateCall is an update call during planning.
type updateCall struct {
	UpdateArgs
	key     op.Item
	changes []*expr.BoundChange
	version int64 // the example's version; 0: not checked
}

func newUpdate(a UpdateArgs) (*updateCall, error) {
	u := &updateCall{UpdateArgs: a}
	var wrong errs.Problems
	var err error
	u.key, err = Key(a.Plan, a.Example)
	wrong.AddErr("", err)
	u.version, err = versionOf(a.Plan, a.Example)
	wrong.AddErr("", err)
	// An example with a version is the item as it was read, unless ReadFirst is set.
	u.AsRead = a.AsRead || u.version != 0 && !a.ReadFirst
	changes := false
	for _, c := range a.Changes {
		changes = changes || c.Verb != expr.If
		b, err := expr.BindChange(c, a.Plan)
		if err != nil {
			wrong.AddErr("", err)
			continue
		}
		u.checkChange(b, &wrong)
		u.changes = append(u.changes, b)
	}
	if !changes {
		wrong.Add("", "the update has no change", "add a change to its conditions")
	}
	return u, wrong.Err()
}

// readsAfter reports whether the new item is read if the write returns nothing, because it is a
// transaction or a put.
func (u *updateCall) readsAfter() bool {
	switch u.Return {
	case trestle.AllNew:
		return u.Plan.Companions() || u.mayCreate() && u.wide()
	case trestle.UpdatedNew:
		return u.mayCreate() && u.wide()
	default:
		return false
	}
}

func (u *updateCall) name() string {
	if u.Upsert {
		return "upsert"
	}
	return "update"
}

// checkChange reports changes that no update may make.
func (u *updateCall) checkChange(b *expr.BoundChange, wrong *errs.Problems) {
	f := b.Field()
	if f == nil {
		return
	}
	if f == u.Plan.TTL {
		checkTTLChange(u.Plan, b, wrong)
	}
	switch {
	case u.Plan.TableMember(f):
		wrong.Add(f.Name, "is part of the table's key, which an update cannot change", "change it with tx.Move, which deletes the item and creates the other one in a transaction")
	case f == u.Plan.Version || f == u.Plan.Updated:
		wrong.Add(f.Name, "is set by the library because of its role", "leave it out of the update")
	case u.Plan.Counts(f) && !u.Recounts:
		wrong.Add(f.Name, "is a count, which only the writes of the counted items change", "leave it out; query.Recount corrects it")
	case f.KeyOnly && !b.Constant():
		wrong.Add(f.Name, "is stored in keys only, so only Set and Remove can change it", "")
	case f.KeyOnly && u.changesField(f):
		wrong.Add(f.Name, "is changed twice in one update", "change it once")
	case b.Verb == expr.Remove && b.Whole() && u.keyMember(f) && f.ZeroIsValue():
		wrong.Add(f.Name, "is part of an index key or of a unique value, and its Go type decodes a removed attribute as zero, which is another value",
			"Set it, or make the field a pointer or omitempty so that it can be absent")
	}
}

// keyMember reports whether index keys or companions are derived from the field's value.
func (u *updateCall) keyMember(f *codec.Field) bool {
	return u.Plan.IndexMember(f) || u.Plan.CompanionMember(f)
}

// changesField reports whether an earlier change affects the field or a part of it.
func (u *updateCall) changesField(f *codec.Field) bool {
	return slices.ContainsFunc(u.changes, func(c *expr.BoundChange) bool { return c.Field() == f })
}
