package service

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

type targets = []engine.Target

// one is one item of a table.
func one(table string, key value.Map, write bool) targets {
	return targets{{Table: wire.TableName(table), Key: key, Write: write}}
}

// paged is a table or one of its indexes.
func paged(table string, index *string) targets {
	t := engine.Target{Table: wire.TableName(table)}
	if index != nil {
		t.Index = *index
	}
	return targets{t}
}

// whole is a table, by its name or its ARN.
func whole(table string) targets { return targets{{Table: wire.TableName(table)}} }

func named(in *api.TableInput) targets { return whole(in.TableName) }

func none(*api.Empty) targets { return nil }
