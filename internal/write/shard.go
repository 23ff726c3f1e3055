package write

import (
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// chooseShard sets the shard of an entity without one, if its shard is random. Later plans of the
// same call keep it.
func (a PutArgs) chooseShard(stamps *Stamps) error {
	f := a.Plan.Shard
	if f == nil {
		return nil
	}
	stamps.fields.Add(f)
	if !f.IsZero(a.Entity) {
		return nil
	}
	n, err := a.Shard(a.Plan.Table.Sharded().Shard.Current())
	if err != nil {
		return err
	}
	return errs.Wrap(f.Name, f.SetKey(keys.Int(int64(n)), a.Entity))
}
