package attr

import "github.com/trestledb/trestle/internal/expr"

// init registers the functions that read conditions and changes for the rest of the library.
// Packages outside the library cannot read them.
func init() {
	foreignCond, foreignChange := expr.CondOf, expr.ChangeOf
	expr.CondOf = func(v any) *expr.Cond {
		if c, ok := v.(interface{ tree() *expr.Cond }); ok && c.tree() != nil {
			return c.tree()
		}
		return foreignCond(nil)
	}
	expr.ChangeOf = func(v any) *expr.Change {
		if c, ok := v.(interface{ change() *expr.Change }); ok && c.change() != nil {
			return c.change()
		}
		return foreignChange(nil)
	}
}
