package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// checkIndexUpdates rejects updates without exactly one member, and several updates of one index.
func checkIndexUpdates(updates []api.GlobalSecondaryIndexUpdate) error {
	seen := map[string]bool{}
	for _, up := range updates {
		name, members := "", 0
		if up.Update != nil {
			name, members = up.Update.IndexName, members+1
		}
		if up.Create != nil {
			name, members = up.Create.IndexName, members+1
		}
		if up.Delete != nil {
			name, members = up.Delete.IndexName, members+1
		}
		switch {
		case members == 0:
			return invalid("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
		case members > 1:
			return invalid("Only one of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete " +
				"may be specified")
		case seen[name]:
			return invalid("Only one global secondary index update per index is allowed simultaneously. Index: %s", name)
		}
		seen[name] = true
	}
	return nil
}

// planIndexes plans the updates of global indexes.
func (u *update) planIndexes() error {
	online := 0
	for _, up := range u.in.GlobalSecondaryIndexUpdates {
		if up.Update == nil {
			online++
		}
	}
	if online > 1 {
		return limited("Only 1 online index can be created or deleted simultaneously per table")
	}
	for _, up := range u.in.GlobalSecondaryIndexUpdates {
		if err := u.planIndex(up); err != nil {
			return err
		}
	}
	return nil
}

func (u *update) planIndex(up api.GlobalSecondaryIndexUpdate) error {
	switch {
	case up.Create != nil:
		return u.planCreate(up.Create)
	case up.Delete != nil:
		return u.planDelete(up.Delete.IndexName)
	default:
		return u.planIndexThroughput(up.Update)
	}
}

// planCreate plans a new index. It is filled at once, and can be read after the delay.
func (u *update) planCreate(w *api.GlobalSecondaryIndex) error {
	t := u.t
	if t.Index(w.IndexName) != nil {
		return awserr.Validation("Attempting to create an index which already exists")
	}
	ix, err := u.defined.globalIndex(*w, u.onDemand())
	if err != nil {
		return err
	}
	definition, err := extend(t.Definition, ix.Key)
	if err != nil {
		return err
	}
	if err := u.checkCounts(ix); err != nil {
		return err
	}
	ix.ActiveAt = u.s.Now.Add(u.cfg.TableDelay)
	u.addStep(func() {
		t.Definition = definition
		t.AddIndex(ix)
	})
	return nil
}

// checkCounts rejects one index or projected attribute too many.
func (u *update) checkCounts(added *store.Index) error {
	globals := 1
	for _, ix := range u.t.Indexes {
		if !ix.Local {
			globals++
		}
	}
	if err := globalCount(globals); err != nil {
		return err
	}
	return projectedCount(append([]*store.Index{added}, u.t.Indexes...))
}

// extend returns the attribute definitions with those of a key. Known definitions must not change.
func extend(known attributes, key store.KeySchema) (attributes, error) {
	extended := known[:len(known):len(known)]
	for _, a := range key.All() {
		switch kind := known.kind(a.Name); kind {
		case a.Kind:
		case 0:
			extended = append(extended, a)
		default:
			return nil, errRedefined(a.Name, kind, a.Kind)
		}
	}
	return extended, nil
}

func errRedefined(name string, was, is value.Kind) error {
	return invalid("Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. "+
		"Existing schema: Schema:[SchemaElement: key{%[1]s:%[2]s}] New schema: Schema:[SchemaElement: key{%[1]s:%[3]s}]", name, was, is)
}

// planDelete plans the deletion of an index. It cannot be read from then on, and is gone after the
// delay.
func (u *update) planDelete(name string) error {
	ix, err := u.globalIndex(name)
	if err != nil {
		return err
	}
	u.addStep(func() { ix.DeleteAt = u.s.Now.Add(u.cfg.TableDelay) })
	return nil
}

func (u *update) globalIndex(name string) (*store.Index, error) {
	switch ix := u.t.Index(name); {
	case ix == nil:
		return nil, awserr.NotFound()
	case ix.Local:
		return nil, invalid("The index is not a global secondary index: %s", name)
	default:
		return ix, nil
	}
}

// planIndexThroughput plans the throughput of an existing index.
func (u *update) planIndexThroughput(w *api.UpdateGlobalSecondaryIndex) error {
	if w.WarmThroughput != nil && !hasWarm(w.WarmThroughput) {
		return invalid("WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: %s", w.IndexName)
	}
	if w.ProvisionedThroughput == nil && !hasLimit(w.OnDemandThroughput) && w.WarmThroughput == nil {
		return invalid("ProvisionedThroughput, OnDemandThroughput or WarmThroughput must be specified for index: %s", w.IndexName)
	}
	if w.ProvisionedThroughput != nil {
		moved, err := u.indexThroughput(w)
		if err != nil {
			return err
		}
		u.addStep(func() { u.t.Index(w.IndexName).Throughput = moved })
	}
	ix, err := u.globalIndex(w.IndexName)
	if err != nil {
		return err
	}
	if hasLimit(w.OnDemandThroughput) {
		limit, err := changedLimit(ix.Limit, w.OnDemandThroughput, u.onDemand(), "index: "+w.IndexName)
		if err != nil {
			return err
		}
		u.addStep(func() { ix.Limit = limit })
	}
	u.addStep(func() { ix.UpdatedAt = u.s.Now.Add(u.cfg.TableDelay) })
	return nil
}

// indexThroughput returns the throughput of the index after the update.
func (u *update) indexThroughput(w *api.UpdateGlobalSecondaryIndex) (store.Throughput, error) {
	ix := u.t.Index(w.IndexName)
	to, err := indexThroughput(w.IndexName, w.ProvisionedThroughput, u.onDemand())
	switch {
	case err != nil || ix == nil:
		return to, err
	case u.t.OnDemandBilling:
		return ix.Throughput.ChangeTo(to.Read, to.Write, u.change()), nil
	}
	return u.changeThroughput(ix.Throughput, w.ProvisionedThroughput, "index "+w.IndexName)
}
