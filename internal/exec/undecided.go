package exec

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/op"
)

// run is an operation that is sent until it is decided. As long as it is undecided, it deletes the
// expired items and the NULLs that it met, is planned again if another writer changed an item that
// was read, and is sent again. An operation that was decided is not sent again, and nothing is
// deleted for it.
type run struct {
	call    *Call
	pre     *op.PreRead // nil: it reads nothing
	token   string
	actions []op.Action
	stored  []op.Item // the items that were read
	sent    int       // how often it was sent
}

// begin reads the items that the operation depends on, and plans it.
func (r *run) begin(ctx context.Context) (e *trestle.OpError) {
	if r.pre == nil {
		return nil
	}
	if r.stored, e = r.call.readItems(ctx, r.pre); e != nil {
		return e
	}
	return r.plan(ctx)
}

func (r *run) plan(ctx context.Context) *trestle.OpError {
	var err error
	if r.actions, err = r.pre.Plan(r.stored); err != nil {
		return r.call.cannotPlan(ctx, r.pre, r.token, err)
	}
	return nil
}

// again prepares to send the operation again after it failed with e, if it is undecided. Otherwise,
// it returns the error.
func (r *run) again(ctx context.Context, e *trestle.OpError) (again bool, _ *trestle.OpError) {
	r.sent++
	v, pre := judge(r.call.failed), r.pre
	if e == nil || r.sent == Replans || !v.undecided() || pre == nil && v.changed {
		return false, e
	}
	if !v.failed && !v.depends {
		if e := r.call.cleanUp(ctx); e != nil {
			return false, e
		}
	}
	if pre == nil || !setChanged(r.stored, len(pre.Reads), r.call.failed) {
		return true, nil
	}
	err := r.call.Config.Pause(ctx, r.sent)
	if err == nil && pre.Again != nil {
		err = pre.Again(ctx, r.stored)
	}
	if err != nil {
		return false, r.call.notSent(pre.Reads, err)
	}
	e = r.plan(ctx)
	return e == nil, e
}

// verdict returns what the failure of an action means. It returns false for a conflict or
// throttling that lasted: that is reported with every other failure, but decides nothing.
func (f *failedAction) verdict() (then clause.Then, decides bool) {
	if temporary[f.code] {
		return clause.Fail, false
	}
	if failed := f.condition(); failed != nil {
		return failed.judged.Then, true
	}
	return clause.Fail, true
}

// condition returns the failed conditional check of an action, or nil.
func (f *failedAction) condition() (failed *ConditionFailure) {
	errors.As(f.err.Err, &failed)
	return failed
}

// verdicts are the verdicts of the actions for which a request failed. changed is also set if an
// action that failed in any case was planned from what has changed. unseen stands for what no read
// returns: an expired item, and NULL.
type verdicts struct{ failed, depends, changed, unseen bool }

func judge(failed []failedAction) (v verdicts) {
	for i := range failed {
		verdict, decides := failed[i].verdict()
		if c := failed[i].condition(); decides && c != nil && c.judged.Outdated {
			v.changed = true
		}
		switch {
		case !decides:
		case verdict == clause.Replan:
			v.changed = true
		case verdict == clause.Bury, verdict == clause.Unset:
			v.unseen = true
		case verdict == clause.Depend:
			v.depends = true
		default:
			v.failed = true
		}
	}
	return v
}

// undecided reports whether actions failed only because of expired items or NULLs, or of changes of
// items that they were planned from. What depends on other operations is undecided while one of
// them is planned from what has changed.
func (v verdicts) undecided() bool {
	if v.changed {
		return v.depends || !v.failed
	}
	return v.unseen && !v.failed && !v.depends
}

// decided returns the failures to report: those of conditions that are false in any case, or all if
// there are none.
func decided(failed []failedAction) []failedAction {
	if v := judge(failed); !v.failed && !v.depends {
		return failed
	}
	return slices.DeleteFunc(slices.Clone(failed), func(f failedAction) bool {
		verdict, _ := f.verdict()
		return verdict == clause.Replan || verdict == clause.Bury || verdict == clause.Unset
	})
}
