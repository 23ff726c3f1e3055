package service

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

type (
	target  = engine.Target
	targets = []engine.Target
)

// itemTarget returns one item of a table.
func itemTarget(table string, key value.Map, write bool) target {
	return target{Table: api.TableName(table), Key: key, Write: write}
}

// indexTarget returns a table or one of its indexes.
func indexTarget(table string, index *string) target {
	t := target{Table: api.TableName(table)}
	if index != nil {
		t.Index = *index
	}
	return t
}

// tableTarget returns a table by its name or ARN.
func tableTarget(table string) target { return target{Table: api.TableName(table)} }

// optionalTableTarget returns a table, or nothing if it is not named.
func optionalTableTarget(table *string) targets {
	if table == nil {
		return nil
	}
	return targets{tableTarget(*table)}
}

// streamTarget returns the table of a stream, by the stream's ARN or by a text that begins with it,
// such as a shard iterator.
func streamTarget(text string) targets {
	if name := api.TableName(text); name != text {
		return targets{{Table: name}}
	}
	return nil
}

func inputTarget(in *api.TableInput) target { return tableTarget(in.TableName) }

// noTarget is for operations of the account.
func noTarget(*api.Empty) targets { return nil }
