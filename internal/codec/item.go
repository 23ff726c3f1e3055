package codec

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Encode adds the fields of the struct at p to an item, except fields that are KeyOnly or omitted.
// It adds the attributes of the rest field unless a field or the item already has the name. An
// error is a *FieldError.
func (s *Struct) Encode(p Ptr, into Item) error {
	e := encoder{
		texts:   make([]types.AttributeValueMemberS, s.texts),
		numbers: make([]types.AttributeValueMemberN, s.numbers),
	}
	if err := s.encode(&e, p, into); err != nil || s.rest == nil {
		return err
	}
	return s.encodeRest(p, into)
}

func (s *Struct) encode(e *encoder, p Ptr, into Item) error {
	for _, f := range s.fields {
		if f == s.rest {
			continue
		}
		av, err := f.encodeIn(e, p)
		if err != nil {
			return err
		}
		if av != nil {
			into[f.Name] = av
		}
	}
	return nil
}

// Decode sets the fields of the struct at p, which must hold the zero value, from an item. The rest
// field, if there is one, receives the attributes that no field has and for which known returns
// false. known may be nil. The struct shares no memory with the item. An error is a *FieldError;
// some fields may then be set.
func (s *Struct) Decode(item Item, p Ptr, known func(attribute string) bool) error {
	err := s.decode(item, p)
	if err == nil && s.rest != nil {
		s.decodeRest(item, p, known)
	}
	return err
}

func (s *Struct) decode(item Item, p Ptr) error {
	for _, f := range s.fields {
		if f.KeyOnly || f == s.rest {
			continue
		}
		av, ok := item[f.Name]
		if !ok {
			continue
		}
		if s, ok := av.(*types.AttributeValueMemberS); ok && f.isText() { // most attributes
			*as[string](f.allocate(p)) = s.Value
			continue
		}
		if err := f.Decode(av, p); err != nil {
			return err
		}
	}
	return nil
}
