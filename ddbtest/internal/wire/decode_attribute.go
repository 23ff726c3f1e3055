package wire

import (
	"bytes"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

const (
	emptyValue   = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
	severalTypes = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
	tooDeep      = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
	nullFalse    = "One or more parameter values were invalid: Null attribute value types must have the value of true"
)

// attribute reads an attribute value: an object with one member, whose name is the type. An invalid
// value is recorded. depth is its level, counted from 1. A list or a map, even if
// empty, adds a level.
func (d *decoder) attribute(depth int) (value.Value, error) {
	if text, ok := d.plainString(); ok {
		return value.String(text), nil
	}
	if null, err := d.null(); null || err != nil {
		d.addInvalid(emptyValue)
		return nil, err
	}
	if d.token() != tokenObject {
		return nil, d.notCollection(attributeClass, true)
	}
	var v value.Value
	types := 0
	err := d.object(func(descriptor []byte) error {
		kind := kindOf(descriptor)
		if kind == 0 {
			return d.skip()
		}
		if null, err := d.null(); null || err != nil {
			return err
		}
		types++
		content, err := d.content(kind, depth)
		v = content
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case types == 0:
		d.addInvalid(emptyValue)
	case types > 1:
		d.addInvalid(severalTypes)
	}
	return v, nil
}

// plainString reads an attribute value as clients send most of them: a string without white space
// around its parts, of ASCII characters that are not escaped. It reads nothing otherwise.
func (d *decoder) plainString() (string, bool) {
	const before, after = `{"S":"`, `"}`
	rest := d.text[d.at:]
	if len(rest) < len(before)+len(after) || string(rest[:len(before)]) != before {
		return "", false
	}
	end := len(before) + unescapedLength(rest[len(before):])
	if !bytes.HasPrefix(rest[end:], []byte(after)) {
		return "", false
	}
	d.at += end + len(after)
	return string(rest[len(before):end]), true
}

// kindOf returns the type with that descriptor, or 0.
func kindOf(descriptor []byte) value.Kind {
	switch string(descriptor) {
	case "S":
		return value.KindString
	case "N":
		return value.KindNumber
	case "B":
		return value.KindBinary
	case "BOOL":
		return value.KindBool
	case "NULL":
		return value.KindNull
	case "L":
		return value.KindList
	case "M":
		return value.KindMap
	case "SS":
		return value.KindStringSet
	case "NS":
		return value.KindNumberSet
	case "BS":
		return value.KindBinarySet
	}
	return 0
}

// content reads the content of an attribute value of that type.
func (d *decoder) content(kind value.Kind, depth int) (value.Value, error) {
	switch kind {
	case value.KindString:
		text, err := d.stringContent()
		return value.String(text), err
	case value.KindNumber:
		n, err := d.numberContent()
		return value.Number{Decimal: n}, err
	case value.KindBinary:
		b, err := d.binaryContent()
		return value.Binary(b), err
	case value.KindBool:
		b, err := d.bool("Boolean")
		return value.Bool(b), err
	case value.KindNull:
		b, err := d.bool("Boolean")
		if err == nil && !b {
			d.addInvalid(nullFalse)
		}
		return value.Null{}, err
	case value.KindMap:
		return d.mapContent(depth)
	}
	if d.token() != tokenArray {
		return nil, d.notCollection("java.util.List", false)
	}
	switch kind {
	case value.KindList:
		return d.listContent(depth)
	case value.KindStringSet:
		return asValue(d.stringSet())
	case value.KindNumberSet:
		return asValue(d.numberSet())
	}
	return asValue(d.binarySet())
}

func (d *decoder) mapContent(depth int) (value.Value, error) {
	if d.token() != tokenObject {
		return nil, d.notCollection(itemClass, false)
	}
	if depth == value.MaxDepth {
		d.addInvalid(tooDeep)
		return nil, d.skip()
	}
	return asValue(d.attributeMap(depth + 1))
}

func (d *decoder) listContent(depth int) (value.Value, error) {
	if depth == value.MaxDepth {
		d.addInvalid(tooDeep)
		return nil, d.skip()
	}
	return asValue(d.attributeList(depth + 1))
}

// asValue converts v to the interface. It returns nil if there is an error.
func asValue[V value.Value](v V, err error) (value.Value, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (d *decoder) stringContent() (string, error) {
	if d.token() != tokenString {
		return "", d.notScalar("String")
	}
	text, err := d.string()
	return string(text), err
}
