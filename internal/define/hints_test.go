package define_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// The parts of a hint to paste: a placeholder, pairs of a tag, a word, or a type.
var (
	pasteField = regexp.MustCompile(`(?:did you mean|write|such as) (<[^<>]+>)`)
	pastePairs = regexp.MustCompile(`(?:write|such as|name it by its tag[:,]|as in) ((?:[a-z]+:"(?:[^"\\]|\\.)*" ?)+)`)
	pasteTags  = regexp.MustCompile(`^tag (\w+) (dynamodbav:"\w+"); or, if it is to be in keys only, (dynamodbav:"\w+" entity:"key")$`)
	pasteWord  = regexp.MustCompile(`^did you mean ([-\w]+)\?$`)
	pasteType  = regexp.MustCompile(`^declare it ([^,]+)(?:, and write (<[^<>]+>))?$`)
	pastes     = regexp.MustCompile(`^(?:write|such as|did you mean) \S*[<":=]`)
	elsewhere  = regexp.MustCompile(` in the tag of (\S+)$`)
)

// The text to replace: a placeholder or its suspect placeholder, a pair in any spelling, or a word.
var (
	placeholderAt = regexp.MustCompile(`^(?:<+[^<>]*>*|[$%]?\{+[^{}]*\}+|[$:]\w+)`)
	pairAt        = regexp.MustCompile(`^[^\s:="]+\s*[:=]?\s*("(?:[^"\\]|\\.)*"|\S+)`)
	wordAt        = regexp.MustCompile(`^[^\s:="]+`)
	pairs         = regexp.MustCompile(`([a-z]+):"((?:[^"\\]|\\.)*)"`)
)

var pasted = map[string]reflect.Type{
	"int64": reflect.TypeFor[int64](), "*int": reflect.TypeFor[*int](), "time.Time": reflect.TypeFor[time.Time](),
	"map[string]types.AttributeValue": reflect.TypeFor[map[string]types.AttributeValue](),
}

// source is a definition whose text can be edited.
type source struct {
	of     definition
	fields map[reflect.Type][]reflect.StructField
}

// sourceOf returns the source of a definition. It returns false if reflection cannot rebuild the
// types.
func sourceOf(d definition) (s source, ok bool) {
	defer func() { _ = recover() }() // reflect.StructOf panics on some fields
	s = source{d, map[reflect.Type][]reflect.StructField{}}
	for _, t := range d.types {
		if t == nil || t.Kind() != reflect.Struct {
			return s, false
		}
		for i := range t.NumField() {
			s.fields[t] = append(s.fields[t], t.Field(i))
		}
	}
	_ = s.issues()
	return s, true
}

// issues compiles the source. The rebuilt types have no names.
func (s source) issues() []trestle.Issue {
	d := definition{config: s.of.config, specs: map[reflect.Type]*trestle.Spec{}}
	for _, t := range s.of.types {
		made := reflect.StructOf(s.fields[t])
		d.types = append(d.types, made)
		if spec := s.of.specs[t]; spec != nil {
			d.specs[made] = spec
		}
	}
	_, issues := d.compile()
	return issues
}

// edited returns a copy of the source after it applies edit to each text: the tags of the fields or
// the templates of a Spec.
func (s source) edited(edit func(label, text string) string) source {
	out := source{s.of, map[reflect.Type][]reflect.StructField{}}
	out.of.specs = map[reflect.Type]*trestle.Spec{}
	for t, fields := range s.fields {
		out.fields[t] = append([]reflect.StructField(nil), fields...)
		for i := range fields {
			f := &out.fields[t][i]
			f.Tag = reflect.StructTag(edit(labelOf(*f), string(f.Tag)))
		}
	}
	for t, spec := range s.of.specs {
		changed := *spec
		changed.Key.PK, changed.Key.SK = edit("Spec.Key", spec.Key.PK), edit("Spec.Key", spec.Key.SK)
		changed.Indexes = append([]trestle.IndexSpec(nil), spec.Indexes...)
		for i := range changed.Indexes {
			x := &changed.Indexes[i]
			x.PK, x.SK = edit("Spec.Indexes", x.PK), edit("Spec.Indexes", x.SK)
		}
		changed.Roles = map[string]string{}
		for name, role := range spec.Roles {
			changed.Roles[edit("Spec.Roles "+name, name)] = role
		}
		out.of.specs[t] = &changed
	}
	return out
}

