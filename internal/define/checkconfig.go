package define

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

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
	faults []Fault
	known  map[string]bool // the key attributes that already have a fault
}

func (c *configChecker) fault(field, text, reason, hint string) {
	c.faults = append(c.faults, Fault{Field: "Config" + field, Text: text, Offset: -1, Reason: reason, Hint: hint})
}

// checkConfig returns the faults of a configuration and corrects the schema.
func checkConfig(config Config, s *core.Schema) []Fault {
	c := &configChecker{known: map[string]bool{}}
	c.keyAttribute(".Partition", &s.Partition)
	switch {
	case config.NoSort && config.Sort != (core.Attribute{}):
		c.fault(".Sort", config.Sort.Name, "the table has a sort key and NoSort", "drop one of the two")
	case !config.NoSort:
		c.keyAttribute(".Sort", &s.Sort)
		if s.Sort.Name == s.Partition.Name {
			c.fault(".Sort", s.Sort.Name, "it is the partition key's attribute too", "give the sort key an attribute of its own")
			s.Sort.Name += " (sort key)"
		}
	}
	for i, x := range config.Indexes {
		if x.NoSort && len(x.Sort) > 0 {
			c.fault(indexField(i, s.Indexes[i]), x.Sort[0].Name, "the index has a sort key and NoSort", "drop one of the two")
		}
	}
	c.indexes(s)
	c.types(s)
	c.own(config, s)
	c.keyFormat(s)
	return c.faults
}

func (c *configChecker) keyAttribute(field string, a *core.Attribute) {
	typed := a.Type == keys.S || a.Type == keys.N || a.Type == keys.B
	if before := len(c.faults); !c.known[a.Name] {
		c.attributeName(field, a.Name)
		if !typed {
			c.fault(field, a.Name, fmt.Sprintf("a key attribute is of type S, N or B, not %q", string(a.Type)), "leave the type out for S")
		}
		c.known[a.Name] = len(c.faults) > before
	}
	if !typed {
		a.Type = keys.S
	}
}

func (c *configChecker) attributeName(field, name string) {
	switch {
	case name == "":
		c.fault(field, "", "the attribute's name is empty", "name it")
	case !utf8.ValidString(name):
		c.fault(field, "", "the attribute's name is not UTF-8", "rename it")
	case len(name) > maxAttributeName:
		c.fault(field, name, fmt.Sprintf("the attribute's name has %d bytes, and %d are the most", len(name), maxAttributeName), "shorten it")
	}
}

// types reports attributes that two keys use with different types.
func (c *configChecker) types(s *core.Schema) {
	type use struct {
		t  keys.AttrType
		of string
	}
	uses := map[string]use{s.Partition.Name: {s.Partition.Type, "the table's key"}}
	check := func(field, of string, attrs []core.Attribute) {
		for i := range attrs {
			a := &attrs[i]
			if was, ok := uses[a.Name]; ok && was.t != a.Type {
				c.fault(field, a.Name, fmt.Sprintf("it is of type %s here, and of type %s in %s", a.Type, was.t, was.of), "an attribute has one type: give both the same")
				a.Type = was.t
			} else if !ok {
				uses[a.Name] = use{a.Type, of}
			}
		}
	}
	if s.Sort.Name != "" {
		check(".Sort", "the table's key", []core.Attribute{s.Sort})
	}
	for i, x := range s.Indexes {
		check(indexField(i, x), "index "+x.Name, x.Partition)
		check(indexField(i, x), "index "+x.Name, x.Sort)
	}
}

// own checks that the attributes that the library adds have distinct names.
func (c *configChecker) own(config Config, s *core.Schema) {
	uses := map[string]string{}
	for _, name := range keyNames(s) {
		uses[name] = "a key attribute"
	}
	check := func(field, name, what string) {
		if name == "" {
			return
		}
		c.attributeName(field, name)
		if other, taken := uses[name]; taken {
			c.fault(field, name, "the attribute is "+other+" too", "give "+what+" an attribute of its own")
			return
		}
		uses[name] = what
	}
	check(".TypeAttribute", s.TypeAttr, "the type's name")
	check(".WriteID", s.WriteID, "the write id")
	if config.TTL == core.None {
		s.TTL = ""
		c.fault(".TTL", config.TTL, "it names the attribute of the time to live, and cannot switch it off", "leave it empty")
	}
	check(".TTL", s.TTL, "the time to live")
}

// keyNames lists the key attributes of the table and of all indexes.
func keyNames(s *core.Schema) []string {
	names := []string{s.Partition.Name}
	if s.Sort.Name != "" {
		names = append(names, s.Sort.Name)
	}
	for _, x := range s.Indexes {
		names = append(append(names, namesOf(x.Partition)...), namesOf(x.Sort)...)
	}
	return names
}

// keyFormat checks the delimiter and the named formats by compiling templates with them.
func (c *configChecker) keyFormat(s *core.Schema) {
	for _, f := range tryOut(keys.Options{Delimiter: s.Delimiter}) {
		c.fault(".Delimiter", s.Delimiter, f.Reason, f.Hint)
		s.Delimiter = likely(s.Delimiter)
	}
	usable := make(map[string]keys.Format, len(s.Formats))
	for _, name := range slices.Sorted(maps.Keys(s.Formats)) {
		usable[name] = s.Formats[name]
		for _, f := range tryOut(keys.Options{Formats: map[string]keys.Format{name: s.Formats[name]}}) {
			c.fault(".Formats", name, f.Reason, f.Hint)
			usable[name] = standIn(s.Formats[name])
		}
		// If the replaced format fails too, its name is the cause.
		if tryOut(keys.Options{Formats: map[string]keys.Format{name: usable[name]}}) != nil {
			delete(usable, name)
		}
	}
	s.Formats = usable
}

// tryOut compiles a template that is valid unless the options are wrong.
func tryOut(o keys.Options) keys.Faults {
	_, err := keys.Compile("X", o)
	faults, _ := err.(keys.Faults) //nolint:errorlint // Compile returns the error unwrapped
	return faults
}

// likely returns the delimiter that templates probably use.
func likely(delimiter string) string {
	if first := delimiter[:1]; tryOut(keys.Options{Delimiter: first}) == nil {
		return first
	}
	return defaultDelimiter
}

// standIn returns a valid replacement for an incomplete format.
func standIn(f keys.Format) keys.Format {
	return keys.Format{
		Kinds: f.Kinds, Ordered: f.Ordered, Lossless: f.Lossless, Alphabet: f.Alphabet,
		Encode: func(keys.Value) (string, error) { return "", errStandIn },
		Decode: func(string) (keys.Value, error) { return keys.Value{}, errStandIn },
	}
}

var errStandIn = errors.New("the format has a fault")
