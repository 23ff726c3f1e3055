package wire

import (
	"fmt"
	"math/bits"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

const (
	notNull     = "Member must not be null"
	minLength   = "Member must have length greater than or equal to %d"
	maxLength   = "Member must have length less than or equal to %d"
	minValue    = "Member must have value greater than or equal to %d"
	maxValue    = "Member must have value less than or equal to %d"
	enumeration = "Member must satisfy enum value set: [%s]"
	pattern     = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	mapKeys     = "Map keys must satisfy constraint: [%s]"
	mapValues   = "Map value must satisfy constraint: [%s]"
	elements    = "Member must satisfy constraint: [%s]"
)

// Lengths of names.
const (
	minNameLength = 3
	maxNameLength = 255
)

// checkMembers checks the constraints of a struct's members. Each bit of present reports whether
// that member is in the request.
func (d *decoder) checkMembers(s *shape, structure reflect.Value, present uint64) {
	for left := present&s.limited | s.required&^present; left != 0; left &= left - 1 {
		place := bits.TrailingZeros64(left)
		f := &s.fields[place]
		d.enter(step{place: place, member: f})
		if present&(1<<place) == 0 {
			d.checkAbsent(f)
		} else {
			d.checkMember(f, f.in(structure))
		}
		d.leave()
	}
}

func (d *decoder) checkAbsent(f *field) {
	switch l := &f.limits; {
	case l.parameter:
		d.addMissing("The parameter '%s' is required but was not present in the request", f.name)
	case l.needed != "":
		d.addMissing("The %s parameter is required for %s", f.path, l.needed)
	case l.required:
		d.addViolation(reflect.Value{}, notNull)
	}
}

func (d *decoder) addMissing(format string, args ...any) {
	if d.missing == nil {
		d.missing = awserr.Validation(format, args...)
	}
}

func (d *decoder) checkMember(f *field, v reflect.Value) {
	s, l := f.shape, &f.limits
	if s.kind == kindPointer {
		s, v = s.elem, v.Elem()
	}
	switch s.kind {
	case kindText:
		d.checkText(v, l)
	case kindInteger:
		d.checkBounds(v, v.Int(), l, minValue, maxValue)
	case kindList:
		d.checkBounds(v, int64(v.Len()), l, minLength, maxLength)
		if l.each != nil {
			d.checkTexts(v, *l.each)
		}
	case kindMap:
		d.checkMap(f, v)
	}
}

func (d *decoder) checkBounds(v reflect.Value, n int64, l *limits, tooLittle, tooMuch string) {
	if l.min != nil && n < *l.min {
		d.addViolation(v, fmt.Sprintf(tooLittle, *l.min))
	}
	if l.max != nil && n > *l.max {
		d.addViolation(v, fmt.Sprintf(tooMuch, *l.max))
	}
}

// checkTexts checks the lengths of the strings in a list.
func (d *decoder) checkTexts(v reflect.Value, longest int64) {
	for i := range v.Len() {
		if n := int64(utf8.RuneCountInString(v.Index(i).String())); n == 0 || n > longest {
			d.addViolation(v, fmt.Sprintf(elements, lengths(longest)))
			return
		}
	}
}

// lengths returns the constraint of a length from 1 to most.
func lengths(most int64) string {
	return fmt.Sprintf(maxLength, most) + ", " + fmt.Sprintf(minLength, 1)
}

func (d *decoder) checkText(v reflect.Value, l *limits) {
	text := v.String()
	switch {
	case l.options != nil:
		for _, option := range l.options {
			if text == option {
				return
			}
		}
		d.addViolation(v, fmt.Sprintf(enumeration, strings.Join(l.options, ", ")))
	case l.table && text == "" && !l.parameter:
		d.addViolation(v, fmt.Sprintf(minLength, 1)) // neither a name nor an ARN
	case l.table:
		d.checkName(v, api.TableName(text))
	case l.name:
		d.checkName(v, text)
	default:
		d.checkBounds(v, int64(utf8.RuneCountInString(text)), l, minLength, maxLength)
	}
}

func (d *decoder) checkName(v reflect.Value, name string) {
	if len(name) < minNameLength {
		d.addViolation(v, fmt.Sprintf(minLength, minNameLength))
	}
	if name == "" || !nameCharacters(name) {
		d.addViolation(v, pattern)
	}
	if len(name) > maxNameLength {
		d.addViolation(v, fmt.Sprintf(maxLength, maxNameLength))
	}
}

func nameCharacters(name string) bool {
	for i := range len(name) {
		switch b := name[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_', b == '.', b == '-':
		default:
			return false
		}
	}
	return true
}

func (d *decoder) checkMap(f *field, v reflect.Value) {
	l := &f.limits
	if l.needed != "" && v.Len() == 0 {
		d.checkAbsent(f)
		return
	}
	d.checkBounds(v, int64(v.Len()), l, minLength, maxLength)
	badKey, badValue := false, false
	for entries := v.MapRange(); entries.Next(); {
		badKey = badKey || l.tables && !isTable(api.TableName(entries.Key().String()))
		badValue = badValue || l.each != nil && (entries.Value().Len() == 0 || entries.Value().Len() > int(*l.each))
	}
	if badKey {
		d.addViolation(v, fmt.Sprintf(mapKeys, strings.Join([]string{
			fmt.Sprintf(maxLength, maxNameLength), fmt.Sprintf(minLength, minNameLength), pattern,
		}, ", ")))
	}
	if badValue {
		d.addViolation(v, fmt.Sprintf(mapValues, lengths(*l.each)))
	}
}

func isTable(name string) bool {
	return minNameLength <= len(name) && len(name) <= maxNameLength && nameCharacters(name)
}
