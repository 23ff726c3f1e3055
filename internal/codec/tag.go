package codec

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/tag"
)

// TagKey is the key of the struct tag that sets the attribute name and options.
const TagKey = "dynamodbav"

// Options is the set of the options in a field's tag.
type Options uint16

// The options.
const (
	OmitEmpty     Options = 1 << iota // omit an empty value
	OmitEmptyElem                     // omit empty elements of lists, sets and maps
	NullEmpty                         // store an empty value as NULL
	NullEmptyElem                     // store empty elements of lists and maps as NULL
	AsString                          // store a number as S
	BinarySet
	NumberSet
	StringSet
	UnixTime // store a time as N, in seconds

	plain Options = 0 // no options
	// keepNil stores nil as NULL where no tag can ask for it: in a list, whose elements cannot be
	// left out, in a map of interfaces, and in operands.
	keepNil Options = 1 << 15
)

// optionNames are the options in tags, in the order of their constants.
var optionNames = []string{
	"omitempty", "omitemptyelem", "nullempty", "nullemptyelem", "string", "binaryset", "numberset", "stringset", "unixtime",
}

// Has reports whether all options of x are in o.
func (o Options) Has(x Options) bool { return o&x == x }

// elem returns the options for a container's elements that the tag sets. OmitEmptyElem also applies
// to nested containers; NullEmptyElem does not.
func (o Options) elem() (elem Options) {
	if o.Has(OmitEmptyElem) {
		elem |= OmitEmpty | OmitEmptyElem
	}
	if o.Has(NullEmptyElem) {
		elem |= NullEmpty
	}
	return elem
}

// fieldTag is a parsed struct tag.
type fieldTag struct {
	name    string // empty for the Go name
	ignore  bool
	options Options
}

func parseTag(st reflect.StructTag) (t fieldTag, issues []Issue) {
	text, ok := st.Lookup(TagKey)
	if !ok {
		if strings.Contains(string(st), TagKey) {
			issues = append(issues, Issue{Tag: string(st), Reason: "the struct tag is malformed", Hint: TagKey + `:"name,option"`})
		}
		return t, issues
	}
	name, rest, more := strings.Cut(text, ",")
	if name == "-" {
		t.ignore = true
		return t, nil
	}
	t.name = name
	for more {
		var option string
		option, rest, more = strings.Cut(rest, ",")
		if i := slices.Index(optionNames, option); i >= 0 {
			t.options |= 1 << i
		} else if option != "" {
			issues = append(issues, Issue{Reason: "unknown option " + option, Hint: optionHint(option)})
		}
	}
	return t, issues
}

// optionHint returns a hint with the option that was probably meant.
func optionHint(option string) string {
	if meant := tag.Suggest(option, optionNames); meant != "" {
		return "did you mean " + meant + "?"
	}
	return "one of " + strings.Join(optionNames, ", ")
}

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
func (t *fieldTag) splitOptions(field reflect.Type) (name string, options []string, mixed bool) {
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
func (c *collector) checkSeparators(t *fieldTag, field reflect.Type, f *Field) {
	name, options, mixed := t.splitOptions(field)
	if !mixed {
		return
	}
	meant := name + "," + strings.Join(options, ",") + strings.TrimPrefix(f.Tag.Get(TagKey), t.name)
	c.add(f, Issue{
		Reason: "the attribute would be named " + t.name + ": options are separated by commas", Hint: "write " + TagKey + `:"` + meant + `"`,
	})
	t.name = name
}
