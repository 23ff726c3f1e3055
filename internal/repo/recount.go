package repo

import (
	"context"
	"errors"
	"reflect"
	"strconv"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/tenancy"
	"github.com/trestledb/trestle/internal/write"
)

const recount = "recount"

// Recount sets a count of the item of an example to what count returns. It counts again if the
// counts or the version of the item change meanwhile. set returns the change to a number. counted
// is what count reads, or nil if that is unknown.
func (r *Repo) Recount(
	ctx context.Context, example any, set func(n int) *expr.Change, counted *exec.Config, count func(context.Context) (int, error),
) (int, error) {
	at := r.parts()
	if err := at.ready(); err != nil {
		return 0, at.invalid(recount, trestle.NotApplied, err)
	}
	p := at.typ.Plan
	b, err := expr.BindChange(set(0), p)
	if err == nil && (!b.Whole() || !p.Counts(b.Field())) {
		err = errNotACount
	}
	if err == nil && counted != nil && !at.view.Exec.Tenant.Same(counted.Tenant) {
		err = tenancy.ErrCounted
	}
	if err != nil {
		return 0, at.invalid(recount, trestle.NotApplied, err)
	}
	for try := 1; ; try++ {
		item := reflect.New(p.Type)
		if err := r.Strong().Op(Get, example, nil).Do(ctx, Result{Item: item.Interface()}); err != nil {
			return 0, err
		}
		n, err := count(ctx)
		if err != nil {
			return 0, err
		}
		stored, err := write.CountsOf(p, codec.PtrOf(item.Elem()))
		if err != nil {
			return 0, at.invalid(recount, trestle.NotApplied, err)
		}
		if text, _ := core.KeyText("N", stored[b.Field().Name]); text == strconv.Itoa(n) {
			return n, nil
		}
		own := r.With(func(v *View) { v.Recounts = true })
		err = own.ChangingOp(Update, item.Interface(), []*expr.Change{set(n)}).Do(ctx, Result{})
		if err == nil || try == exec.Replans || !errors.Is(err, errs.Stale) {
			return n, err
		}
	}
}
