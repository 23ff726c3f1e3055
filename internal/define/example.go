package define

import (
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

// spelled returns a placeholder for a field. It has a format if the key attribute needs one.
func spelled(f *codec.Field, t keys.AttrType) string {
	options := keys.Options{Type: t, Kind: func(string) (keys.Kind, bool) { return f.KeyKind() }}
	for _, format := range []string{"", ":08", ":ord", ":s", ":unix", ":hex"} {
		if _, err := keys.Compile("<x"+format+">", options); err == nil {
			return "<" + f.Name + format + ">"
		}
	}
	return "<" + f.Name + ">"
}

// example returns a possible template for the type. It uses the first field that can be in a key.
func (c *compiler) example() string {
	field := "<id>"
	for _, f := range c.plan.Shape.Fields() {
		if kind, ok := f.KeyKind(); ok && kind != keys.KindBool {
			field = spelled(f, keys.S)
			break
		}
	}
	return strings.ToUpper(c.likelyName()) + c.schema.Delimiter + field
}
