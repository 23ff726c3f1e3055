package table

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Limits per table.
const (
	maxLocal     = 5
	maxGlobal    = 20
	maxProjected = 100 // total of the attributes in all INCLUDE projections
)

// localIndexes returns the local indexes of a table with that key.
func (a attributes) localIndexes(wanted []api.LocalSecondaryIndex, table store.KeySchema) ([]*store.Index, error) {
	if wanted != nil && len(wanted) == 0 {
		return nil, invalid("List of LocalSecondaryIndexes is empty")
	}
	if len(wanted) > 0 && len(table.Sort) == 0 {
		return nil, invalid("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	}
	if len(wanted) > maxLocal {
		return nil, invalid("Number of LocalSecondaryIndexes exceeds per-table limit of %d", maxLocal)
	}
	var indexes []*store.Index
	for _, w := range wanted {
		ix, err := a.localIndex(w, table)
		if err != nil {
			return nil, err
		}
		if hasIndex(indexes, ix.Name) {
			return nil, invalid("Duplicate index name: %s", ix.Name)
		}
		indexes = append(indexes, ix)
	}
	return indexes, nil
}

func (a attributes) localIndex(w api.LocalSecondaryIndex, table store.KeySchema) (*store.Index, error) {
	key, err := a.simpleKey(w.KeySchema)
	if err != nil {
		return nil, err
	}
	if len(key.Sort) == 0 {
		return nil, invalid("Index KeySchema does not have a range key for index: %s", w.IndexName)
	}
	if key.Partition[0].Name != table.Partition[0].Name {
		return nil, invalid("Index KeySchema does not have the same leading hash key as table KeySchema for index: %s. index hash key: %s, table hash key: %s",
			w.IndexName, key.Partition[0].Name, table.Partition[0].Name)
	}
	p, err := projection(w.Projection)
	if err != nil {
		return nil, err
	}
	return &store.Index{Name: w.IndexName, Local: true, Key: key, Projection: p}, nil
}

// globalIndexes returns the global indexes of a table that also has the others.
func (a attributes) globalIndexes(wanted []api.GlobalSecondaryIndex, others []*store.Index, onDemand bool) ([]*store.Index, error) {
	if wanted != nil && len(wanted) == 0 {
		return nil, invalid("List of GlobalSecondaryIndexes is empty")
	}
	if err := globalCount(len(wanted)); err != nil {
		return nil, err
	}
	var indexes []*store.Index
	for _, w := range wanted {
		ix, err := a.globalIndex(w, onDemand)
		if err != nil {
			return nil, err
		}
		if hasIndex(indexes, ix.Name) || hasIndex(others, ix.Name) {
			return nil, invalid("Duplicate index name: %s", ix.Name)
		}
		indexes = append(indexes, ix)
	}
	return indexes, nil
}

func (a attributes) globalIndex(w api.GlobalSecondaryIndex, onDemand bool) (*store.Index, error) {
	key, err := a.globalKey(w.KeySchema)
	if err != nil {
		return nil, err
	}
	p, err := projection(w.Projection)
	if err != nil {
		return nil, err
	}
	ix := &store.Index{Name: w.IndexName, Key: key, Projection: p}
	if ix.Throughput, err = indexThroughput(w.IndexName, w.ProvisionedThroughput, onDemand); err != nil {
		return nil, err
	}
	if ix.Limit, err = newLimit(w.OnDemandThroughput, onDemand, "index: "+w.IndexName); err != nil {
		return nil, err
	}
	ix.Warm, err = newWarm(w.WarmThroughput, onDemand, ix.Throughput, "index "+w.IndexName)
	return ix, err
}

// globalCount rejects too many global indexes.
func globalCount(n int) error {
	if n > maxGlobal {
		return invalid("GlobalSecondaryIndex count exceeds the per-table limit of %d", maxGlobal)
	}
	return nil
}

// projectedCount rejects too many projected attributes in the indexes of a table.
func projectedCount(indexes []*store.Index) error {
	n := 0
	for _, ix := range indexes {
		n += len(ix.Projection.Names)
	}
	if n > maxProjected {
		return invalid("Number of NonKeyAttributes of all indexes exceeds per-table limit of %d", maxProjected)
	}
	return nil
}

func hasIndex(indexes []*store.Index, name string) bool {
	return slices.ContainsFunc(indexes, func(ix *store.Index) bool { return ix.Name == name })
}

func projection(p *api.Projection) (store.Projection, error) {
	switch {
	case p.ProjectionType == "":
		return store.Projection{}, invalid("Unknown ProjectionType: null")
	case p.ProjectionType != "INCLUDE" && p.NonKeyAttributes != nil:
		return store.Projection{}, invalid("ProjectionType is %s, but NonKeyAttributes is specified", p.ProjectionType)
	case p.ProjectionType == "INCLUDE" && p.NonKeyAttributes == nil:
		return store.Projection{}, invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	}
	for i, name := range p.NonKeyAttributes {
		if slices.Contains(p.NonKeyAttributes[:i], name) {
			return store.Projection{}, invalid("Duplicate element in NonKeyAttributes: %s", name)
		}
	}
	return store.Projection{Type: p.ProjectionType, Names: p.NonKeyAttributes}, nil
}
