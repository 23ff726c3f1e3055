package codec

import (
	"reflect"
	"slices"
	"strings"
)

// separators are what is put before an option by mistake. What names are made of is not among them: dots, hyphens and underscores. The
// plain ones stand in names too.
const (
	plainSeparators = " :/+&\t"
	separators      = plainSeparators + ";|"
)

// unmixed takes the options off that stand at the end of the tag's name because no comma stands before them; false where there are none.
// A word that would do nothing for a field of that type may belong to the name: "connection string".
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

// takes reports whether an option would do something for fields of a type, as far as the name of an attribute depends on it: nobody means
// anything else by the options for empty values.
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

// unmix refuses a name with options in it, and goes on as if they were not there: what else is said of the field is said of its name.
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
