package write

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// group is the type of the items that count those of a random type.
type group struct {
	ID      string `dynamodbav:"id"`
	Things  int64  `dynamodbav:"things"`
	Note    string `dynamodbav:"note"`
	Version int64  `dynamodbav:"version"`
	Ends    int64  `dynamodbav:"ends,omitempty"`
}

// addUniques adds unique values of one or two fields.
func (d *randomType) addUniques() {
	for chance(d.r, 25) && len(d.spec.Uniques) < 2 {
		var parts []string
		for _, m := range d.members(2) {
			parts = append(parts, m.placeholder(d.r))
		}
		d.spec.Uniques = append(d.spec.Uniques, trestle.UniqueSpec{Name: fmt.Sprint("u", len(d.spec.Uniques)), Key: strings.Join(parts, "#")})
	}
}

// addCount counts the items by a text, if they do not expire.
func (d *randomType) addCount() {
	texts := slices.DeleteFunc(slices.Clone(d.fields), func(p fieldSpec) bool {
		return p.typ != reflect.TypeFor[string]() || d.roles[p.name] != ""
	})
	if len(texts) == 0 || d.config.Partition.Name != "" || d.config.Sort.Name != "" || !chance(d.r, 50) {
		return
	}
	for name, role := range d.roles {
		if role == "ttl" {
			delete(d.roles, name)
		}
	}
	c := trestle.CountedSpec{In: "group", As: "things", PK: "GROUP#<" + pick(d.r, texts).name + ">"}
	if !d.config.NoSort {
		c.SK = "GROUP"
	}
	d.spec.Counted = append(d.spec.Counted, c)
}

// groupSpec returns the declaration of the type that counts.
func (d *randomType) groupSpec() *trestle.Spec {
	spec := &trestle.Spec{Type: "group", Key: trestle.KeySpec{PK: "GROUP#<id>", SK: d.spec.Counted[0].SK}, Roles: map[string]string{}}
	if chance(d.r, 50) {
		spec.Roles["version"] = "version"
	}
	if chance(d.r, 50) {
		spec.Roles["ends"] = "ttl"
	}
	return spec
}

// groupPart returns a random operation on an item that counts, or none if planning fails.
func (sim *simulation) groupPart() (part, bool) {
	o := group{ID: pick(sim.r, sampleTexts)}
	key, err := Key(sim.groups, codec.PtrOf(reflect.ValueOf(&o).Elem()))
	if err != nil {
		return part{}, false
	}
	stored := sim.store.get(key)
	if stored != nil && chance(sim.r, 80) { // as it was read
		if sim.groups.Decode(stored, codec.PtrOf(reflect.ValueOf(&o).Elem())) != nil {
			return part{}, false
		}
	}
	example := o
	o.Note = fmt.Sprint("note ", sim.r.IntN(3))
	if sim.groups.TTL != nil && chance(sim.r, 60) {
		o.Ends = sim.now.Unix() - 2 + sim.r.Int64N(8)
	}
	if sim.groups.Version == nil {
		example = group{ID: o.ID}
	}
	at := codec.PtrOf(reflect.ValueOf(&example).Elem())
	put := PutArgs{Plan: sim.groups, Entity: codec.PtrOf(reflect.ValueOf(&o).Elem()), Now: sim.now, Expiry: sim.expiry()}
	verb := pick(sim.r, []string{"create", "create", "put", "overwrite", "update", "upsert", "delete", "check"})
	if stored == nil && chance(sim.r, 50) {
		verb = "create"
	}
	var planned op.Operation
	switch verb {
	case "create":
		planned, _, err = Create(put)
	case "put":
		planned, _, err = Put(put)
	case "overwrite":
		planned, _, err = Overwrite(put)
	case "delete":
		planned, err = Delete(sim.groups, at, nil, op.Nothing, sim.expiry())
	case "check":
		planned, err = Check(sim.groups, at, nil, sim.expiry())
	default:
		planned, err = Update(sim.groupUpdate(verb == "upsert", at, o.Note))
	}
	return part{operation: planned}, err == nil
}

// checkCompanions checks the guards and the counts after an operation.
func (sim *simulation) checkCompanions(before *store, r *reply) error {
	if err := sim.checkGuards(); err != nil {
		return err
	}
	if sim.groups == nil {
		return nil
	}
	for at, item := range sim.store.items {
		if !sim.isGroup(item) {
			continue
		}
		old := before.items[at]
		fewer, more := sim.countedIn(before, item), sim.countedIn(sim.store, item)
		was := numberIn(old, "things")
		if old == nil {
			was = 0
			// The items that stay were counted by a group that is gone.
			fewer = sim.staying(before, item)
		}
		if now := numberIn(item, "things"); now != was+more-fewer {
			return fmt.Errorf("the count is %d, after %d with %d items before and %d now", now, was, fewer, more)
		}
		if numberIn(item, "things") != was {
			sim.counts.counted++
		}
		if v := sim.groups.Version; v != nil && old != nil && !reflect.DeepEqual(old, item) && numberIn(item, v.Name) != numberIn(old, v.Name)+1 {
			return fmt.Errorf("the version of an item that counts is %d after %d", numberIn(item, v.Name), numberIn(old, v.Name))
		}
	}
	return nil
}

