package core

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// Sink takes items as they come out of a response, decoded. What feeds it may be attribute maps or, one day, the response's own
// bytes: a sink sees places in the caller's values, never a map that somebody would keep. Where the read stands is not its business.
type Sink interface {
	// Place gives a zero entity to decode an item of that plan into; false: the sink has none, and the item goes to Raw.
	Place(p *Plan) (codec.Ptr, bool)
	// Take is told that the entity is filled.
	Take(p *Plan, entity codec.Ptr) error
	// Raw takes an item that no plan, or no place, was found for, or passes it over. Plan is nil for an item of no registered type.
	Raw(p *Plan, item map[string]types.AttributeValue) (taken bool, err error)
}

// Feed decodes an item of a plan, nil where it is of none, into the sink. It reports whether the sink took it.
func Feed(p *Plan, item map[string]types.AttributeValue, s Sink) (taken bool, err error) {
	if p == nil {
		return s.Raw(nil, item)
	}
	at, ok := s.Place(p)
	if !ok {
		return s.Raw(p, item)
	}
	if err := p.Decode(item, at); err != nil {
		return false, err
	}
	return true, s.Take(p, at)
}
