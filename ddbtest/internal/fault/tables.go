package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// StoreInfo is the [TableInfo] of a store.
type StoreInfo struct {
	Store *store.DB
	*engine.Config
}

// OnDemand implements [TableInfo].
func (i StoreInfo) OnDemand(table string) (is bool) {
	_ = i.Store.View(func(s *store.State) error {
		t := s.Tables[table]
		is = t != nil && t.OnDemandBilling
		return nil
	})
	return is
}

// IsGlobal implements [TableInfo].
func (i StoreInfo) IsGlobal(table, index string) (is bool) {
	_ = i.Store.View(func(s *store.State) error {
		if t := s.Tables[table]; t != nil {
			ix := t.Index(index)
			is = ix != nil && !ix.Local
		}
		return nil
	})
	return is
}

// CheckKey checks the rule's key against its table. A table that does not exist is not an error,
// because it may be created later.
func (s *Spec) CheckKey(db *store.DB) (err error) {
	_ = db.View(func(state *store.State) error {
		if t := state.Tables[s.Table]; t != nil {
			err = checkKey(t, s.Key)
		}
		return nil
	})
	return err
}

// checkKey returns an error if these attributes cannot be in the key of an item of the table.
func checkKey(t *store.Table, key value.Map) error {
	var errs []error
	all := t.Key.Attributes()
	for _, a := range key {
		i := slices.IndexFunc(all, func(k store.KeyAttribute) bool { return k.Name == a.Name })
		switch {
		case i < 0:
			names := make([]string, len(all))
			for i := range all {
				names[i] = all[i].Name
			}
			errs = append(errs, fmt.Errorf("OnKey: %q is not a key attribute of the table %q: the key is %s", a.Name, t.Name, quoted(names, ", ")))
		case all[i].Kind != a.Value.Kind():
			errs = append(errs, fmt.Errorf("OnKey: %q has type %s, but the table %q defines it as %s", a.Name, a.Value.Kind(), t.Name, all[i].Kind))
		}
	}
	return errors.Join(errs...)
}

// CheckNames returns an error if the rule names a table, index or key that does not exist.
func (s *Spec) CheckNames(db *store.DB) error {
	return db.View(func(state *store.State) error {
		tables, err := s.tables(state)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if checkKey(t, s.Key) == nil {
				return nil
			}
		}
		if s.Key == nil {
			return nil
		}
		return errors.New("OnKey: no table has these key attributes")
	})
}

// CheckTable returns an error if the rule names a table or an index that does not exist.
func (s *Spec) CheckTable(db *store.DB) error {
	return db.View(func(state *store.State) error {
		_, err := s.tables(state)
		return err
	})
}

// tables returns the tables to which the rule may apply. It returns an error if the rule names a
// table or an index that does not exist.
func (s *Spec) tables(state *store.State) (map[string]*store.Table, error) {
	tables := state.Tables
	if s.Table != "" {
		t := state.Tables[s.Table]
		if t == nil {
			return nil, NoTable(state, s.Table)
		}
		tables = map[string]*store.Table{s.Table: t}
	}
	var indexes []string
	found := s.Index == ""
	for _, t := range tables {
		for _, ix := range t.Indexes {
			indexes = append(indexes, ix.Name)
		}
		found = found || t.Index(s.Index) != nil
	}
	if !found {
		slices.Sort(indexes)
		return nil, UnknownName("index", s.Index, slices.Compact(indexes))
	}
	return tables, nil
}

// NoTable returns the error for a missing table, with similar names.
func NoTable(s *store.State, name string) error {
	return UnknownName("table", name, slices.Sorted(maps.Keys(s.Tables)))
}

// KeysOnly reduces the items of puts to their keys, for rules with a condition on keys.
func KeysOnly(db *store.DB, targets []engine.Target) []engine.Target {
	reduced := slices.Clone(targets)
	_ = db.View(func(s *store.State) error {
		for i := range reduced {
			if t := s.Tables[reduced[i].Table]; t != nil {
				reduced[i].Key = t.Key.Pick(reduced[i].Key)
			}
		}
		return nil
	})
	return reduced
}

// ItemNames returns a unique name for each item that the targets name.
func ItemNames(db *store.DB, targets []engine.Target) []string {
	names := make([]string, 0, len(targets))
	_ = db.View(func(s *store.State) error {
		for _, target := range targets {
			if t := s.Tables[target.Table]; t != nil && t.Key.Holds(target.Key) {
				names = append(names, target.Table+"/"+t.Key.Place(target.Key))
			}
		}
		return nil
	})
	return names
}