func (sim *simulation) isGroup(item op.Item) bool {
	return sim.groups != nil && sim.groups.MatchesKey(core.NewRow(item))
}

// numberIn returns a number of an item, or 0 if it has none.
func numberIn(item op.Item, name string) (n int64) {
	if av, ok := item[name].(*types.AttributeValueMemberN); ok {
		_, _ = fmt.Sscan(av.Value, &n)
	}
	return n
}

// isCounted reports whether an item that counts includes the item.
func (sim *simulation) isCounted(item, by op.Item) bool {
	if item == nil || !sim.plan.MatchesKey(core.NewRow(item)) {
		return false
	}
	f := sim.plan.Counted[0].Key.Partition[0].Members[0]
	v, err := sim.member(item, f, sim.keyOnlyValues(item, &call{}))
	id, _ := by["id"].(*types.AttributeValueMemberS)
	return err == nil && !v.IsAbsent() && id != nil && v.Equal(keys.Text(id.Value))
}

// countedIn returns how many items of a store an item counts.
func (sim *simulation) countedIn(s *store, by op.Item) (n int64) {
	for _, item := range s.items {
		if sim.isCounted(item, by) {
			n++
		}
	}
	return n
}

// staying returns how many items of a store an item counts that it counts now too.
func (sim *simulation) staying(s *store, by op.Item) (n int64) {
	for at, item := range s.items {
		if sim.isCounted(item, by) && sim.isCounted(sim.store.items[at], by) {
			n++
		}
	}
	return n
}

// checkGuards checks that each value has a guard that names its item, and that no other guard is
// there. Items and guards that have expired count as none.
func (sim *simulation) checkGuards() error {
	if len(sim.plan.Uniques) == 0 {
		return nil
	}
	wanted := map[string]bool{}
	for _, item := range sim.store.items {
		if sim.isGuard(item) || sim.isGroup(item) || sim.dead(item) {
			continue
		}
		guards, err := StoredGuards(sim.plan, item)
		if err != nil {
			return fmt.Errorf("the guards of an item: %w", err)
		}
		for _, key := range existing(guards) {
			guard, at := sim.store.get(key), sim.store.keyText(key)
			if guard == nil {
				return fmt.Errorf("a unique value has no guard")
			}
			if wanted[at] {
				return fmt.Errorf("two items have the same unique value")
			}
			wanted[at] = true
			named := &types.AttributeValueMemberM{Value: sim.schema.KeyOf(core.NewRow(item))}
			if ttl := sim.plan.TTL; !same(guard[reserved.OwnerAttribute], named) || ttl != nil && !same(guard[ttl.Name], item[ttl.Name]) {
				return fmt.Errorf("a guard names another item, or another time to live")
			}
			sim.counts.guarded++
		}
	}
	for at, item := range sim.store.items {
		if sim.isGuard(item) && !wanted[at] && !sim.dead(item) {
			return fmt.Errorf("a guard is left that no item has the value of")
		}
	}
	return nil
}

func (sim *simulation) isGuard(item op.Item) bool {
	text, _ := core.KeyText(sim.schema.Partition.Type, item[sim.schema.Partition.Name])
	return reserved.IsGuard(text)
}

// groupUpdate returns the arguments of an update of an item that counts.
func (sim *simulation) groupUpdate(upsert bool, example codec.Ptr, note string) UpdateArgs {
	path, operand := &core.Path{Owner: sim.groups.Type, Steps: []*core.Step{{Kind: core.StepName, Name: "note"}}}, any(note)
	return UpdateArgs{
		Plan: sim.groups, Example: example, Changes: []*expr.Change{expr.NewChange(expr.Set, path, &operand)}, Upsert: upsert,
		Now: sim.now, Expiry: sim.expiry(),
	}
}

// checkTaken checks that a guard that was not stored names another item.
func (sim *simulation) checkTaken(act *op.Action, res result) error {
	if res.before == nil || same(res.before[reserved.OwnerAttribute], act.Item.Map()[reserved.OwnerAttribute]) {
		return fmt.Errorf("a value is taken that no other item has")
	}
	return nil
}

// checkNotCounted checks that an item that counts is missing, or that its count would be negative.
func (sim *simulation) checkNotCounted(err error, res result) error {
	if missing := errors.Is(err, errs.NotFound); missing != (res.before == nil) {
		return fmt.Errorf("the failure of a count is %q, and the item that counts exists: %t", err, !missing)
	}
	return nil
}
