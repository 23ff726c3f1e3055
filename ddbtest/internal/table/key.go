package table

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Key types.
const (
	hashKey  = "HASH"
	rangeKey = "RANGE"
)

// maxKeyAttributes is the largest number of attributes of each key type in the key of a global
// index.
const maxKeyAttributes = 4

// attributes are the attribute definitions of a request.
type attributes []store.KeyAttribute

// parseDefinitions parses attribute definitions.
func parseDefinitions(definitions []api.AttributeDefinition) (attributes, error) {
	defined := make(attributes, 0, len(definitions))
	seen := make(map[string]bool, len(definitions))
	for _, d := range definitions {
		if seen[d.AttributeName] {
			return nil, awserr.Validation("Attribute Name is duplicated: %s", d.AttributeName)
		}
		seen[d.AttributeName] = true
		defined = append(defined, store.KeyAttribute{Name: d.AttributeName, Kind: value.KindOf(d.AttributeType)})
	}
	return defined, nil
}

// kind returns the type of an attribute, or 0 if it is not defined.
func (a attributes) kind(name string) value.Kind {
	for _, d := range a {
		if d.Name == name {
			return d.Kind
		}
	}
	return 0
}

func (a attributes) names() []string {
	names := make([]string, len(a))
	for i, d := range a {
		names[i] = d.Name
	}
	return names
}

// tableKey returns the key of a table.
func (a attributes) tableKey(elements []api.KeySchemaElement) (store.KeySchema, error) {
	if len(elements) > len(a) {
		return store.KeySchema{}, awserr.Validation("Invalid KeySchema: Some index key attribute have no definition")
	}
	return a.simpleKey(elements)
}

// simpleKey returns the key of a table or of a local index: a partition key, and at most one sort
// key.
func (a attributes) simpleKey(elements []api.KeySchemaElement) (store.KeySchema, error) {
	switch {
	case !a.definesAll(elements):
		return store.KeySchema{}, a.errUndefined(elements)
	case len(elements) == 2 && elements[0].AttributeName == elements[1].AttributeName:
		return store.KeySchema{}, errSameName()
	case elements[0].KeyType != hashKey:
		return store.KeySchema{}, errNoHashKey()
	case len(elements) == 2 && elements[1].KeyType != rangeKey:
		return store.KeySchema{}, awserr.Validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return a.schema(elements), nil
}

// globalKey returns the key of a global index.
func (a attributes) globalKey(elements []api.KeySchemaElement) (store.KeySchema, error) {
	if !a.definesAll(elements) {
		return store.KeySchema{}, a.errUndefined(elements)
	}
	var seen []string
	for i, e := range elements {
		switch {
		case slices.Contains(seen, e.AttributeName) && len(elements) == 2 && e.KeyType == rangeKey:
			return store.KeySchema{}, errSameName()
		case slices.Contains(seen, e.AttributeName):
			return store.KeySchema{}, awserr.Validation("The KeySchema contains multiple key attributes with the same name")
		case i == 0 && e.KeyType != hashKey:
			return store.KeySchema{}, errNoHashKey()
		case i > 0 && e.KeyType == hashKey && elements[i-1].KeyType == rangeKey:
			return store.KeySchema{}, invalid("All HASH key attributes must precede RANGE key attributes in the KeySchema")
		}
		seen = append(seen, e.AttributeName)
	}
	key := a.schema(elements)
	if len(key.Partition) > maxKeyAttributes {
		return store.KeySchema{}, invalid("The KeySchema exceeds the maximum allowed number of HASH key attributes")
	}
	if len(key.Sort) > maxKeyAttributes {
		return store.KeySchema{}, invalid("The KeySchema exceeds the maximum allowed number of RANGE key attributes")
	}
	return key, nil
}

func (a attributes) schema(elements []api.KeySchemaElement) store.KeySchema {
	var key store.KeySchema
	for _, e := range elements {
		attribute := store.KeyAttribute{Name: e.AttributeName, Kind: a.kind(e.AttributeName)}
		if e.KeyType == hashKey {
			key.Partition = append(key.Partition, attribute)
		} else {
			key.Sort = append(key.Sort, attribute)
		}
	}
	return key
}

func (a attributes) definesAll(elements []api.KeySchemaElement) bool {
	for _, e := range elements {
		if a.kind(e.AttributeName) == 0 {
			return false
		}
	}
	return true
}

func (a attributes) errUndefined(elements []api.KeySchemaElement) error {
	keys := make([]string, len(elements))
	for i, e := range elements {
		keys[i] = e.AttributeName
	}
	return invalid("Some index key attributes are not defined in AttributeDefinitions. Keys: %s, AttributeDefinitions: %s", formatNames(keys), formatNames(a.names()))
}

func errSameName() error {
	return awserr.Validation("Both the Hash Key and the Range Key element in the KeySchema have the same name")
}

func errNoHashKey() error {
	return awserr.Validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
}

// withoutUnused returns the request without definitions of attributes that no key uses.
func withoutUnused(in *api.CreateTableInput) *api.CreateTableInput {
	elements := slices.Clone(in.KeySchema)
	for _, ix := range in.LocalSecondaryIndexes {
		elements = append(elements, ix.KeySchema...)
	}
	for _, ix := range in.GlobalSecondaryIndexes {
		elements = append(elements, ix.KeySchema...)
	}
	without := *in
	without.AttributeDefinitions = slices.DeleteFunc(slices.Clone(in.AttributeDefinitions), func(d api.AttributeDefinition) bool {
		return !slices.ContainsFunc(elements, func(e api.KeySchemaElement) bool { return e.AttributeName == d.AttributeName })
	})
	return &without
}

// allUsed rejects definitions of attributes that no key uses.
func (a attributes) allUsed(table store.KeySchema, indexes []*store.Index) error {
	keys := table.Attributes()
	if len(indexes) == 0 && len(keys) != len(a) {
		return invalid("Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	for _, ix := range indexes {
		keys = append(keys, ix.Key.Attributes()...)
	}
	var used []string
	for _, k := range keys {
		if !slices.Contains(used, k.Name) {
			used = append(used, k.Name)
		}
	}
	if len(used) != len(a) {
		return invalid("Some AttributeDefinitions are not used. AttributeDefinitions: %s, keys used: %s", formatNames(a.names()), formatNames(used))
	}
	return nil
}
