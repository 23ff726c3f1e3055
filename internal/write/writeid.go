package write

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
)

// writeID returns the attribute with a new write ID. It returns none if the conditions can hold
// again after the write, because a second attempt could then be applied too. It also returns none
// if the write returns the item before it, because a second attempt cannot return that.
func (c *conditions) writeID(fresh func() []byte, ret op.Return) op.Expected {
	attribute := c.plan.Schema.WriteID
	if !c.once || fresh == nil || attribute == "" || op.ReturnsOld(ret) {
		return op.Expected{}
	}
	return op.Expected{Attribute: attribute, Value: &types.AttributeValueMemberB{Value: fresh()}}
}
