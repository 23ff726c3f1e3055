package legacy

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// sets are the types of which DELETE removes members.
var sets = []value.Kind{value.KindStringSet, value.KindNumberSet, value.KindBinarySet}

// addable are the types that ADD adds. Lists are not documented, but the service appends them.
var addable = append(sets[:len(sets):len(sets)], value.KindNumber, value.KindList)

// errMismatch is the error of an ADD or a DELETE whose value does not suit the attribute.
var errMismatch = awserr.Validation("Type mismatch for attribute to update")

// Update converts AttributeUpdates. It returns nil if there are none: such an update creates an
// item that does not exist, and changes nothing.
func Update(updates map[string]api.AttributeValueUpdate) (*expression.Update, error) {
	changes := make([]expression.Change, 0, len(updates))
	err := each(updates, func(name string, u api.AttributeValueUpdate) error {
		c, err := newChange(name, u)
		changes = append(changes, c)
		return err
	})
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	return expression.NewUpdate(changes, errMismatch), nil
}

func newChange(name string, u api.AttributeValueUpdate) (expression.Change, error) {
	c := expression.Change{Attribute: name, Action: expression.Set, Value: u.Value}
	switch {
	case u.Value == nil && u.Action != "DELETE":
		return c, invalid("Only DELETE action is allowed when no attribute value is specified")
	case u.Value == nil:
		c.Action = expression.Remove
	case u.Action == "DELETE":
		c.Action = expression.Delete
		if !slices.Contains(sets, u.Value.Kind()) {
			return c, invalid("DELETE action with value is not supported for the type %s", u.Value.Kind())
		}
	case u.Action == "ADD":
		c.Action = expression.Add
		if !slices.Contains(addable, u.Value.Kind()) {
			return c, invalid("ADD action is not supported for the type %s", u.Value.Kind())
		}
	}
	return c, nil
}

// Projection converts AttributesToGet; nil returns all attributes.
func Projection(names []string) (*expression.Projection, error) {
	if names == nil {
		return nil, nil
	}
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if err := checkName(name); err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, invalid("Duplicate value in attribute name: %s", name)
		}
		seen[name] = true
	}
	return expression.NewProjection(names), nil
}
