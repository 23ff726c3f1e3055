package partiql

import (
	"crypto/sha256"
	"errors"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/transact"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Transact implements ExecuteTransaction.
func Transact(c *engine.Call, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	statements, err := prepareAll(in)
	if err != nil {
		return nil, err
	}
	out := &api.ExecuteTransactionOutput{Responses: []api.ItemResponse{}}
	if statements[0].isRead() {
		out.Responses, err = readAll(c, statements)
	} else {
		err = writeAll(c, in, statements)
	}
	if err != nil {
		return nil, err
	}
	out.ConsumedCapacity = c.Meter.All(in.ReturnConsumedCapacity, true)
	return out, nil
}

// prepareAll parses the statements. They are all reads, or none is.
func prepareAll(in *api.ExecuteTransactionInput) ([]*prepared, error) {
	statements := make([]*prepared, len(in.TransactStatements))
	bytes := 0
	for i, s := range in.TransactStatements {
		p, err := prepare(s.Statement, s.Parameters)
		if err != nil {
			return nil, failed(i, err)
		}
		if i > 0 && p.isRead() != statements[0].isRead() {
			return nil, awserr.Validation("ExecuteTransaction API does not support both read and write operations in the same request.")
		}
		bytes += len(s.Statement)
		for _, v := range s.Parameters {
			bytes += value.Size(v)
		}
		statements[i] = p
	}
	return statements, transact.CheckPayload(bytes)
}

// failed returns the error of the i-th statement, which does not depend on its table.
func failed(i int, err error) error {
	var serviceErr *awserr.Error
	if !errors.As(err, &serviceErr) || serviceErr.Code != awserr.CodeValidation {
		return err
	}
	return awserr.Validation("Validation failed in TransactStatements[%d]: %s", i, serviceErr.Message)
}

// readAll reads the items of the statements.
func readAll(c *engine.Call, statements []*prepared) ([]api.ItemResponse, error) {
	return transact.Read(c, func(s *store.State) ([]transact.ItemRead, error) {
		reads := make([]transact.ItemRead, len(statements))
		for i, p := range statements {
			read, err := p.itemRead(c, s)
			switch {
			case err == nil:
				reads[i] = read
			case read.Key != nil:
				return nil, transact.Cancellation(i, len(statements), err)
			default:
				return nil, failed(i, err)
			}
		}
		return reads, nil
	})
}

// itemRead plans a SELECT of one item. If it has a key, the error depends on the table.
func (p *prepared) itemRead(c *engine.Call, s *store.State) (r transact.ItemRead, err error) {
	r = transact.ItemRead{TableName: p.table()}
	if r.Projection, err = p.compileRead(); err != nil {
		return r, err
	}
	if p.selection().Index != "" {
		return r, awserr.Validation("Reads on indices are not supported within transactions.")
	}
	t, err := c.Find(s, r.TableName, c.ReadTime(s))
	if err != nil {
		return r, err
	}
	if r.Key, err = p.singleKey(t); r.Key == nil {
		return r, awserr.Validation("Select statements within ExecuteTransaction must specify the primary key in the where clause.")
	}
	return r, err
}

// writeAll applies the writes of the statements.
func writeAll(c *engine.Call, in *api.ExecuteTransactionInput, statements []*prepared) error {
	writes := make([]write, len(statements))
	var e value.Encoding
	for i, p := range statements {
		onFailure := in.TransactStatements[i].ReturnValuesOnConditionCheckFailure
		w, err := p.compile(onFailure)
		if err == nil {
			err = w.checkInTransaction()
		}
		if err != nil {
			return failed(i, err)
		}
		writes[i] = w
		p.encode(&e)
		e.Text(onFailure)
	}
	sum := sha256.Sum256(e)
	return transact.Execute(c, in.ClientRequestToken, string(sum[:]), func(s *store.State) ([]*item.Action, error) {
		return actions(s, writes)
	})
}

// checkInTransaction rejects what only a statement alone may have.
func (w *write) checkInTransaction() error {
	switch {
	case w.returning() != "":
		return awserr.Validation("RETURNING clause is not supported in ExecuteTransaction.")
	case w.kind == item.CheckKind && w.selection().Index != "":
		return awserr.Validation("Operations on indices are not supported in transactions")
	default:
		return nil
	}
}

// actions returns the actions of the writes. A statement that does not suit its table cancels the
// transaction.
func actions(s *store.State, writes []write) ([]*item.Action, error) {
	all := make([]*item.Action, len(writes))
	for i := range writes {
		w := &writes[i]
		t, err := s.Find(w.table(), s.Now)
		if err != nil {
			return nil, err
		}
		if w.kind == item.CheckKind {
			if err := w.checkExists(t); err != nil {
				return nil, failed(i, err)
			}
		}
		bound, err := w.bind(t)
		if err == nil {
			all[i], err = bound.Action()
		}
		if err != nil {
			return nil, transact.Cancellation(i, len(writes), err)
		}
	}
	return all, nil
}

// checkExists rejects an EXISTS that has no condition besides its key, or no key.
func (w *write) checkExists(t *store.Table) error {
	if key, only, _ := w.key(w.where(), t.Key); key == nil || only {
		return awserr.Validation("EXISTS() must contain a single item read with additional condition")
	}
	return nil
}
