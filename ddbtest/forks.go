package ddbtest

import (
	"slices"
	"sync"
	"weak"
)

// forks are a database's forks, as long as anybody uses them.
type forks struct {
	mu   sync.Mutex
	list []weak.Pointer[DB]
}

// add takes note of a fork. Now and then it forgets those that nobody uses any more.
func (f *forks) add(db *DB) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) == cap(f.list) {
		f.list = slices.DeleteFunc(f.list, func(p weak.Pointer[DB]) bool { return p.Value() == nil })
	}
	f.list = append(f.list, weak.Make(db))
}

// close ends the forks.
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
