package define

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// Schema returns the schema of a configuration and its issues. The schema is not nil even if there
// are issues, so that Compile can report the issues of types too.
func Schema(c trestle.Config) (*core.Schema, []Issue) {
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
	s.Position = core.UniqueAttributes(s.PartitionKey(), s.SortKey())
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
		as = make([]core.Attribute, 1)
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
	case trestle.None:
		return ""
	}
	return name
}

func index(s *core.Schema, x trestle.IndexConfig) *core.Index {
	made := &core.Index{Name: x.Name, Kind: x.Kind, KeysOnly: x.KeysOnly}
	if x.Kind == trestle.LocalIndex && len(x.Partition) == 0 {
		made.Partition = []core.Attribute{s.Partition}
	} else {
		made.Partition = attributes(x.Partition, x.Name+"PK")
	}
	if !x.NoSort {
		made.Sort = attributes(x.Sort, x.Name+"SK")
	}
	if made.Kind == trestle.GlobalIndex && max(len(made.Partition), len(made.Sort)) > 1 {
		made.Kind = trestle.MultiAttributeIndex
	}
	if made.Include = made.NonKeys(s, x.Include); len(made.Include) == 0 && len(x.Include) > 0 {
		made.KeysOnly = true
	}
	made.Position = core.UniqueAttributes(made.Partition, made.Sort, s.Position)
	return made
}

// Validate checks all types together and completes the schema. If the configuration has no TTL,
// Validate sets the schema's TTL from the ttl roles. Do not add plans after Validate.
func Validate(s *core.Schema) []Issue {
	var issues []Issue
	for _, check := range schemaChecks {
		issues = append(issues, check(s)...)
	}
	return issues
}

// schemaChecks are the checks of all types together.
var schemaChecks = []func(*core.Schema) []Issue{sameNames, timesToLive, counts, tenants, tenantIndex, overlaps}

// typeIssue creates an issue of a whole type.
func typeIssue(p *core.Plan, field, tag, text, reason, hint string) Issue {
	f := place{field: field, tag: tag, text: text}.issue(reason, hint)
	f.Type, f.Entity = typeName(p.Type), p.Name
	return f
}

// sameNames reports each type whose name an earlier type has.
func sameNames(s *core.Schema) (issues []Issue) {
	first := make(map[string]*core.Plan, len(s.Plans))
	for _, p := range s.Plans {
		switch q := first[p.Name]; {
		case q == nil:
			first[p.Name] = p
		case sameType(p, q):
			issues = append(issues, typeIssue(p, "", "", "", "the type is defined twice in this schema", "define it once and use that variable everywhere"))
		default:
			issues = append(issues, typeIssue(p, "", "type", p.Name, "the type "+typeName(q.Type)+" already has this name", "choose another name, so that items can be told apart"))
		}
	}
	return issues
}

// timesToLive sets the schema's TTL from the first ttl role and compares the others with it. A
// table has one time to live attribute for all types.
func timesToLive(s *core.Schema) (issues []Issue) {
	for _, p := range s.Plans {
		switch {
		case p.TTL == nil || p.TTL.Name == s.TTL:
		case s.TTL == "":
			s.TTL = p.TTL.Name
		default:
			reason := fmt.Sprintf("the time to live is stored as %q here and as %q in other types, but a table has one such attribute", p.TTL.Name, s.TTL)
			issues = append(issues, typeIssue(p, p.TTL.GoName, codec.TagKey, p.TTL.Tag.Get(codec.TagKey), reason, fmt.Sprintf("name it by its tag: %s:%q", codec.TagKey, s.TTL)))
		}
	}
	return issues
}
