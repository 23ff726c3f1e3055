package wire

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

const emptyName = "Empty attribute name"

// attributeMap reads an object of attributes at that depth.
func (d *decoder) attributeMap(depth int) (value.Map, error) {
	mark := len(d.attributes)
	err := d.object(func(text []byte) error {
		name := intern(text)
		if name == "" {
			d.addInvalid(emptyName)
		}
		v, err := d.attribute(depth)
		d.attributes = append(d.attributes, value.Attribute{Name: name, Value: v})
		return err
	})
	m := value.Map(popFrom(&d.attributes, mark))
	if err != nil {
		return nil, err
	}
	if ascending(m) {
		return m, nil
	}
	slices.SortFunc(m, func(a, b value.Attribute) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(m); i++ {
		if m[i-1].Name == m[i].Name {
			return nil, errDuplicate(m[i].Name)
		}
	}
	return m, nil
}

// ascending reports whether the names ascend, without equal ones.
func ascending(m value.Map) bool {
	for i := 1; i < len(m); i++ {
		if m[i-1].Name >= m[i].Name {
			return false
		}
	}
	return true
}

// attributeList reads an array of attribute values at that depth.
func (d *decoder) attributeList(depth int) (value.List, error) {
	mark := len(d.values)
	err := d.array(func(int) error {
		v, err := d.attribute(depth)
		d.values = append(d.values, v)
		return err
	})
	return popFrom(&d.values, mark), err
}

// popFrom removes the elements from mark on from a stack, and returns a copy without spare
// capacity.
func popFrom[E any](stack *[]E, mark int) []E {
	top := (*stack)[mark:]
	elements := make([]E, len(top))
	copy(elements, top)
	clear(top)
	*stack = (*stack)[:mark]
	return elements
}

// placeholders reads the expression attribute values.
func (d *decoder) placeholders(into *map[string]value.Value) error {
	values := map[string]value.Value{}
	*into = values
	return d.object(func(text []byte) error {
		name := intern(text)
		if _, again := values[name]; again {
			return errDuplicate(name)
		}
		d.placeholder = name
		v, err := d.attribute(1)
		d.placeholder = ""
		values[name] = v
		return err
	})
}

// names reads the expression attribute names.
func (d *decoder) names(into *map[string]string) error {
	names := map[string]string{}
	*into = names
	return d.object(func(text []byte) error {
		placeholder := intern(text)
		if _, again := names[placeholder]; again {
			return errDuplicate(placeholder)
		}
		names[placeholder] = ""
		if null, err := d.null(); null || err != nil {
			return err
		}
		if d.token() != tokenString {
			return d.notScalar("String")
		}
		name, err := d.string()
		names[placeholder] = intern(name)
		return err
	})
}
