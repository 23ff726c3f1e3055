package write

import (
	"io"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
)

// writeIDBytes is the length of a write ID.
const writeIDBytes = 12

// writeID returns the attribute with a new write ID. It returns none if the conditions can hold
// again after the write, because a second attempt could then be applied too. It also returns none
// if the write returns the item before it, because a second attempt cannot return that. The error
// is that of the source of the ID.
func (c *conditions) writeID(random io.Reader, ret op.Return) (op.Expected, error) {
	attribute := c.plan.Schema.WriteID
	if !c.once || random == nil || attribute == "" || op.ReturnsOld(ret) {
		return op.Expected{}, nil
	}
	id := make([]byte, writeIDBytes)
	if _, err := io.ReadFull(random, id); err != nil {
		return op.Expected{}, err
	}
	return op.Expected{Attribute: attribute, Value: &types.AttributeValueMemberB{Value: id}}, nil
}
