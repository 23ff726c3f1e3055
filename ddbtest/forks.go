package ddbtest

import (
	"slices"
	"sync"
	"weak"
)

// forks holds weak pointers to a database's forks.
type forks struct {
	mu   sync.Mutex
	list []weak.Pointer[DB]
}

// add adds a fork. It removes forks that are no longer in use when the list is full.
func (f *forks) add(db *DB) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) == cap(f.list) {
		f.list = slices.DeleteFunc(f.list, func(p weak.Pointer[DB]) bool { return p.Value() == nil })
	}
	f.list = append(f.list, weak.Make(db))
}

// close closes the forks.
func (f *forks) close() {
	f.mu.Lock()
	list := f.list
	f.list = nil
	f.mu.Unlock()
	for _, p := range list {
		if db := p.Value(); db != nil {
			db.Close()
		}
	}
}
