package write

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/errs"
)

// stamp sets the next version and the times. For an upsert, it also sets the type.
func (w *working) stamp() error {
	p := w.Plan
	if w.Upsert && p.Schema.TypeAttr != "" {
		w.u.SetValue(p.Schema.TypeAttr, &types.AttributeValueMemberS{Value: p.Name})
	}
	for _, step := range []func() error{w.stampVersion, w.stampUpdated, w.stampCreated} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// stampVersion increments the version. If the call checks the stored version, it sets the next
// number. Otherwise, it uses ADD, which is not idempotent.
func (w *working) stampVersion() error {
	f := w.Plan.Version
	switch {
	case f == nil:
	case w.version == 0:
		w.idempotent = false
		w.u.AddValue(f.Name, &types.AttributeValueMemberN{Value: "1"})
	default:
		v, err := next(f, w.version)
		if err != nil {
			return err
		}
		if err := f.SetKey(v, w.Plan.NewEntity()); err != nil {
			return versionLimit(f, err)
		}
		w.u.SetValue(f.Name, &types.AttributeValueMemberN{Value: strconv.FormatInt(w.version+1, 10)})
	}
	return nil
}

func (w *working) stampUpdated() error {
	f := w.Plan.Updated
	if f == nil {
		return nil
	}
	v, av, err := w.now(f)
	if err != nil {
		return err
	}
	w.u.SetValue(f.Name, av)
	return w.touches(f, v)
}

// stampCreated sets the creation time if an upsert finds none. It uses the example's time if the
// example is the item as it was read. It skips a field in the table's key, which already exists,
// and a field that the caller changes.
func (w *working) stampCreated() error {
	f := w.Plan.Created
	if f == nil || !w.Upsert || w.changed(f) || w.Plan.TableMember(f) {
		return nil
	}
	if v, given, err := w.facts.gives(f); err != nil || given && w.AsRead && !v.IsAbsent() {
		if err != nil {
			return errs.Wrap(f.Name, err)
		}
		return w.adoptOne(f, v)
	}
	v, av, err := w.now(f)
	if err != nil {
		return err
	}
	return w.initial(f, v, av)
}
