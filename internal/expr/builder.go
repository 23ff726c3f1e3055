package expr

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// Builder collects the names and values of one request, behind placeholders that are numbered as they come: #n0, :v0. A name that comes
// again gets the placeholder that it has. The zero value is ready.
type Builder struct {
	names  []string // by number
	values []types.AttributeValue
	size   int
	long   bool

	fewNames  [6]string // where the lists stand when they are short
	fewValues [6]types.AttributeValue
}

// NewBuilder returns a builder for one request.
func NewBuilder() *Builder { return &Builder{} }

// Name returns the placeholder of an attribute's name.
func (b *Builder) Name(attribute string) string {
	for i, name := range b.names {
		if name == attribute {
			return nameMarks.at(i)
		}
	}
	if b.names == nil {
		b.names = b.fewNames[:0]
	}
	mark := nameMarks.at(len(b.names))
	b.names = append(b.names, attribute)
	b.size += len(mark) + len(attribute)
	b.long = b.long || len(attribute) > MaxName
	return mark
}

// Value returns a new placeholder for a value.
func (b *Builder) Value(av types.AttributeValue) string {
	if b.values == nil {
		b.values = b.fewValues[:0]
	}
	mark := valueMarks.at(len(b.values))
	b.values = append(b.values, av)
	b.size += len(mark) + codec.ValueSize(av)
	return mark
}

// Names returns the names by placeholder; nil where there are none, as the service wants it.
func (b *Builder) Names() map[string]string {
	if len(b.names) == 0 {
		return nil
	}
	names := make(map[string]string, len(b.names))
	for i, name := range b.names {
		names[nameMarks.at(i)] = name
	}
	return names
}

// Values returns the values by placeholder; nil where there are none, as the service wants it.
func (b *Builder) Values() map[string]types.AttributeValue {
	if len(b.values) == 0 {
		return nil
	}
	values := make(map[string]types.AttributeValue, len(b.values))
	for i, av := range b.values {
		values[valueMarks.at(i)] = av
	}
	return values
}

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

// placeholders are numbered. The first ones are made once.
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
