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
