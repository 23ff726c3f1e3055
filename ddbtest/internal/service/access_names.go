package service

import (
	"encoding/base64"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/legacy"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// parse returns the top-level attributes that the expressions and the legacy parameters name, and
// the key condition.
func (x expressions) parse() (names []string, key *expression.KeyCondition, err error) {
	names, key, err = x.parseExpressions()
	if err != nil {
		return nil, nil, err
	}
	names = append(names, slices.Sorted(slices.Values(x.attributes))...)
	if key == nil && x.keyConditions != nil {
		if key, err = legacy.KeyCondition(x.keyConditions); err != nil {
			return nil, nil, err
		}
		for _, c := range key.Comparisons {
			names = append(names, c.Attribute)
		}
	}
	return names, key, nil
}

func (x expressions) parseExpressions() (names []string, key *expression.KeyCondition, err error) {
	if x.key == nil && x.filter == nil && x.projection == nil && x.update == nil {
		return nil, nil, nil
	}
	p, err := expression.NewPlaceholders(x.ExpressionAttributeNames, x.ExpressionAttributeValues)
	if err != nil {
		return nil, nil, err
	}
	add := func(paths []expression.Path) {
		for _, path := range paths {
			names = append(names, path[0].Name)
		}
	}
	if x.key != nil {
		if key, err = expression.ParseKeyCondition(*x.key, p); err != nil {
			return nil, nil, err
		}
		for _, c := range key.Comparisons {
			names = append(names, c.Attribute)
		}
	}
	if x.filter != nil {
		c, err := expression.ParseCondition(x.kind, *x.filter, p)
		if err != nil {
			return nil, nil, err
		}
		add(c.Paths())
	}
	if x.projection != nil {
		c, err := expression.ParseProjection(*x.projection, p)
		if err != nil {
			return nil, nil, err
		}
		add(c.Paths())
	}
	if x.update != nil {
		u, err := expression.ParseUpdate(*x.update, p)
		if err != nil {
			return nil, nil, err
		}
		add(u.Paths())
		add(u.SourcePaths())
	}
	return names, key, nil
}

// addTo adds a value of a condition key.
func addTo(k keys, key, text string) { k[key] = append(k[key], text) }

// keyText returns the text of a value of a partition key. Binary values are in Base64.
func keyText(v value.Value) (string, bool) {
	switch v := v.(type) {
	case value.String:
		return string(v), true
	case value.Number:
		return v.String(), true
	case value.Binary:
		return base64.StdEncoding.EncodeToString([]byte(v)), true
	default:
		return "", false
	}
}
