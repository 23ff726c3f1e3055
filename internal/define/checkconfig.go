package define

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// The limits of DynamoDB.
const (
	maxAttributeName = 255 // bytes; for key attributes and projected attributes
	minIndexName     = 3
	maxIndexName     = 255
	maxLocalIndexes  = 5
	maxKeyAttributes = 4   // for each of Partition and Sort of an index
	maxIncluded      = 100 // attributes in total, over all indexes
)

// configChecker checks a configuration. It also corrects the schema, so that a mistake is not
// reported again for every type.
type configChecker struct {
	config   trestle.Config
	schema   *core.Schema
	issues   []Issue
	reported map[string]bool // the key attributes that already have an issue
}

// configChecks are the checks of a configuration, in order.
var configChecks = []func(*configChecker){
	(*configChecker).checkTableKey,
	(*configChecker).checkIndexes,
	(*configChecker).checkIndexLimits,
	(*configChecker).checkTenantIndex,
	(*configChecker).checkAttributeTypes,
	(*configChecker).checkOwnAttributes,
	(*configChecker).checkKeyOptions,
}

func (c *configChecker) add(field, text, reason, hint string) {
	c.issues = append(c.issues, place{field: "Config" + field, text: text}.issue(reason, hint))
}

// checkConfig returns the issues of a configuration and corrects the schema.
func checkConfig(config trestle.Config, s *core.Schema) []Issue {
	c := &configChecker{config: config, schema: s, reported: map[string]bool{}}
	for _, check := range configChecks {
		check(c)
	}
	return c.issues
}

func (c *configChecker) checkTableKey() {
	s := c.schema
	c.checkKeyAttribute(".Partition", &s.Partition)
	switch {
	case c.config.NoSort && c.config.Sort != (core.Attribute{}):
		c.add(".Sort", c.config.Sort.Name, "Sort and NoSort are both set", "drop one of the two")
	case !c.config.NoSort:
		c.checkKeyAttribute(".Sort", &s.Sort)
		if s.Sort.Name == s.Partition.Name {
			c.add(".Sort", s.Sort.Name, "the sort key has the same attribute as the partition key", "use another attribute for the sort key")
			s.Sort.Name += " (sort key)"
		}
	}
}

func (c *configChecker) checkKeyAttribute(field string, a *core.Attribute) {
	typed := a.Type == keys.S || a.Type == keys.N || a.Type == keys.B
	if before := len(c.issues); !c.reported[a.Name] {
		c.checkAttributeName(field, a.Name)
		if !typed {
			c.add(field, a.Name, fmt.Sprintf("a key attribute must be of type S, N or B, not %q", string(a.Type)), "leave the type out for S")
		}
		c.reported[a.Name] = len(c.issues) > before
	}
	if !typed {
		a.Type = keys.S
	}
}

func (c *configChecker) checkAttributeName(field, name string) {
	switch {
	case name == "":
		c.add(field, "", "the attribute's name is empty", "name it")
	case !utf8.ValidString(name):
		c.add(field, "", "the attribute's name is not UTF-8", "rename it")
	case len(name) > maxAttributeName:
		c.add(field, name, fmt.Sprintf("the attribute's name has %d bytes; the maximum is %d", len(name), maxAttributeName), "shorten it")
	}
}

// checkAttributeTypes reports attributes that two keys use with different types.
func (c *configChecker) checkAttributeTypes() {
	s := c.schema
	type use struct {
		t  keys.AttrType
		of string
	}
	uses := map[string]use{}
	check := func(field, of string, attrs []core.Attribute) {
		for i := range attrs {
			a := &attrs[i]
			was, ok := uses[a.Name]
			switch {
			case !ok:
				uses[a.Name] = use{a.Type, of}
			case was.t != a.Type:
				c.add(field, a.Name, fmt.Sprintf("the attribute has type %s here and type %s in %s", a.Type, was.t, was.of), "use the same type in both places")
				a.Type = was.t
			}
		}
	}
	check(".Partition", "the table's key", s.PartitionKey())
	check(".Sort", "the table's key", s.SortKey())
	for i, x := range s.Indexes {
		check(indexField(i, x), "index "+x.Name, x.Partition)
		check(indexField(i, x), "index "+x.Name, x.Sort)
	}
}

// checkOwnAttributes checks that the attributes that the library adds have distinct names.
func (c *configChecker) checkOwnAttributes() {
	s := c.schema
	uses := map[string]string{}
	for _, a := range s.KeyAttributes() {
		uses[a.Name] = "a key attribute"
	}
	check := func(field, name, what string) {
		if name == "" {
			return
		}
		c.checkAttributeName(field, name)
		if other, taken := uses[name]; taken {
			c.add(field, name, "the attribute is also "+other, "use another attribute for "+what)
			return
		}
		uses[name] = what
	}
	check(".TypeAttribute", s.TypeAttr, "the type's name")
	check(".WriteID", s.WriteID, "the write id")
	if c.config.TTL == trestle.None {
		s.TTL = ""
		c.add(".TTL", c.config.TTL, "TTL is an attribute name and cannot be None", "leave it empty for no fixed attribute")
	}
	if reason, hint := ttlInKey(s, s.TTL); reason != "" {
		c.add(".TTL", s.TTL, reason, hint)
		return
	}
	if slices.ContainsFunc(s.KeyAttributes(), func(a core.Attribute) bool { return a.Name == s.TTL }) {
		return // a number of an index
	}
	check(".TTL", s.TTL, "the time to live")
}

// checkKeyOptions checks the delimiter and the named formats by compiling templates with them.
func (c *configChecker) checkKeyOptions() {
	s := c.schema
	for _, f := range compileExample(keys.Options{Delimiter: s.Delimiter}) {
		c.add(".Delimiter", s.Delimiter, f.Reason, f.Hint)
		s.Delimiter = likelyDelimiter(s.Delimiter)
	}
	usable := make(map[string]keys.Format, len(s.Formats))
	for _, name := range slices.Sorted(maps.Keys(s.Formats)) {
		usable[name] = s.Formats[name]
		for _, f := range compileExample(keys.Options{Formats: map[string]keys.Format{name: s.Formats[name]}}) {
			c.add(".Formats", name, f.Reason, f.Hint)
			usable[name] = substituteFormat(s.Formats[name])
		}
		// If the replaced format fails too, its name is the cause.
		if compileExample(keys.Options{Formats: map[string]keys.Format{name: usable[name]}}) != nil {
			delete(usable, name)
		}
	}
	s.Formats = usable
}

// compileExample compiles a template that is valid unless the options are wrong.
func compileExample(o keys.Options) keys.Issues {
	_, err := keys.Compile("X", o)
	issues, _ := err.(keys.Issues) //nolint:errorlint // Compile returns the error unwrapped
	return issues
}

// likelyDelimiter returns the delimiter that templates probably use.
func likelyDelimiter(delimiter string) string {
	if first := delimiter[:1]; compileExample(keys.Options{Delimiter: first}) == nil {
		return first
	}
	return defaultDelimiter
}

// substituteFormat returns a valid replacement for an incomplete format.
func substituteFormat(f keys.Format) keys.Format {
	return keys.Format{
		Kinds: f.Kinds, Ordered: f.Ordered, Lossless: f.Lossless, Alphabet: f.Alphabet,
		Encode: func(keys.Value) (string, error) { return "", errSubstitute },
		Decode: func(string) (keys.Value, error) { return keys.Value{}, errSubstitute },
	}
}

var errSubstitute = errors.New("the format has an issue")
