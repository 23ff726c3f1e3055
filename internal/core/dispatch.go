package core

// PlanOf returns the type of an item. The type attribute determines it if the schema and the item
// have one. Otherwise the templates of the table's key do. PlanOf returns nil for an item of no
// type in the schema, and if the key fits several types that share it.
func (s *Schema) PlanOf(row Row) *Plan {
	if s.TypeAttr != "" {
		if p, ok := row.typeIn(s); ok {
			return p
		}
	}
	return s.planByKey(row)
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

// MatchesKey reports whether an item's key matches the type. It returns false if the schema has a
// type attribute and the key consists of plain fields only: such a key can belong to any type.
func (p *Plan) MatchesKey(row Row) bool {
	s := p.Schema
	if s.TypeAttr != "" && !p.Table.rendered() {
		return false
	}
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

// rendered reports whether the library renders any attribute of the key.
func (k Key) rendered() bool {
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
func (p *Plan) KeyIdentifiesType() bool { return !p.Shared && p.Table.rendered() }

// MayHaveKey reports whether an item of the type may have an item's key.
func (p *Plan) MayHaveKey(row Row) bool {
	return p.MatchesKey(row) || p.Schema.TypeAttr != "" && !p.Table.rendered()
}

// Matches reports whether an item that has a key of the type belongs to the type. An item of
// unknown type does. If types share their keys on purpose, an item of another type has the type
// attribute.
func (p *Plan) Matches(row Row) bool {
	if row.Empty() {
		return false
	}
	if p.Schema.TypeAttr == "" {
		is := p.Schema.PlanOf(row)
		return is == p || is == nil
	}
	is, ok := row.typeIn(p.Schema)
	return !ok || is == p
}
