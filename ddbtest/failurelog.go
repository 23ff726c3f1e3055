package ddbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// addRule keeps a rule for the log of a failed test.
func (db *DB) addRule(r *Rule) {
	for ; db != nil; db = db.origin {
		db.mu.Lock()
		attached := db.ownTest != nil
		if attached && len(db.testRules) < maxRules {
			db.testRules = append(db.testRules, r)
		}
		db.mu.Unlock()
		if attached {
			return
		}
	}
}

// maxRules limits how many rules are kept. A test with more rules is assumed to create them at
// random.
const maxRules = 1000

// lastRequests is the number of requests that the log of a failed test lists.
const lastRequests = 20

// logFailure logs what may have caused the failure of a test.
func (db *DB) logFailure(t TB) {
	t.Helper()
	if requests := db.Requests(); len(requests) > 0 {
		var b strings.Builder
		for _, r := range requests[max(len(requests)-lastRequests, 0):] {
			fmt.Fprintf(&b, "\n\t%s", r)
		}
		t.Logf("ddbtest: the last requests:%s", b.String())
	}
	db.mu.Lock()
	rules := slices.Clone(db.testRules)
	db.mu.Unlock()
	unused, random := 0, db.backoff.isUsed() || len(rules) == maxRules
	for _, r := range rules {
		if r.Hits() == 0 && !r.reported.Load() {
			if unused++; unused <= maxReported {
				t.Logf("ddbtest: %s", r.neverActed())
			}
		}
		random = random || r.rule.UsedRandom()
	}
	if unused > maxReported {
		t.Logf("ddbtest: and %d more rules that never acted", unused-maxReported)
	}
	if random {
		t.Logf("ddbtest: to repeat the random decisions, set Options.Seed to %d", db.Seed())
	}
	if path := db.options.FailureRecording; path != "" && db.origin == nil {
		if err := db.saveRecording(path); err != nil {
			t.Logf("%v", err)
			return
		}
		t.Logf("ddbtest: all events are recorded in %s, for Replay", path)
	}
}

// saveRecording writes the recording to a file.
func (db *DB) saveRecording(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("ddbtest: write the recording: %w", err)
	}
	file, err := os.Create(path) //nolint:gosec // the test's own choice
	if err != nil {
		return fmt.Errorf("ddbtest: write the recording: %w", err)
	}
	if err := db.WriteRecording(file); err != nil {
		_ = file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("ddbtest: write the recording: %w", err)
	}
	return nil
}
