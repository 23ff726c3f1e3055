package core

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// PlanOf returns the type of an item. The type attribute determines it if the schema and the item
// have one. Otherwise the templates of the table's key do. PlanOf returns nil for an item of no
// type in the schema, and if the key fits several types that share it. All reads use this rule.
func (s *Schema) PlanOf(row Row) *Plan {
	if s.TypeAttr != "" {
		if p, ok := row.typeIn(s); ok {
			return p
		}
	}
	return s.planByKey(row)
}

// TypeName returns the name of an item's type: that in the type attribute, also if the schema does
// not have the type, such as $U#unique of a guard, and otherwise that of PlanOf. It returns "" for
// an item of no type.
func (s *Schema) TypeName(row Row) string {
	if s.TypeAttr != "" {
		if name, ok := row.Attribute(s.TypeAttr).(*types.AttributeValueMemberS); ok {
			return name.Value
		}
	}
	if p := s.PlanOf(row); p != nil {
		return p.Name
	}
	return ""
}

// planByKey relies on the validation of the schema: only types that share their keys on purpose can
// have the same key.
func (s *Schema) planByKey(row Row) *Plan {
	for _, p := range s.Plans {
		switch {
		case !p.MatchesKey(row):
		case p.Shared:
			return nil
		default:
			return p
		}
	}
	return nil
}

// MatchesKey reports whether an item's key matches the type.
func (p *Plan) MatchesKey(row Row) bool {
	s := p.Schema
	partition, ok := row.KeyText(s.Partition)
	if !ok {
		return false
	}
	var sort string
	if s.Sort.Name != "" {
		if sort, ok = row.KeyText(s.Sort); !ok {
			return false
		}
	}
	return p.Table.matches(partition, sort)
}

// Rendered reports whether the library renders any attribute of the key.
func (k Key) Rendered() bool {
	for a := range k.Attributes() {
		if a.Field == nil {
			return true
		}
	}
	return false
}

// matches reports whether these values match the key templates of a table.
func (k Key) matches(partition, sort string) bool {
	if _, err := k.Partition[0].Template.Parse(partition); err != nil {
		return false
	}
	if len(k.Sort) == 0 {
		return true
	}
	_, err := k.Sort[0].Template.Parse(sort)
	return err == nil
}

// KeyIdentifiesType reports whether the table's key identifies the type of an item that has no type
// attribute.
func (p *Plan) KeyIdentifiesType() bool { return !p.Shared }

// Owns reports whether [Schema.PlanOf] is the type for an item under a key of the type. The item
// may be a part that lacks its key.
func (p *Plan) Owns(row Row) bool {
	if row.Empty() {
		return false
	}
	if p.Schema.TypeAttr != "" {
		if is, ok := row.typeIn(p.Schema); ok {
			return is == p
		}
	}
	return p.KeyIdentifiesType()
}

// Admits reports whether a write of the type may replace or change an item under a key of the type:
// an item of the type, and one without a type attribute, even if other types share the key.
func (p *Plan) Admits(row Row) bool {
	if row.Empty() {
		return false
	}
	if p.Schema.TypeAttr == "" {
		return true
	}
	is, ok := row.typeIn(p.Schema)
	return !ok || is == p
}
