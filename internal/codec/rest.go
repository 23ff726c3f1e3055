package codec

import "reflect"

var itemType = reflect.TypeFor[Item]()

// SetRest makes f the field that holds unknown attributes. Its type must be a
// map[string]types.AttributeValue.
func (s *Struct) SetRest(f *Field) error {
	if f.Node.Kind != KindMap || !f.Node.Type.ConvertibleTo(itemType) {
		return f.typeError("the field for unknown attributes must be a map[string]types.AttributeValue")
	}
	s.rest = f
	return nil
}

// own reports whether an attribute belongs to a field.
func (s *Struct) own(attribute string) bool {
	f := s.ByName(attribute)
	return f != nil && !f.KeyOnly && f != s.rest
}

// encodeRest adds the attributes in the rest field of the struct at p that the item does not have.
func (s *Struct) encodeRest(p Ptr, into Item) error {
	taken := func(name string) bool { _, ok := into[name]; return ok }
	return s.eachRest(p, taken, func(name string, av AV) { into[name] = Clone(av) })
}

// eachRest calls add for each attribute in the rest field of the struct at p, except those that a
// field has or that are taken. An attribute that DynamoDB would refuse is an error. A nil attribute
// is omitted.
func (s *Struct) eachRest(p Ptr, taken func(string) bool, add func(string, AV)) error {
	at, ok := s.rest.find(p)
	if !ok {
		return nil
	}
	kept, _ := at.value(s.rest.Node.Type).Convert(itemType).Interface().(Item)
	for name, av := range kept {
		if av == nil || s.own(name) || taken(name) {
			continue
		}
		if err := s.rest.Node.checkEntry(name, av, 0); err != nil {
			return prependPath(s.rest.GoName, prependPath("[*]", err))
		}
		add(name, av)
	}
	return nil
}

// inRest reports whether the rest field holds an attribute.
func (s *Struct) inRest(attribute string, known func(string) bool) bool {
	return !s.own(attribute) && (known == nil || !known(attribute))
}

// setRest sets the rest field of the struct at p. It stays nil if there are no such attributes.
func (s *Struct) setRest(rest Item, p Ptr) {
	if len(rest) == 0 {
		return
	}
	t := s.rest.Node.Type
	s.rest.allocate(p).value(t).Set(reflect.ValueOf(rest).Convert(t))
}
