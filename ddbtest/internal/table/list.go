package table

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// maxListed is the largest number of names in a reply.
const maxListed = 100

// List implements ListTables. It includes tables that are being created or deleted.
func List(c *engine.Call, in *api.ListTablesInput) (*api.ListTablesOutput, error) {
	out := &api.ListTablesOutput{TableNames: []string{}}
	limit := maxListed
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	_ = c.DB.View(func(s *store.State) error { // cannot fail
		now := c.Now()
		for _, name := range slices.Sorted(maps.Keys(s.Tables)) {
			if s.Lookup(name, now) == nil || in.ExclusiveStartTableName != nil && name <= *in.ExclusiveStartTableName {
				continue
			}
			if len(out.TableNames) == limit {
				out.LastEvaluatedTableName = &out.TableNames[limit-1]
				break
			}
			out.TableNames = append(out.TableNames, name)
		}
		return nil
	})
	return out, nil
}
