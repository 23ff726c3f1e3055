package generations

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/query"
)

// keySet is the keys of the parts of one generation.
type keySet struct {
	name      string // the attribute of the partition key
	partition types.AttributeValue
	sort      map[string]struct{}
}

func newKeySet(c query.Collection) (*keySet, error) {
	name, partition, err := partitionOf(c)
	return &keySet{name: name, partition: partition, sort: map[string]struct{}{}}, err
}

func (s *keySet) len() int { return len(s.sort) }

// add adds the key of a part, unless it has an error.
func (s *keySet) add(key map[string]types.AttributeValue, err error) error {
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(key[s.name], s.partition) {
		return errOtherPartition
	}
	sort := ""
	for name, value := range key {
		if name != s.name {
			sort = text(value)
		}
	}
	if _, twice := s.sort[sort]; twice {
		return errTwice
	}
	s.sort[sort] = struct{}{}
	return nil
}

// differ returns an error if two generations have the same partition key.
func differ(a, b query.Collection) error {
	_, one, err := partitionOf(a)
	if err != nil {
		return err
	}
	if _, other, _ := partitionOf(b); reflect.DeepEqual(one, other) {
		return errPartition
	}
	return nil
}

// partitionOf returns the partition key of a collection: its attribute and its value. They are the
// only name and the only value of its key condition.
func partitionOf(c query.Collection) (name string, value types.AttributeValue, err error) {
	in, err := c.Input()
	if err != nil {
		return "", nil, err
	}
	for _, name = range in.ExpressionAttributeNames {
	}
	for _, value = range in.ExpressionAttributeValues {
	}
	return name, value, nil
}

// text returns the value of a key attribute.
func text(av types.AttributeValue) string {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return string(v.Value)
	default:
		return ""
	}
}
