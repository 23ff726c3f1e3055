package partiql

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Targets returns the table or index that a statement reads, or the item that it writes.
func Targets(in *api.ExecuteStatementInput) []engine.Target {
	p, err := prepare(in.Statement, in.Parameters)
	if err != nil {
		return nil
	}
	t := p.target()
	if p.isRead() {
		t.Key = nil
	}
	return []engine.Target{t}
}

// BatchTargets returns the items of the statements of a batch, in order.
func BatchTargets(in *api.BatchExecuteStatementInput) []engine.Target {
	targets := make([]engine.Target, len(in.Statements))
	for i, s := range in.Statements {
		if p, err := prepare(s.Statement, s.Parameters); err == nil {
			targets[i] = p.target()
		}
	}
	return targets
}

// TransactTargets returns the items of the statements of a transaction, in order.
func TransactTargets(in *api.ExecuteTransactionInput) []engine.Target {
	targets := make([]engine.Target, len(in.TransactStatements))
	for i, s := range in.TransactStatements {
		if p, err := prepare(s.Statement, s.Parameters); err == nil {
			targets[i] = p.target()
		}
	}
	return targets
}

// target returns what a statement accesses. Its key has all attributes that the statement compares
// for equality, as the key of a put has all attributes of the item.
func (p *prepared) target() engine.Target {
	t := engine.Target{Table: api.TableName(p.table()), Key: p.given()}
	switch s := p.statement.(type) {
	case *Select:
		t.Index = s.Index
	case *Exists:
	default:
		t.Write = true
	}
	return t
}

// given returns the attributes that identify the item: those of an INSERT, or those that the WHERE
// compares for equality.
func (p *prepared) given() value.Map {
	if s, ok := p.statement.(*Insert); ok {
		return p.newItem(s)
	}
	return p.equalities(p.where())
}

// The operations as which statements run.
const (
	runsAsQuery = "Query"
	runsAsScan  = "Scan"
)

// RunsAs returns the operation as which a statement runs, such as "Scan". It is "" if the statement
// is invalid.
func RunsAs(s *store.State, in *api.ExecuteStatementInput) string {
	p, err := prepare(in.Statement, in.Parameters)
	if err != nil {
		return ""
	}
	switch p.statement.(type) {
	case *Select:
		return p.readsAs(s)
	case *Insert:
		return "PutItem"
	case *Update:
		return "UpdateItem"
	case *Delete:
		return "DeleteItem"
	default:
		return ""
	}
}

// readsAs returns whether a SELECT is a Query or a Scan.
func (p *prepared) readsAs(s *store.State) string {
	key, ok := p.keySchema(s)
	if !ok {
		return ""
	}
	partitions, _, err := p.partitions(key, conjuncts(p.where()))
	switch {
	case err != nil:
		return ""
	case partitions == nil:
		return runsAsScan
	default:
		return runsAsQuery
	}
}

// BatchRunsAs returns the operation as which a batch runs. It is "" if no statement is valid.
func BatchRunsAs(in *api.BatchExecuteStatementInput) string {
	for _, s := range in.Statements {
		if p, err := prepare(s.Statement, s.Parameters); err == nil {
			return ifRead(p, "BatchGetItem", "BatchWriteItem")
		}
	}
	return ""
}

// TransactionRunsAs returns the operation as which a transaction runs. It is "" if the first
// statement is invalid.
func TransactionRunsAs(in *api.ExecuteTransactionInput) string {
	p, err := prepare(in.TransactStatements[0].Statement, in.TransactStatements[0].Parameters)
	if err != nil {
		return ""
	}
	return ifRead(p, "TransactGetItems", "TransactWriteItems")
}

func ifRead(p *prepared, read, write string) string {
	if p.isRead() {
		return read
	}
	return write
}
