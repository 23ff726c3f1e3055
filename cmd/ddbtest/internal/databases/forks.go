package databases

import (
	"fmt"
	"slices"
)

// ForksError is the error of a reset or a removal of a database that has forks.
type ForksError struct{ Forks []Key }

func (e *ForksError) Error() string { return fmt.Sprintf("the database has forks: %v", e.Forks) }

// checkForks returns an error if a database has forks that may not be closed. The caller holds the
// lock.
func (d *Databases) checkForks(origin *Database, closeForks bool) error {
	forks := d.forks(origin)
	if closeForks || len(forks) == 0 {
		return nil
	}
	e := new(ForksError)
	for _, fork := range forks {
		e.Forks = append(e.Forks, fork.Key)
	}
	return e
}

// forks returns the open forks of a database in the order of their keys. The caller holds the lock.
func (d *Databases) forks(origin *Database) (forks []*Database) {
	for _, db := range d.byKey {
		if db.origin == origin {
			forks = append(forks, db)
		}
	}
	slices.SortFunc(forks, compareKeys)
	return forks
}
