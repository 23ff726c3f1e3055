package ddbtest

import "slices"

// checkTable remembers whether the table and the index that the rule names exist.
func (r *Rule) checkTable() {
	if !r.named.Load() && r.spec.CheckTable(r.db.data.Store) == nil {
		r.named.Store(true)
	}
}

// checkRuleTables checks the rules of the database before tables or indexes are removed.
func (db *DB) checkRuleTables() {
	for of := db; of != nil; of = of.origin {
		of.mu.Lock()
		rules := slices.Clone(of.testRules)
		of.mu.Unlock()
		for _, r := range rules {
			if r.db == db {
				r.checkTable()
			}
		}
	}
}

// reportMisnamed fails the test if a rule names a table or an index that has never existed. Such a
// rule tests nothing.
func (db *DB) reportMisnamed(t TB) {
	t.Helper()
	db.mu.Lock()
	rules := slices.Clone(db.testRules)
	db.mu.Unlock()
	misnamed := 0
	for _, r := range rules {
		if r.checkTable(); r.named.Load() || r.Hits() > 0 || r.reported.Swap(true) {
			continue
		}
		if misnamed++; misnamed <= maxReported {
			t.Errorf("ddbtest: %s", r.neverActed())
		}
	}
	if misnamed > maxReported {
		t.Errorf("ddbtest: and %d more rules for missing tables or indexes", misnamed-maxReported)
	}
}