// labelOf returns the name of a field in issues.
func labelOf(f reflect.StructField) string {
	if f.Name != "_" {
		return f.Name
	}
	if m := regexp.MustCompile(`\bname:"([^"]+)"`).FindStringSubmatch(string(f.Tag)); m != nil && f.Type != markers.Key {
		return f.Type.String() + " " + m[1]
	}
	if m := regexp.MustCompile(`\bin:"([^"]+)"`).FindStringSubmatch(string(f.Tag)); m != nil && f.Type == markers.Counted {
		return f.Type.String() + " " + m[1]
	}
	return f.Type.String()
}

// follow applies a hint in each possible way. It returns false if the hint has nothing to paste.
func (s source) follow(f trestle.Issue) ([]source, bool) {
	if m := pasteTags.FindStringSubmatch(f.Hint); m != nil {
		var ways []source
		for _, tags := range m[2:] {
			ways = append(ways, s.edited(func(label, text string) string {
				if label == m[1] {
					return tags
				}
				return text
			}))
		}
		return ways, true
	}
	way, ok := s.followed(f)
	return []source{way}, ok
}

func (s source) followed(f trestle.Issue) (source, bool) {
	where := f.Field
	if m := elsewhere.FindStringSubmatch(f.Hint); m != nil {
		where = m[1]
	}
	at := func(label string) bool { return label == where }
	declared := pasteType.FindStringSubmatch(f.Hint)
	switch {
	case len(declared) > 2 && pasted[declared[1]] != nil:
		out := s.edited(func(_, text string) string { return text })
		for _, fields := range out.fields {
			for i := range fields {
				if strings.Contains(" "+f.Reason, " "+fields[i].Name+" is ") || at(fields[i].Name) {
					fields[i].Type = pasted[declared[1]]
				}
			}
		}
		if declared[2] != "" {
			out = out.place(f, declared[2])
		}
		return out, true
	case strings.Contains(f.Hint, `write shared:"yes" on both`):
		marker := map[bool]reflect.Type{true: markers.Key, false: markers.Index}[f.Field == "table key"]
		return s.edited(func(label, text string) string {
			if !strings.HasPrefix(label, marker.String()) || strings.Contains(text, "shared:") {
				return text
			}
			return text + ` shared:"yes"`
		}), true
	case pasteField.MatchString(f.Hint):
		return s.place(f, pasteField.FindStringSubmatch(f.Hint)[1]), true
	case pastePairs.MatchString(f.Hint):
		given := pairs.FindAllStringSubmatch(pastePairs.FindStringSubmatch(f.Hint)[1], -1)
		return s.edited(func(label, text string) string {
			if !at(label) {
				return text
			}
			for _, pair := range given {
				text = setPair(text, f, pair[0], pair[1])
			}
			return text
		}), true
	case pasteWord.MatchString(f.Hint):
		word := pasteWord.FindStringSubmatch(f.Hint)[1]
		return s.edited(func(label, text string) string {
			if !at(label) {
				return text
			}
			return setWord(text, f, word)
		}), true
	}
	return s, false
}

