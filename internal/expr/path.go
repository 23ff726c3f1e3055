package expr

import (
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// Path returns the text of a bound path with placeholders for its names: #n0.#n1[3].
func (b *Builder) Path(at *core.BoundPath) string {
	text := b.Name(at.Attribute)
	for _, p := range at.Elements {
		if p.Name == "" {
			text += "[" + strconv.Itoa(p.At) + "]"
		} else {
			text += "." + b.Name(p.Name)
		}
	}
	return text
}

// bindStored resolves a path. It returns an error if the field has no attribute.
func bindStored(path *core.Path, p *core.Plan) (*core.BoundPath, error) {
	b, err := path.Bind(p)
	if err != nil {
		return nil, err
	}
	if b.Field != nil && b.Field.KeyOnly {
		return nil, invalid(path.String(), "is stored only in keys: it has no attribute of its own", "")
	}
	return b, nil
}

// samePath reports whether two paths name the same place.
func samePath(a, b *core.BoundPath) bool {
	return a.Attribute == b.Attribute && slices.EqualFunc(a.Elements, b.Elements, sameElement)
}

func sameElement(x, y core.PathElement) bool { return x.Name == y.Name && x.At == y.At }

func numberValue(n int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}
