package core

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/keys"
)

// AV is an attribute value of the SDK.
type AV = types.AttributeValue

// Schema is what the plans of one table share.
type Schema struct {
	Partition Attribute
	Sort      Attribute   // empty name without a sort key
	Position  []Attribute // both keys: they identify the position of an item in a read
	Indexes   []*Index
	TypeAttr  string // the attribute that holds the type name; empty if keys identify the type
	WriteID   string // the attribute that holds write IDs; empty for none
	TTL       string // the attribute configured for the table's time to live; empty for none
	Delimiter string
	Raw       bool
	Formats   map[string]keys.Format
	Clock     func() time.Time
	Plans     []*Plan // in the order of definition
	// Tenants are the key attributes that start with the tenant, the table's partition key first.
	// They are empty if no type has a tenant. They are set when the schema is complete.
	Tenants []TenantKey
	// TenantIndex is the index whose partition key is the tenant. All items of tenants are on it,
	// those of the library too. Nil: the table has none.
	TenantIndex *Index
	// TypesOnly is set if the library stores no items of tenants besides those of types and their
	// guards.
	TypesOnly bool

	byName map[string]*Plan
}

// Add appends a plan. Items belong to the first plan of a name. Add must not run concurrently with
// any other method.
func (s *Schema) Add(p *Plan) {
	if s.byName == nil {
		s.byName = make(map[string]*Plan)
	}
	if _, taken := s.byName[p.Name]; !taken {
		s.byName[p.Name] = p
	}
	s.Plans = append(s.Plans, p)
	p.lookup = p.Shape.Lookup(p.systemNames()...)
	for a := range p.Table.Attributes() {
		a.text = textKeyOf(a)
	}
}

// systemNames returns the attributes that reads look for in items of the type beside its fields.
func (p *Plan) systemNames() []string {
	names := []string{p.Schema.TypeAttr, p.Schema.Partition.Name, p.Schema.Sort.Name}
	for _, a := range p.Attrs {
		names = append(names, a.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
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

// IsSystem reports whether an attribute belongs to the library or the table: the type, the write ID
// or a key attribute. An item of a type may have an attribute of its own in the key of an index:
// see [Plan.IsSystem].
func (s *Schema) IsSystem(attribute string) bool {
	if attribute == s.TypeAttr || attribute == s.WriteID || s.InTableKey(attribute) {
		return attribute != ""
	}
	return slices.ContainsFunc(s.Indexes, func(x *Index) bool { return x.inKey(attribute) })
}
