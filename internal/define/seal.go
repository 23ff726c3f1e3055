package define

import (
	"fmt"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// Seal checks all types together and completes the schema. If the configuration has no TTL, Seal
// sets the schema's TTL from the ttl roles. Do not add plans after Seal.
func Seal(s *core.Schema) []Fault {
	var faults []Fault
	for i, p := range s.Plans {
		if f, twice := sameName(p, s.Plans[:i]); twice {
			faults = append(faults, f)
		}
		if f, other := timeToLive(s, p); other {
			faults = append(faults, f)
		}
	}
	return append(faults, overlaps(s)...)
}

// at creates a fault of a whole type.
func at(p *core.Plan, field, tag, text, reason, hint string) Fault {
	return Fault{Type: typeName(p.Type), Entity: p.Name, Field: field, Tag: tag, Text: text, Offset: -1, Reason: reason, Hint: hint}
}

func sameName(p *core.Plan, before []*core.Plan) (Fault, bool) {
	for _, q := range before {
		switch {
		case q.Name != p.Name:
		case twice(p, q):
			return at(p, "", "", "", "the type is defined twice in this schema", "keep the variable of one definition and use it everywhere"), true
		default:
			return at(p, "", "type", p.Name, "the name belongs to "+typeName(q.Type)+" already", "items could not be told apart: choose another name"), true
		}
	}
	return Fault{}, false
}

// timeToLive sets the schema's TTL from the first ttl role and compares the others with it. A table
// has one time to live attribute for all types.
func timeToLive(s *core.Schema, p *core.Plan) (Fault, bool) {
	switch {
	case p.TTL == nil || p.TTL.Name == s.TTL:
		return Fault{}, false
	case s.TTL == "":
		s.TTL = p.TTL.Name
		return Fault{}, false
	}
	reason := fmt.Sprintf("it is stored as %q, and the time to live of other types as %q: a table has one such attribute", p.TTL.Name, s.TTL)
	return at(p, p.TTL.GoName, codec.TagKey, p.TTL.Tag().Get(codec.TagKey), reason, fmt.Sprintf("name it by its tag: %s:%q", codec.TagKey, s.TTL)), true
}
