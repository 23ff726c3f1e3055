package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Delete implements DeleteTable.
func Delete(c *engine.Call, in *api.TableInput) (*api.TableOutput, error) {
	out := &api.TableOutput{}
	err := change(c, func(s *store.State) error {
		t, err := findIdle(s, in.TableName)
		if err != nil {
			return err
		}
		if t.DeletionProtected {
			return awserr.Validation("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
		}
		t.DeleteAt = s.Now.Add(c.Config.TableDelay)
		s.AddDue(t)
		out.TableDescription = describeDeleted(t, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// describeDeleted describes a table without the members that the reply to DeleteTable omits.
func describeDeleted(t *store.Table, s *store.State) *api.TableDescription {
	d := describe(t, justBefore(s.Now))
	d.AttributeDefinitions, d.KeySchema, d.CreationDateTime = nil, nil, nil
	d.LocalSecondaryIndexes, d.GlobalSecondaryIndexes = nil, nil
	return d
}
