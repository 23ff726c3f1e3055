package expr

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// Builder collects the names and values of one request. It returns numbered placeholders: #n0, :v0.
// A name that is used again keeps its placeholder. The zero value is ready to use.
type Builder struct {
	names  SmallVec[string] // by number
	values SmallVec[types.AttributeValue]
	size   int
	long   bool // a name is too long
	deep   bool // a value is nested too deeply
	null   string
}

// NewBuilder returns a builder for one request.
func NewBuilder() *Builder { return &Builder{} }

// Name returns the placeholder of an attribute's name.
func (b *Builder) Name(attribute string) string {
	for i := range b.names.Len() {
		if *b.names.At(i) == attribute {
			return namePlaceholders.at(i)
		}
	}
	placeholder := namePlaceholders.at(b.names.Len())
	b.names.Add(attribute)
	b.size += len(placeholder) + len(attribute)
	b.long = b.long || len(attribute) > MaxName
	return placeholder
}

// Value returns a new placeholder for a value.
func (b *Builder) Value(av types.AttributeValue) string {
	placeholder := valuePlaceholders.at(b.values.Len())
	b.values.Add(av)
	b.size += len(placeholder) + codec.ValueSize(av)
	b.deep = b.deep || codec.TooDeep(av)
	return placeholder
}

// Null returns the placeholder of NULL, the same for each use.
func (b *Builder) Null() string {
	if b.null == "" {
		b.null = b.Value(nullValue())
	}
	return b.null
}

// Names returns the names by placeholder. It returns nil if there are none, because DynamoDB
// rejects an empty map.
func (b *Builder) Names() map[string]string {
	if b.names.Len() == 0 {
		return nil
	}
	names := make(map[string]string, b.names.Len())
	for i := range b.names.Len() {
		names[namePlaceholders.at(i)] = *b.names.At(i)
	}
	return names
}

// Values returns the values by placeholder. It returns nil if there are none, because DynamoDB
// rejects an empty map.
func (b *Builder) Values() map[string]types.AttributeValue {
	if b.values.Len() == 0 {
		return nil
	}
	values := make(map[string]types.AttributeValue, b.values.Len())
	for i := range b.values.Len() {
		values[valuePlaceholders.at(i)] = *b.values.At(i)
	}
	return values
}

// Check returns an error if names or values exceed the limits of a request.
func (b *Builder) Check() error {
	switch {
	case b.long:
		return limitExceeded("", "a name is longer than 65,535 bytes", "")
	case b.deep:
		return limitExceeded("", "a value is nested more than 32 levels deep", "split the item")
	case b.size > MaxSubstitutions:
		return limitExceeded("", "the names and values of the request's expressions are larger than 2 MB", "write the whole item instead")
	default:
		return nil
	}
}

// placeholders returns numbered placeholders. The first ones are cached.
type placeholders struct {
	prefix string
	first  [32]string
}

var namePlaceholders, valuePlaceholders = newPlaceholders("#n"), newPlaceholders(":v")

func newPlaceholders(prefix string) *placeholders {
	p := &placeholders{prefix: prefix}
	for i := range p.first {
		p.first[i] = prefix + strconv.Itoa(i)
	}
	return p
}

func (p *placeholders) at(i int) string {
	if i < len(p.first) {
		return p.first[i]
	}
	return p.prefix + strconv.Itoa(i)
}
