package fetch

import (
	"errors"
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

var errNoKey = errors.New("an item lacks a key attribute")

// feeder passes items to a sink and counts them.
type feeder struct {
	schema *core.Schema
	plan   *core.Plan   // the wanted type; nil: every type, or the types in only
	only   []*core.Plan // empty: every type
	// strict is set if the key that the items were read by does not identify their type. The
	// table's key then determines the type of an item without a type attribute.
	strict bool
	sink   core.Sink
	call   *exec.Read
}

// feed passes one item to the sink, as the wanted type or as the item's own type. It reports
// whether the sink took it.
func (f *feeder) feed(item op.Item) (taken bool, err error) {
	if own(f.schema, item) {
		f.call.Skipped++
		return false, nil
	}
	plan := f.plan
	if plan == nil {
		plan = f.schema.PlanOf(item)
	}
	if !f.wanted(item, plan) {
		f.call.Unknown++
		return false, nil
	}
	taken, err = core.Feed(plan, item, f.sink)
	switch {
	case err != nil && refusal(err):
		return false, err
	case err != nil:
		return false, errs.Undecodable(err)
	case taken:
		f.call.Items++
	default:
		f.call.Unknown++
	}
	return taken, nil
}

// wanted reports whether the read wants the item as a value of type as.
func (f *feeder) wanted(item op.Item, as *core.Plan) bool {
	if f.plan == nil {
		return len(f.only) == 0 || slices.Contains(f.only, as)
	}
	if f.strict && item[f.schema.TypeAttr] == nil {
		return f.schema.PlanOf(item) == f.plan
	}
	return f.plan.Matches(item)
}

func refusal(err error) bool {
	var r *errs.ValidationError
	return errors.As(err, &r)
}

// own reports whether an item is one of the library's own.
func own(s *core.Schema, item op.Item) bool {
	if s.Partition.Type != keys.S {
		return false
	}
	text, ok := core.KeyText(keys.S, item[s.Partition.Name])
	return ok && reserved.Is(text, "")
}
