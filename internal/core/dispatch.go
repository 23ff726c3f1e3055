package core

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// PlanOf tells which type an item is of: by the type attribute where the schema and the item have one, else by the templates that the table's
// key was made from. Nil: the item is of no type of this schema, or of one of several that share their keys.
func (s *Schema) PlanOf(item map[string]types.AttributeValue) *Plan {
	if s.TypeAttr == "" || item[s.TypeAttr] == nil {
		return s.planByKey(item)
	}
	name, ok := item[s.TypeAttr].(*types.AttributeValueMemberS)
	if !ok {
		return nil
	}
	return s.byName[name.Value]
}

// planByKey relies on what was checked when the schema was closed: no key is of two types, but for those that share theirs on purpose.
func (s *Schema) planByKey(item map[string]types.AttributeValue) *Plan {
	for _, p := range s.Plans {
		switch {
		case !p.Wrote(item):
		case p.Shared:
			return nil
		default:
			return p
		}
	}
	return nil
}

// Wrote reports whether an item's key says that it is of the type. Where types are told apart by an attribute, a key that is made of attributes as they
// are says nothing: it may be anybody's.
func (p *Plan) Wrote(item map[string]types.AttributeValue) bool {
	s := p.Schema
	if s.TypeAttr != "" && !p.Table.rendered() {
		return false
	}
	partition, ok := KeyText(s.Partition.Type, item[s.Partition.Name])
	if !ok {
		return false
	}
	var sort string
	if s.Sort.Name != "" {
		if sort, ok = KeyText(s.Sort.Type, item[s.Sort.Name]); !ok {
			return false
		}
	}
	return p.Table.wrote(partition, sort)
}

// rendered reports whether the library writes any of the key.
func (k Key) rendered() bool {
	for a := range k.Sides() {
		if a.Field == nil {
			return true
		}
	}
	return false
}

// wrote reports whether the key of a table can have these values.
func (k Key) wrote(partition, sort string) bool {
	if _, err := k.Partition[0].Template.Parse(partition); err != nil {
		return false
	}
	if len(k.Sort) == 0 {
		return true
	}
	_, err := k.Sort[0].Template.Parse(sort)
	return err == nil
}

// ToldByKey reports whether the table's key tells the type of an item that does not say it.
func (p *Plan) ToldByKey() bool { return !p.Shared && p.Table.rendered() }

// Owns reports whether an item that stands under a key of the type is of it. An item that does not say what it is counts: where types
// share their keys on purpose, another's item says so.
func (p *Plan) Owns(item map[string]types.AttributeValue) bool {
	if len(item) == 0 {
		return false
	}
	if t := p.Schema.TypeAttr; t != "" && item[t] == nil {
		return true
	}
	is := p.Schema.PlanOf(item)
	return is == p || is == nil && p.Schema.TypeAttr == ""
}
