package attr

import "github.com/trestledb/trestle/internal/expr"

// The rest of the library reads conditions and changes through these doors, and nobody else can.
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
