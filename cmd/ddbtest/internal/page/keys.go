package page

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// keyAttribute is an attribute of the key of a table or index.
type keyAttribute struct {
	Name      string
	Type      types.ScalarAttributeType
	Partition bool // it is of the partition key, not of the sort key
}

// keyAttributes returns the attributes of a key, those of the partition key first.
func keyAttributes(schema []types.KeySchemaElement, definitions []types.AttributeDefinition) []keyAttribute {
	keys := make([]keyAttribute, len(schema))
	for i, e := range schema {
		keys[i] = keyAttribute{Name: aws.ToString(e.AttributeName), Partition: e.KeyType == types.KeyTypeHash}
		for _, d := range definitions {
			if aws.ToString(d.AttributeName) == keys[i].Name {
				keys[i].Type = d.AttributeType
			}
		}
	}
	return keys
}

// source is a table or one of its indexes.
type source struct {
	table     string
	index     string         // "" for the table
	global    bool           // it is a global index
	keys      []keyAttribute // of the source
	tableKeys []keyAttribute
}

// newSource returns a table or index, or errNoTable.
func newSource(d *types.TableDescription, index string) (*source, error) {
	s := &source{table: aws.ToString(d.TableName), index: index, tableKeys: keyAttributes(d.KeySchema, d.AttributeDefinitions)}
	if index == "" {
		s.keys = s.tableKeys
		return s, nil
	}
	for i := range d.LocalSecondaryIndexes {
		if ix := &d.LocalSecondaryIndexes[i]; aws.ToString(ix.IndexName) == index {
			s.keys = keyAttributes(ix.KeySchema, d.AttributeDefinitions)
			return s, nil
		}
	}
	for i := range d.GlobalSecondaryIndexes {
		if ix := &d.GlobalSecondaryIndexes[i]; aws.ToString(ix.IndexName) == index {
			s.keys, s.global = keyAttributes(ix.KeySchema, d.AttributeDefinitions), true
			return s, nil
		}
	}
	return nil, errNoTable
}

// columns returns the names of all key attributes, those of the source first.
func (s *source) columns() []string {
	var names []string
	seen := map[string]bool{}
	for _, keys := range [][]keyAttribute{s.keys, s.tableKeys} {
		for _, k := range keys {
			if !seen[k.Name] {
				seen[k.Name] = true
				names = append(names, k.Name)
			}
		}
	}
	return names
}

// position returns the key from which a read of the source continues after an item.
func (s *source) position(item attributes) attributes {
	return only(item, s.columns())
}

// key returns the key of an item in the table.
func (s *source) key(item attributes) attributes {
	names := make([]string, len(s.tableKeys))
	for i, k := range s.tableKeys {
		names[i] = k.Name
	}
	return only(item, names)
}

func only(item attributes, names []string) attributes {
	part := attributes{}
	for _, name := range names {
		part[name] = item[name]
	}
	return part
}