// place inserts a placeholder at the issue and at every equal text. For an issue of a field, it
// inserts the placeholder into the sort key.
func (s source) place(f trestle.Issue, placeholder string) source {
	if f.Tag != "pk" && f.Tag != "sk" && f.Tag != "key" {
		return s.edited(func(label, text string) string {
			if label != markers.Key.String() {
				return text
			}
			return strings.TrimSuffix(text, `"`) + "#" + placeholder + `"`
		})
	}
	old := placeholderAt.FindString(f.Text[max(f.Offset, 0):])
	return s.edited(func(_, text string) string { return strings.ReplaceAll(text, old, placeholder) })
}

// setPair writes a pair into a tag. It replaces the pair at the issue or the pair with that key, or
// appends the pair.
func setPair(text string, f trestle.Issue, pair, key string) string {
	has := regexp.MustCompile(`(^|\s)` + key + `:"(?:[^"\\]|\\.)*"`)
	switch {
	case f.Offset >= 0 && f.Text == text && strings.HasPrefix(text[f.Offset:], key):
		return text[:f.Offset] + pairAt.ReplaceAllLiteralString(text[f.Offset:], pair)
	case has.MatchString(text):
		return has.ReplaceAllString(text, "${1}"+strings.ReplaceAll(pair, "$", "$$"))
	default:
		return strings.TrimSpace(text + " " + pair)
	}
}

// setWord writes a word. It replaces the key at the issue, the value of the issue, or an option in
// a list.
func setWord(text string, f trestle.Issue, word string) string {
	quoted := f.Tag + `:"` + f.Text + `"`
	switch {
	case strings.HasPrefix(f.Field, "Spec.Roles"):
		return word
	case f.Offset >= 0 && f.Text == text:
		return text[:f.Offset] + wordAt.ReplaceAllLiteralString(text[f.Offset:], word)
	case f.Tag == "dynamodbav":
		return strings.Replace(text, f.Text, f.Text[:strings.LastIndexByte(f.Text, ',')+1]+word, 1)
	case strings.Contains(text, quoted):
		return strings.Replace(text, quoted, f.Tag+`:"`+word+`"`, 1)
	default:
		return regexp.MustCompile(f.Tag+`:"[^"]*"`).ReplaceAllLiteralString(text, f.Tag+`:"`+word+`"`)
	}
}

// TestHints checks that applying a hint removes an issue and adds none.
func TestHints(t *testing.T) {
	t.Parallel()
	followed := map[string]int{}
	for _, cases := range invalidDefinitions() {
		for _, c := range cases {
			s, ok := sourceOf(c.of)
			if !ok {
				continue
			}
			before := s.issues()
			for _, f := range before {
				ways, ok := s.follow(f)
				if !ok {
					require.NotRegexp(t, pastes, f.Hint, "nothing to paste: %s\n%s", c.name, f)
					continue
				}
				for _, after := range ways {
					left := after.issues()
					require.Less(t, len(left), len(before), "%s: the hint does not help\n%s\n%s", c.name, f, textOf(left))
					for _, l := range left {
						require.True(t, among(l, before), "%s: the hint leads to another issue\n%s\n%s", c.name, f, l)
					}
				}
				followed[kindOf(f.Hint)]++
			}
		}
	}
	t.Logf("followed: %v", followed)
	for kind, least := range map[string]int{"field": 25, "pairs": 15, "word": 10, "type": 8} {
		require.GreaterOrEqual(t, followed[kind], least, kind)
	}
}

func kindOf(hint string) string {
	for kind, form := range map[string]*regexp.Regexp{"word": pasteWord, "type": pasteType} {
		if form.MatchString(hint) {
			return kind
		}
	}
	if pasteField.MatchString(hint) {
		return "field"
	}
	return "pairs"
}

// among reports whether an issue existed before, at the same place or merged with another issue.
func among(f trestle.Issue, before []trestle.Issue) bool {
	for _, b := range before {
		reason, _, merged := strings.Cut(b.Reason, "; also in ")
		if strings.HasPrefix(f.Reason, reason) && (merged || strings.HasPrefix(f.Field, b.Field) && b.Tag == f.Tag) {
			return true
		}
	}
	return false
}
