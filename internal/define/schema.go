package define

import (
	"slices"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// Schema returns the schema of a configuration and its faults. The schema is not nil even if there
// are faults, so that Compile can report the faults of types too.
func Schema(c Config) (*core.Schema, []Fault) {
	s := &core.Schema{
		Partition: attribute(c.Partition, "PK"),
		TypeAttr:  named(c.TypeAttribute, reserved.TypeAttribute),
		WriteID:   named(c.WriteID, reserved.WriteIDAttribute),
		TTL:       named(c.TTL, ""),
		Delimiter: c.Delimiter,
		Raw:       c.Raw,
		Formats:   c.Formats,
		Clock:     c.Clock,
	}
	if !c.NoSort {
		s.Sort = attribute(c.Sort, "SK")
	}
	s.Position = position(s.PartitionKey(), s.SortKey())
	if s.Delimiter == "" {
		s.Delimiter = defaultDelimiter
	}
	if s.Delimiter != defaultDelimiter {
		s.Raw = true
	}
	if s.Clock == nil {
		s.Clock = time.Now
	}
	for _, x := range c.Indexes {
		s.Indexes = append(s.Indexes, index(s, x))
	}
	return s, checkConfig(c, s)
}

const defaultDelimiter = "#"

// attribute sets the defaults of a key attribute.
func attribute(a core.Attribute, name string) core.Attribute {
	if a.Name == "" {
		a.Name = name
	}
	if a.Type == "" {
		a.Type = keys.S
	}
	return a
}

func attributes(as []core.Attribute, name string) []core.Attribute {
	if len(as) == 0 {
		return []core.Attribute{attribute(core.Attribute{}, name)}
	}
	filled := make([]core.Attribute, len(as))
	for i, a := range as {
		filled[i] = attribute(a, name)
	}
	return filled
}

func named(name, otherwise string) string {
	switch name {
	case "":
		return otherwise
	case core.None:
		return ""
	}
	return name
}

func index(s *core.Schema, x Index) *core.Index {
	made := &core.Index{Name: x.Name, Local: x.Local, KeysOnly: x.KeysOnly, Include: x.Include}
	if x.Local && len(x.Partition) == 0 {
		made.Partition = []core.Attribute{s.Partition}
	} else {
		made.Partition = attributes(x.Partition, x.Name+"PK")
	}
	if !x.NoSort {
		made.Sort = attributes(x.Sort, x.Name+"SK")
	}
	made.Position = position(made.Partition, made.Sort, s.Position)
	return made
}

// position concatenates lists of key attributes without duplicates.
func position(sides ...[]core.Attribute) []core.Attribute {
	var all []core.Attribute
	for _, side := range sides {
		for _, a := range side {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}
