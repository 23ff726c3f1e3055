package core

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"time"

	"github.com/trestledb/trestle/keys"
)

// AV is an attribute value as the SDK speaks of it.
type AV = types.AttributeValue

// None switches an attribute off where a configuration names one.
const None = "-"

// Schema is what the plans of one table share.
type Schema struct {
	Partition Attribute
	Sort      Attribute   // an empty name: the table has no sort key
	Position  []Attribute // both: what the place of an item in a read of the table is made of
	Indexes   []*Index
	TypeAttr  string // the attribute that holds the type name; empty: types are told apart by their keys
	WriteID   string // the attribute that write ids have; empty: none
	TTL       string // the attribute that the table's time to live is switched on for; empty: none
	Delimiter string
	Raw       bool
	Formats   map[string]keys.Format
	Clock     func() time.Time
	Plans     []*Plan // in the order of their definition

	byName map[string]*Plan
}

// Add appends a plan. Of several that have the same name, items belong to the first. It must not run beside any other method.
func (s *Schema) Add(p *Plan) {
	if s.byName == nil {
		s.byName = make(map[string]*Plan)
	}
	if _, taken := s.byName[p.Name]; !taken {
		s.byName[p.Name] = p
	}
	s.Plans = append(s.Plans, p)
}

// Index returns the index of that name, or nil.
func (s *Schema) Index(name string) *Index {
	for _, x := range s.Indexes {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Known reports whether an attribute is the library's or the table's own: the type, the write id or a key attribute. Such an
// attribute is no unknown one, whether or not a field stands for it.
func (s *Schema) Known(attribute string) bool {
	if attribute == s.TypeAttr || attribute == s.WriteID || attribute == s.Partition.Name || attribute == s.Sort.Name {
		return attribute != ""
	}
	for _, x := range s.Indexes {
		for _, a := range x.Partition {
			if a.Name == attribute {
				return true
			}
		}
		for _, a := range x.Sort {
			if a.Name == attribute {
				return true
			}
		}
	}
	return false
}
