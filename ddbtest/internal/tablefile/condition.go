package tablefile

import (
	"fmt"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// leftOut reports whether a resource has a condition that does not hold.
func (s *scope) leftOut(resource *jsonfile.Value) bool {
	condition := resource.Get("Condition")
	if condition == nil || condition.Kind != jsonfile.Text {
		return false
	}
	holds, err := s.holds(condition.Text)
	return err == nil && !holds
}

// choose replaces each Fn::If in a value by the branch that its condition selects, and removes
// members and elements that are the pseudo parameter AWS::NoValue. It leaves an Fn::If whose
// condition depends on something that is not in the template.
func (s *scope) choose(v *jsonfile.Value) {
	for {
		branch := s.branch(v)
		if branch == nil {
			break
		}
		v.Replace(branch)
	}
	v.List = slices.DeleteFunc(v.List, func(e *jsonfile.Value) bool {
		s.choose(e)
		return isNoValue(e)
	})
}

// branch returns the branch that an Fn::If selects, or nil.
func (s *scope) branch(v *jsonfile.Value) *jsonfile.Value {
	if v.Kind != jsonfile.Object || len(v.List) != 1 || v.List[0].Name != "Fn::If" {
		return nil
	}
	parts := v.List[0].Elements()
	if len(parts) != 3 || parts[0].Kind != jsonfile.Text {
		return nil
	}
	switch holds, err := s.holds(parts[0].Text); {
	case err != nil:
		return nil
	case holds:
		return parts[1]
	default:
		return parts[2]
	}
}

func isNoValue(v *jsonfile.Value) bool {
	ref := v.Get("Ref")
	return ref != nil && ref.Text == "AWS::NoValue"
}

// holds evaluates a condition of the template's Conditions.
func (s *scope) holds(name string) (bool, error) {
	condition := s.template.Get("Conditions").Get(name)
	if condition == nil {
		return false, fmt.Errorf("the condition %s is not in the template", name)
	}
	return s.condition(condition)
}

// condition evaluates a condition function.
func (s *scope) condition(v *jsonfile.Value) (bool, error) {
	if err := s.count(); err != nil {
		return false, err
	}
	if v.Kind != jsonfile.Object || len(v.List) != 1 {
		return false, fmt.Errorf("this is %s, not a condition", v.Kind)
	}
	f := v.List[0]
	operands := f.Elements()
	switch {
	case f.Name == "Condition" && f.Kind == jsonfile.Text:
		return s.holds(f.Text)
	case f.Name == "Fn::Equals" && len(operands) == 2:
		return s.equal(operands[0], operands[1])
	case f.Name == "Fn::Not" && len(operands) == 1:
		holds, err := s.condition(operands[0])
		return !holds, err
	case f.Name == "Fn::And" && len(operands) > 0:
		return s.combine(operands, false)
	case f.Name == "Fn::Or" && len(operands) > 0:
		return s.combine(operands, true)
	default:
		return false, fmt.Errorf("%s is not a condition", f.Name)
	}
}

func (s *scope) equal(a, b *jsonfile.Value) (bool, error) {
	left, err := s.text(a)
	if err != nil {
		return false, err
	}
	right, err := s.text(b)
	return left == right, err
}

// combine returns enough if a condition has that result, and otherwise its opposite.
func (s *scope) combine(conditions []*jsonfile.Value, enough bool) (bool, error) {
	for _, c := range conditions {
		if holds, err := s.condition(c); err != nil || holds == enough {
			return holds, err
		}
	}
	return !enough, nil
}
