package core

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// Sink receives the decoded items of a response. Each entity is decoded in place into the caller's
// value. A Sink does not track the position of the read.
type Sink interface {
	// Place returns the address of a zero entity to decode an item of the plan into. If it returns
	// false, Raw receives the item.
	Place(p *Plan) (codec.Ptr, bool)
	// Take receives the decoded entity.
	Take(p *Plan, entity codec.Ptr) error
	// Raw receives an item without a plan or a place. taken is false if Raw drops it. p is nil for
	// an item of no registered type.
	Raw(p *Plan, item map[string]types.AttributeValue) (taken bool, err error)
}

// Feed decodes an item into the sink. p is nil for an item of no registered type. taken reports
// whether the sink took the item.
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
