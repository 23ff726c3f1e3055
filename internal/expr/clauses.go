package expr

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// addChange adds the clause of a change. It allocates placeholders only for a clause that it adds,
// because DynamoDB rejects unused placeholders.
func (u *Update) addChange(c *BoundChange) error {
	v := &verbs[c.Verb]
	if !strings.Contains(v.text, "?") {
		u.render(c, v, nil)
		return nil
	}
	w := storedTypes(c.Target.Leaf)
	if v.stored.types != 0 && w&v.stored.types == 0 {
		return invalid(c.Path.String(), "is not stored as "+v.stored.name, v.stored.hint)
	}
	av, err := encodeStored(c.Target, c.Path, c.arg)
	switch {
	case err != nil:
		return err
	case v.elements && len(elements(av)) == 0:
		return invalid(c.Path.String(), v.name+" is given no elements", "")
	case av == nil && c.Verb == Set:
		u.render(c, &verbs[Remove], nil)
	case av == nil: // Put would omit the operand
	case v.stored.types != 0 && codec.WireOf(av)&v.stored.types == 0:
		return invalid(c.Path.String(), "is not stored as "+v.stored.name, v.stored.hint)
	default:
		u.render(c, v, av)
	}
	return nil
}

// render adds the clause of a verb.
func (u *Update) render(c *BoundChange, v *verb, operand types.AttributeValue) {
	path, section, text := u.b.Path(c.Target), v.clause, v.text
	if v.nested != "" && !c.Whole() {
		section, text = clauseSet, v.nested
	}
	if before, after, found := strings.Cut(text, "0"); found {
		text = before + u.b.Value(v.initial) + after
	}
	if operand == nil {
		u.add(section, expand(text, path))
	} else {
		u.add(section, expand(text, path, u.b.Value(operand)))
	}
}
