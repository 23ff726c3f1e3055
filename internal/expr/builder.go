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
	long   bool
}

// NewBuilder returns a builder for one request.
func NewBuilder() *Builder { return &Builder{} }

// Name returns the placeholder of an attribute's name.
func (b *Builder) Name(attribute string) string {
	for i := range b.names.Len() {
		if *b.names.At(i) == attribute {
			return nameMarks.at(i)
		}
	}
	mark := nameMarks.at(b.names.Len())
	b.names.Add(attribute)
	b.size += len(mark) + len(attribute)
	b.long = b.long || len(attribute) > MaxName
	return mark
}

// Value returns a new placeholder for a value.
func (b *Builder) Value(av types.AttributeValue) string {
	mark := valueMarks.at(b.values.Len())
	b.values.Add(av)
	b.size += len(mark) + codec.ValueSize(av)
	return mark
}

// Names returns the names by placeholder. It returns nil if there are none, because DynamoDB
// rejects an empty map.
func (b *Builder) Names() map[string]string {
	if b.names.Len() == 0 {
		return nil
	}
	names := make(map[string]string, b.names.Len())
	for i := range b.names.Len() {
		names[nameMarks.at(i)] = *b.names.At(i)
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
		values[valueMarks.at(i)] = *b.values.At(i)
	}
	return values
}

// Check returns an error if names or values exceed the limits of a request.
func (b *Builder) Check() error {
	switch {
	case b.long:
		return exceeds("", "a name is longer than 65,535 bytes", "")
	case b.size > MaxSubstitutions:
		return exceeds("", "the names and values of the request's expressions are larger than 2 MB", "write the whole item instead")
	default:
		return nil
	}
}

// placeholders returns numbered placeholders. The first ones are cached.
type placeholders struct {
	prefix string
	first  [32]string
}

var nameMarks, valueMarks = newMarks("#n"), newMarks(":v")

func newMarks(prefix string) *placeholders {
	m := &placeholders{prefix: prefix}
	for i := range m.first {
		m.first[i] = prefix + strconv.Itoa(i)
	}
	return m
}

func (m *placeholders) at(i int) string {
	if i < len(m.first) {
		return m.first[i]
	}
	return m.prefix + strconv.Itoa(i)
}
