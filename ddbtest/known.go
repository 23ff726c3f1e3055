package ddbtest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// checkKey checks the rule's key against its table. A table that does not exist is not an error,
// because it may be created later.
func (db *DB) checkKey(spec *fault.Spec) (err error) {
	_ = db.store.View(func(s *store.State) error {
		if t := s.Tables[spec.Table]; t != nil {
			err = isKeyOf(t, spec.Key)
		}
		return nil
	})
	return err
}

// isKeyOf returns an error if these attributes cannot be in the key of an item of the table.
func isKeyOf(t *store.Table, key value.Map) error {
	var faults []error
	all := t.Key.All()
	for _, a := range key {
		i := slices.IndexFunc(all, func(k store.KeyAttribute) bool { return k.Name == a.Name })
		switch {
		case i < 0:
			faults = append(faults, fmt.Errorf("OnKey: %s is not in the key of the table %q, which is %s", a.Name, t.Name, named(all)))
		case all[i].Kind != a.Value.Kind():
			faults = append(faults, fmt.Errorf("OnKey: %s is %s, and in the table %q %s", a.Name, a.Value.Kind(), t.Name, all[i].Kind))
		}
	}
	return errors.Join(faults...)
}

func named(attributes []store.KeyAttribute) string {
	var names []string
	for _, a := range attributes {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// strange returns an error if the rule names a table, index or key that does not exist.
func (db *DB) strange(spec *fault.Spec) (err error) {
	_ = db.store.View(func(s *store.State) error {
		tables := s.Tables
		if spec.Table != "" {
			t := s.Tables[spec.Table]
			if t == nil {
				err = noTable(s, spec.Table)
				return nil
			}
			tables = map[string]*store.Table{spec.Table: t}
		}
		switch {
		case spec.Index != "" && !anyTable(tables, func(t *store.Table) bool { return t.Index(spec.Index) != nil }):
			err = fault.Misnamed("index", spec.Index, indexes(tables))
		case spec.Key != nil && !anyTable(tables, func(t *store.Table) bool { return isKeyOf(t, spec.Key) == nil }):
			err = errors.New("OnKey: no table has such a key")
		}
		return nil
	})
	return err
}

func anyTable(tables map[string]*store.Table, is func(*store.Table) bool) bool {
	for _, t := range tables {
		if is(t) {
			return true
		}
	}
	return false
}

// indexes returns the names of the tables' indexes.
func indexes(tables map[string]*store.Table) []string {
	names := map[string]bool{}
	for _, t := range tables {
		for _, ix := range t.Indexes {
			names[ix.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// keysOf reduces the items of puts to their keys, for rules by key.
func (db *DB) keysOf(targets []engine.Target) []engine.Target {
	keyed := slices.Clone(targets)
	_ = db.store.View(func(s *store.State) error {
		for i := range keyed {
			if t := s.Tables[keyed[i].Table]; t != nil {
				keyed[i].Key = t.Key.Pick(keyed[i].Key)
			}
		}
		return nil
	})
	return keyed
}
