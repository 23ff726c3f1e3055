package document

import (
	"bytes"
	"crypto/sha256"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
)

// Large is a field of a part whose value may exceed the 400 KB of an item: a text, bytes, a list,
// or any other type that can be an attribute. The item only has a reference. The value is cut into
// chunks of 380,000 bytes, each an item in a partition of its own, which are never overwritten: a
// changed value gets new ones. With the tag document:"compress" it is compressed before, by package
// flate, if that makes it smaller.
//
//	Text document.Large[string] `dynamodbav:"text" document:"compress"`
//
// A value has at most 256 MB. Only this package reads and writes it. A get by another repository
// returns the reference and a zero Value, and a put keeps the reference. A put of a Value that is
// not the stored one is [trestle.ErrInvalid].
type Large[T any] struct {
	Value T

	content content
}

// content is the stored form of a large value.
type content struct {
	ref    Reference // empty ID: nothing is stored
	loaded bool      // Value has the stored value
	lost   bool      // the stored value cannot be read
}

// largeField is a pointer to a Large.
type largeField interface {
	// large returns a pointer to the value, and its stored form.
	large() (value any, stored *content)
}

//go:noinline
func (l *Large[T]) large() (value any, stored *content) { return &l.Value, &l.content }

// Lost reports whether the stored value is lost: its chunks are missing or damaged, and the
// document was read with [Unverified]. Value is zero then, unless the program has set it. The next
// [Repo.Save] stores Value, also if it is zero.
//
//go:noinline
func (l *Large[T]) Lost() bool { return l != nil && l.content.lost }

// MarshalDynamoDBAttributeValue returns the reference, as the attribute of the item.
//
//go:noinline
func (l Large[T]) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return marshalLarge(&l.Value, &l.content)
}

// UnmarshalDynamoDBAttributeValue sets the reference.
//
//go:noinline
func (l *Large[T]) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	return l.content.decode(av)
}

func marshalLarge(value any, c *content) (types.AttributeValue, error) {
	if isZero(value) && (c.ref.ID == "" || !c.loaded) {
		return c.encode()
	}
	data, err := encodeContent(value)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); c.ref.ID == "" || c.lost || !bytes.Equal(sum[:], c.ref.Sum) {
		return nil, errUnsaved
	}
	return c.encode()
}

var (
	errUnsaved  = errs.New("", "a large value is not the stored one", "save its document")
	errUnread   = errs.New("", "a large value was not read, and is that of another item", "read its document, and copy the value")
	errRewrites = errs.New("", "a change of the time to live rewrites every item and chunk, and some were not read", "read the whole document")
)

// references encodes a Reference.
var references, _ = codec.Compile(typeOfReference)

// encode returns the attribute of the reference.
func (c *content) encode() (types.AttributeValue, error) {
	if c.ref.ID == "" {
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	return encodeReference(&c.ref)
}

func encodeReference(r *Reference) (types.AttributeValue, error) {
	m := codec.Item{}
	err := references.Encode(codec.PtrTo(r), m)
	return &types.AttributeValueMemberM{Value: m}, err
}

func (c *content) decode(av types.AttributeValue) error {
	*c = content{}
	m, ok := av.(*types.AttributeValueMemberM)
	if !ok {
		return nil
	}
	return references.Decode(m.Value, codec.PtrTo(&c.ref), nil)
}
