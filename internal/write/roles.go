package write

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/errs"
)

// setRoles sets the next version and the times. For an upsert, it also sets the type.
func (w *updatePlanner) setRoles() error {
	p := w.Plan
	if w.Upsert && p.Schema.TypeAttr != "" {
		w.expr.SetValue(p.Schema.TypeAttr, &types.AttributeValueMemberS{Value: p.Name})
	}
	for _, step := range []func() error{w.setVersion, w.setUpdated, w.setCreated} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// setVersion increments the version. If the call checks the stored version, it sets the next
// number. Otherwise, it uses ADD, which is not idempotent.
func (w *updatePlanner) setVersion() error {
	f := w.Plan.Version
	switch {
	case f == nil:
	case w.version == 0:
		w.idempotent = false
		w.expr.AddValue(f.Name, &types.AttributeValueMemberN{Value: "1"})
	default:
		v, err := nextVersion(f, w.version)
		if err != nil {
			return err
		}
		if err := f.SetKey(v, w.Plan.NewEntity()); err != nil {
			return versionLimit(f, err)
		}
		w.expr.SetValue(f.Name, &types.AttributeValueMemberN{Value: strconv.FormatInt(w.version+1, 10)})
	}
	return nil
}

func (w *updatePlanner) setUpdated() error {
	f := w.Plan.Updated
	if f == nil {
		return nil
	}
	v, av, err := w.currentTime(f)
	if err != nil {
		return err
	}
	w.expr.SetValue(f.Name, av)
	return w.setField(f, v)
}

// setCreated sets the creation time if an upsert finds none. It uses the example's time if the
// example is the item as it was read. It skips a field in the table's key, which already exists,
// and a field that the caller changes.
func (w *updatePlanner) setCreated() error {
	f := w.Plan.Created
	if f == nil || !w.Upsert || w.changesField(f) || w.Plan.TableMember(f) {
		return nil
	}
	if v, given, err := w.facts.fromExample(f); err != nil || given && w.AsRead && !v.IsAbsent() {
		if err != nil {
			return errs.Wrap(f.Name, err)
		}
		return w.assumeExample(f, v)
	}
	v, av, err := w.currentTime(f)
	if err != nil {
		return err
	}
	return w.setIfAbsent(f, v, av)
}
