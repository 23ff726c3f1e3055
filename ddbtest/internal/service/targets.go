package service

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

type targets = []engine.Target

// one returns one item of a table.
func one(table string, key value.Map, write bool) targets {
	return targets{{Table: api.TableName(table), Key: key, Write: write}}
}

// paged returns a table or one of its indexes.
func paged(table string, index *string) targets {
	t := engine.Target{Table: api.TableName(table)}
	if index != nil {
		t.Index = *index
	}
	return targets{t}
}

// whole returns a table by its name or ARN.
func whole(table string) targets { return targets{{Table: api.TableName(table)}} }

// maybe returns a table, or nothing if it is not named.
func maybe(table *string) targets {
	if table == nil {
		return nil
	}
	return whole(*table)
}

// streamed returns the table of a stream, by the stream's ARN or by a text that begins with it,
// such as a shard iterator.
func streamed(text string) targets {
	if name := api.TableName(text); name != text {
		return targets{{Table: name}}
	}
	return nil
}

func named(in *api.TableInput) targets { return whole(in.TableName) }
