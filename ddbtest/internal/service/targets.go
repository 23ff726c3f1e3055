package service

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

type targets = []engine.Target

// one is one item of a table.
func one(table string, key value.Map, write bool) targets {
	return targets{{Table: api.TableName(table), Key: key, Write: write}}
}

// paged is a table or one of its indexes.
func paged(table string, index *string) targets {
	t := engine.Target{Table: api.TableName(table)}
	if index != nil {
		t.Index = *index
	}
	return targets{t}
}

// whole is a table, by its name or its ARN.
func whole(table string) targets { return targets{{Table: api.TableName(table)}} }

// maybe is a table that need not be named.
func maybe(table *string) targets {
	if table == nil {
		return nil
	}
	return whole(*table)
}

// streamed is the table of a stream, by the stream's ARN or by what begins with it, as an iterator does.
func streamed(text string) targets {
	if name := api.TableName(text); name != text {
		return targets{{Table: name}}
	}
	return nil
}

func named(in *api.TableInput) targets { return whole(in.TableName) }

func none(*api.Empty) targets { return nil }
