package define

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// What the service allows.
const (
	maxAttributeName = 255 // bytes, of key attributes and of projected ones
	minIndexName     = 3
	maxIndexName     = 255
	maxLocalIndexes  = 5
	maxKeyAttributes = 4   // on each side of an index's key
	maxIncluded      = 100 // attributes, over all indexes
)

// configChecker looks at a configuration. Each fault says its place in it.
type configChecker struct {
	faults []Fault
}

func (c *configChecker) fault(field, text, reason, hint string) {
	c.faults = append(c.faults, Fault{Field: "Config" + field, Text: text, Offset: -1, Reason: reason, Hint: hint})
}

// checkConfig returns what is wrong with a configuration. What would only be repeated for every type is mended in the schema.
func checkConfig(config Config, s *core.Schema) []Fault {
	c := &configChecker{}
	c.keyAttribute(".Partition", s.Partition)
	switch {
	case config.NoSort && config.Sort != (core.Attribute{}):
		c.fault(".Sort", config.Sort.Name, "the table has a sort key and NoSort", "drop one of the two")
	case !config.NoSort:
		c.keyAttribute(".Sort", s.Sort)
		if s.Sort.Name == s.Partition.Name {
			c.fault(".Sort", s.Sort.Name, "it is the partition key's attribute too", "")
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

func (c *configChecker) keyAttribute(field string, a core.Attribute) {
	c.attributeName(field, a.Name)
	if a.Type != keys.S && a.Type != keys.N && a.Type != keys.B {
		c.fault(field, a.Name, fmt.Sprintf("a key attribute is of type S, N or B, not %q", string(a.Type)), "")
	}
}

func (c *configChecker) attributeName(field, name string) {
	switch {
	case name == "":
		c.fault(field, "", "the attribute's name is empty", "")
	case !utf8.ValidString(name):
		c.fault(field, "", "the attribute's name is not UTF-8", "")
	case len(name) > maxAttributeName:
		c.fault(field, name, fmt.Sprintf("the attribute's name has %d bytes, and %d are the most", len(name), maxAttributeName), "")
	}
}

// types refuses an attribute that two keys take with different types.
func (c *configChecker) types(s *core.Schema) {
	type use struct {
		t  keys.AttrType
		of string
	}
	uses := map[string]use{s.Partition.Name: {s.Partition.Type, "the table's key"}}
	check := func(field, of string, attrs []core.Attribute) {
		for _, a := range attrs {
			if was, ok := uses[a.Name]; ok && was.t != a.Type {
				c.fault(field, a.Name, fmt.Sprintf("it is of type %s here, and of type %s in %s", a.Type, was.t, was.of), "an attribute has one type")
			} else if !ok {
				uses[a.Name] = use{a.Type, of}
			}
		}
	}
	if s.Sort.Name != "" {
		check(".Sort", "the table's key", []core.Attribute{s.Sort})
	}
	for i, x := range s.Indexes {
		check(indexField(i, x), "index "+x.Name, slices.Concat(x.Partition, x.Sort))
	}
}

// own checks the attributes that the library adds: each has a name of its own.
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
		c.fault(".TTL", config.TTL, "time to live is not switched off here", "leave it empty")
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

// keyFormat tries the delimiter and the named formats out.
func (c *configChecker) keyFormat(s *core.Schema) {
	for _, reason := range tryOut(keys.Options{Delimiter: s.Delimiter}) {
		c.fault(".Delimiter", s.Delimiter, reason, "")
		s.Delimiter = defaultDelimiter
	}
	usable := make(map[string]keys.Format, len(s.Formats))
	for _, name := range slices.Sorted(maps.Keys(s.Formats)) {
		faults := tryOut(keys.Options{Formats: map[string]keys.Format{name: s.Formats[name]}})
		for _, reason := range faults {
			c.fault(".Formats", name, reason, "")
		}
		if faults == nil {
			usable[name] = s.Formats[name]
		}
	}
	s.Formats = usable
}

// tryOut compiles a template in which nothing but the options can be wrong.
func tryOut(o keys.Options) (reasons []string) {
	_, err := keys.Compile("X", o)
	faults, _ := err.(keys.Faults) //nolint:errorlint // Compile returns it as it is
	for _, f := range faults {
		reasons = append(reasons, f.Reason)
	}
	return reasons
}
