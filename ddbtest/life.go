package ddbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// endWith closes the database with the test and makes its faults fail the test.
func (db *DB) endWith(t TB) {
	t.Helper()
	db.mu.Lock()
	db.test, db.of = t, " of "+t.Name()
	db.mu.Unlock()
	t.Cleanup(func() {
		t.Helper()
		db.Close()
		if t.Failed() {
			db.explain(t)
		}
	})
}

// ForkFor is [DB.Fork] for a test, for example a subtest. The fork is closed with that test, and
// faults of the fork fail it.
func (db *DB) ForkFor(t TB) *DB {
	demand(t)
	t.Helper()
	fork := db.Fork()
	fork.endWith(t)
	return fork
}

// testing returns the test that faults of the database fail: its own, or that of its origin.
func (db *DB) testing() TB {
	for ; db != nil; db = db.origin {
		if t := db.ownTest(); t != nil {
			return t
		}
	}
	return nobody{}
}

func (db *DB) ownTest() TB {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.test
}

// report records an error and fails the test.
func (db *DB) report(err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.failures = append(db.failures, err)
	switch {
	case db.test != nil:
		db.test.Helper()
		db.test.Errorf("ddbtest: %v", err)
	case db.origin != nil:
		db.origin.testing().Helper()
		db.origin.report(err)
	}
}

// remember keeps a rule for the end of the test.
func (db *DB) remember(r *Rule) {
	for ; db != nil; db = db.origin {
		db.mu.Lock()
		mine := db.test != nil
		if mine && len(db.made) < maxRules {
			db.made = append(db.made, r)
		}
		db.mu.Unlock()
		if mine {
			return
		}
	}
}

// maxRules limits how many rules are kept. A test with more rules is assumed to create them at
// random.
const maxRules = 1000

// lastRequests is the number of requests that the log of a failed test lists.
const lastRequests = 20

// explain logs what may have caused the failure of a test.
func (db *DB) explain(t TB) {
	t.Helper()
	if requests := db.Requests(); len(requests) > 0 {
		var b strings.Builder
		for _, r := range requests[max(len(requests)-lastRequests, 0):] {
			fmt.Fprintf(&b, "\n\t%s", r)
		}
		t.Logf("ddbtest: the last requests:%s", b.String())
	}
	db.mu.Lock()
	made := slices.Clone(db.made)
	db.mu.Unlock()
	idle, drawn := 0, db.backoff.drawn() || len(made) == maxRules
	for _, r := range made {
		if r.Hits() == 0 && !r.told.Load() {
			if idle++; idle <= maxTold {
				t.Logf("ddbtest: %s", r.idle())
			}
		}
		drawn = drawn || r.rule.Drawn()
	}
	if idle > maxTold {
		t.Logf("ddbtest: and %d more rules that never acted", idle-maxTold)
	}
	if drawn {
		t.Logf("ddbtest: to repeat what happened by chance, set Options.Seed to %d", db.Seed())
	}
	if path := db.options.FailureLog; path != "" && db.origin == nil {
		if err := db.saveLog(path); err != nil {
			t.Logf("%v", err)
			return
		}
		t.Logf("ddbtest: all that happened is in %s, for Replay", path)
	}
}

// saveLog writes the log to a file.
func (db *DB) saveLog(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("ddbtest: write the log: %w", err)
	}
	file, err := os.Create(path) //nolint:gosec // the test's own choice
	if err != nil {
		return fmt.Errorf("ddbtest: write the log: %w", err)
	}
	if err := db.WriteLog(file); err != nil {
		_ = file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("ddbtest: write the log: %w", err)
	}
	return nil
}
