package repo

import (
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Type is a declared entity type.
type Type struct {
	Schema *core.Schema // nil: of an empty schema
	Plan   *core.Plan   // nil: not a struct, late, or of an empty schema
	Late   bool         // the type was declared after the schema was opened
	Valid  func() error // reports the mistakes of the schema
	Public any          // the entity.Type

	// Note adds issues of a projection to the schema. It returns false if the schema is closed.
	Note func([]define.Issue) bool
}

// usable reports why the type cannot be used without a table.
func (t *Type) usable() error {
	switch {
	case t == nil:
		return errNoType
	case t.Late:
		return errTooLate
	default:
		return t.Valid()
	}
}

// Name returns the type name that items carry, or "" if the declaration failed.
func (t *Type) Name() string {
	if t == nil || t.Plan == nil {
		return ""
	}
	return t.Plan.Name
}

// Encode returns the item that Put would store for the entity that e points to.
func (t *Type) Encode(e any) (op.Item, error) {
	if err := t.usable(); err != nil {
		return nil, t.invalid("encode", err)
	}
	if reflect.ValueOf(e).IsNil() {
		return nil, t.invalid("encode", errNil)
	}
	item, err := write.Item(t.Plan, codec.PtrTo(e))
	if err != nil {
		return nil, t.invalid("encode", err)
	}
	return item, nil
}

// Decode decodes an item into the zero entity that e points to.
func (t *Type) Decode(item op.Item, e any) error {
	if err := t.usable(); err != nil {
		return t.invalid("decode", err)
	}
	row := core.NewRow(item)
	if is := t.Plan.Schema.PlanOf(row); is != t.Plan && (is != nil || !t.Plan.Admits(row)) {
		return t.invalid("decode", errOtherType)
	}
	if err := row.Decode(t.Plan, codec.PtrTo(e)); err != nil {
		reflect.ValueOf(e).Elem().SetZero()
		return t.invalid("decode", err)
	}
	return nil
}

// KeyOf returns the table key of the example that example points to.
func (t *Type) KeyOf(example any) (op.Item, error) {
	if err := t.usable(); err != nil {
		return nil, t.invalid("key", err)
	}
	key, err := write.Key(t.Plan, codec.PtrTo(example))
	if err != nil {
		return nil, t.invalid("key", err)
	}
	return key, nil
}

func (t *Type) invalid(operation string, err error) error {
	return Repo{typ: t}.invalid(operation, trestle.NoWrite, err)
}
