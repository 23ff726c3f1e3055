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

// splitOptions returns the name without the options at its end that have no comma before them.
// mixed is false if there are none. An option with no effect on the field's type may be part of the
// name, such as "connection string".
func (t *tag) splitOptions(field reflect.Type) (name string, options []string, mixed bool) {
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
			mixed = mixed || !strings.Contains(plainSeparators, name[at:at+1]) || hasEffect(field, word)
		}
		name = name[:at]
	}
	slices.Reverse(options)
	return name, options, mixed
}

// hasEffect reports whether an option has an effect on a type. It returns true for the options for
// empty values, because no name contains these words.
func hasEffect(t reflect.Type, option string) bool {
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

// checkSeparators reports an issue for a name that contains options. It removes them from the name,
// so that later issues use the intended name.
func (c *collector) checkSeparators(t *tag, sf reflect.StructField, goName string, index []int) {
	name, options, mixed := t.splitOptions(sf.Type)
	if !mixed {
		return
	}
	text := sf.Tag.Get(TagKey)
	meant := name + "," + strings.Join(options, ",") + strings.TrimPrefix(text, t.name)
	c.add(index, Issue{
		Field: goName, Tag: text, Reason: "the attribute would be named " + t.name + ": options are separated by commas", Hint: "write " + TagKey + `:"` + meant + `"`,
	})
	t.name = name
}
