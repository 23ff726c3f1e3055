package expr

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// Builder collects the names and values of one request, behind placeholders that are numbered as they come: #n0, :v0. A name that comes
// again gets the placeholder that it has.
type Builder struct {
	names  map[string]string // by placeholder
	marks  map[string]string // placeholders by name
	values map[string]types.AttributeValue
	size   int
	long   bool
}

// NewBuilder returns a builder for one request.
func NewBuilder() *Builder { return &Builder{} }

// Name returns the placeholder of an attribute's name.
func (b *Builder) Name(attribute string) string {
	if mark, ok := b.marks[attribute]; ok {
		return mark
	}
	if b.names == nil {
		b.names, b.marks = make(map[string]string, 4), make(map[string]string, 4)
	}
	mark := "#n" + strconv.Itoa(len(b.names))
	b.names[mark], b.marks[attribute] = attribute, mark
	b.size += len(mark) + len(attribute)
	b.long = b.long || len(attribute) > MaxName
	return mark
}

// Value returns a new placeholder for a value.
func (b *Builder) Value(av types.AttributeValue) string {
	if b.values == nil {
		b.values = make(map[string]types.AttributeValue, 4)
	}
	mark := ":v" + strconv.Itoa(len(b.values))
	b.values[mark] = av
	b.size += len(mark) + codec.ValueSize(av)
	return mark
}

// Names returns the names by placeholder; nil where there are none, as the service wants it.
func (b *Builder) Names() map[string]string { return b.names }

// Values returns the values by placeholder; nil where there are none, as the service wants it.
func (b *Builder) Values() map[string]types.AttributeValue { return b.values }

// Check refuses names and values that are too large for a request.
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
