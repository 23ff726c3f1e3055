package codec

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Encode puts the fields of the struct at p into an item: all but those that are KeyOnly or left out. What the rest field holds
// is added where neither a field nor the item has the name. An error is a *FieldError.
func (s *Struct) Encode(p Ptr, into Item) error {
	e := encoder{
		texts:   make([]types.AttributeValueMemberS, s.texts),
		numbers: make([]types.AttributeValueMemberN, s.numbers),
	}
	if err := s.encode(&e, p, into); err != nil {
		return err
	}
	return s.encodeRest(p, into)
}

func (s *Struct) encode(e *encoder, p Ptr, into Item) error {
	for _, f := range s.fields {
		if f.KeyOnly || f.rest {
			continue
		}
		at, ok := f.find(p)
		if !ok {
			continue
		}
		av, err := f.encode(e, at)
		if err != nil {
			return within(f.GoName, err)
		}
		if av != nil {
			into[f.Name] = av
		}
	}
	return nil
}

// Decode sets the fields of the struct at p, which holds the zero value, from an item. Attributes that no field has go to the
// rest field, if there is one, unless known says that they are someone else's; a nil known knows none. Nothing in the struct
// shares memory with the item. An error is a *FieldError; some fields may then be set.
func (s *Struct) Decode(item Item, p Ptr, known func(attribute string) bool) error {
	if err := s.decode(item, p); err != nil {
		return err
	}
	s.decodeRest(item, p, known)
	return nil
}

func (s *Struct) decode(item Item, p Ptr) error {
	for _, f := range s.fields {
		if f.KeyOnly || f.rest {
			continue
		}
		av, ok := item[f.Name]
		if !ok {
			continue
		}
		if err := f.decode(av, f.reach(p)); err != nil {
			return within(f.GoName, err)
		}
	}
	return nil
}
