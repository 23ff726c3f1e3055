package codec

import (
	"reflect"
	"slices"
	"strings"
)

// separators are the characters that users write by mistake for a comma before an option. Dots,
// hyphens and underscores are not among them, because names contain them. Names also contain the
// plain separators.
const (
	plainSeparators = " :/+&\t"
	separators      = plainSeparators + ";|"
)

// unmixed returns the name without the options at its end that have no comma before them. mixed is
// false if there are none. An option with no effect on the field's type may be part of the name,
// such as "connection string".
func (t *tag) unmixed(field reflect.Type) (name string, options []string, mixed bool) {
	name = t.name
	for {
		at := strings.LastIndexAny(name, separators)
		if at < 0 {
			break
		}
		word := strings.ToLower(name[at+1:])
		if word != "" && !slices.Contains(optionNames, word) {
			break
		}
		if word != "" {
			options = append(options, word)
			mixed = mixed || !strings.Contains(plainSeparators, name[at:at+1]) || takes(field, word)
		}
		name = name[:at]
	}
	slices.Reverse(options)
	return name, options, mixed
}

// takes reports whether an option has an effect on a type. It returns true for the options for
// empty values, because no name contains these words.
func takes(t reflect.Type, option string) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch option {
	case "string":
		return t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
	case "unixtime":
		return t.ConvertibleTo(timeType)
	case "binaryset", "numberset", "stringset":
		return t.Kind() == reflect.Slice || t.Kind() == reflect.Array
	default:
		return true
	}
}

// unmix reports a fault for a name that contains options. It removes them from the name, so that
// later faults use the intended name.
func (c *collector) unmix(t *tag, sf reflect.StructField, goName string, index []int) {
	name, options, mixed := t.unmixed(sf.Type)
	if !mixed {
		return
	}
	text := sf.Tag.Get(TagKey)
	meant := name + "," + strings.Join(options, ",") + strings.TrimPrefix(text, t.name)
	c.fault(index, Fault{
		Field: goName, Tag: text, Reason: "the attribute would be called " + t.name + ": only a comma separates options", Hint: "write " + TagKey + `:"` + meant + `"`,
	})
	t.name = name
}
