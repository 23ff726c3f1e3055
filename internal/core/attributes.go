package core

// PartitionKey returns the table's partition key as a list, in the form of an index's.
func (s *Schema) PartitionKey() []Attribute { return []Attribute{s.Partition} }

// SortKey returns the table's sort key as a list, or nil if the table has none.
func (s *Schema) SortKey() []Attribute {
	if s.Sort.Name == "" {
		return nil
	}
	return []Attribute{s.Sort}
}

// KeyAttributes returns every key attribute of the table and its indexes once, the table's first.
func (s *Schema) KeyAttributes() []*Attribute {
	var list []*Attribute
	add := func(side []Attribute) {
	next:
		for i := range side {
			for _, have := range list {
				if have.Name == side[i].Name {
					continue next
				}
			}
			list = append(list, &side[i])
		}
	}
	add(s.PartitionKey())
	add(s.SortKey())
	for _, x := range s.Indexes {
		add(x.Partition)
		add(x.Sort)
	}
	return list
}
