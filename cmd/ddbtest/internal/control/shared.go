package control

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

// The functions of this file are the operations of the endpoint that the page for browsers shares.
// Those that change something return everything that is wrong, and then change nothing.

// EffectMembers names an effect and the members that it has.
type EffectMembers struct {
	Name               string
	Required, Optional []string
}

// Effects returns all effects, in the order of their names.
func Effects() []EffectMembers {
	effects := make([]EffectMembers, 0, len(effectKinds))
	for _, name := range sortedKeys(effectKinds) {
		kind := effectKinds[name]
		effects = append(effects, EffectMembers{name, slices.Clone(kind.required), slices.Clone(kind.optional)})
	}
	return effects
}

// CheckFault returns what is wrong with a rule.
func CheckFault(db *databases.Database, f *Fault) []strict.Problem { return f.validate(&call{db: db}) }

// AddFault adds a rule.
func AddFault(db *databases.Database, f *Fault) []strict.Problem {
	problems := CheckFault(db, f)
	if len(problems) == 0 {
		_, _ = addFault(&call{db: db}, f) // fails only for an invalid rule
	}
	return problems
}

// Faults returns the rules of a database in the order in which they are evaluated.
func Faults(db *databases.Database) []FaultState {
	list, _ := listFaults(&call{db: db}) // cannot fail
	return list.Faults
}

// AdvanceClock moves the clock of a database by a duration.
func AdvanceClock(db *databases.Database, by string) ([]strict.Problem, error) {
	a := &Advance{By: by}
	if problems := a.validate(nil); len(problems) > 0 {
		return problems, nil
	}
	_, err := advanceClock(&call{db: db}, a)
	return nil, err
}

// Settle makes all writes so far visible to eventually consistent reads.
func Settle(db *databases.Database) error {
	db.DB.Settle()
	return kept(db)
}

// CurrentLag returns how far eventually consistent reads of a database lag behind.
func CurrentLag(db *databases.Database) Lag {
	lag, _ := readLag(&call{db: db}) // cannot fail
	return lag
}

// SetLag sets how far eventually consistent reads of a database lag behind.
func SetLag(db *databases.Database, l Lag) []strict.Problem {
	problems := l.validate(nil)
	if len(problems) == 0 {
		_, _ = setLag(&call{db: db}, &l) // cannot fail
	}
	return problems
}

// StreamRecords returns all records of a stream, shard by shard, as GetRecords returns them. The
// database must be a fork, to which nobody writes.
func StreamRecords(ctx context.Context, fork *ddbtest.DB, arn string) ([]json.RawMessage, error) {
	return stream{fork, arn}.records(ctx)
}

// DescribeTable returns the description of a table as DescribeTable does. The database must be a
// fork, because the request counts.
func DescribeTable(ctx context.Context, fork *ddbtest.DB, table string) (json.RawMessage, error) {
	var reply struct{ Table json.RawMessage }
	err := ask(ctx, fork, serviceTables+"DescribeTable", map[string]string{"TableName": table}, &reply)
	return reply.Table, err
}
