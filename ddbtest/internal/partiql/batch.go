package partiql

import (
	"errors"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Batch implements BatchExecuteStatement. A statement that fails has an error in its response, and
// the others run.
func Batch(c *engine.Call, in *api.BatchExecuteStatementInput) (*api.BatchExecuteStatementOutput, error) {
	members := make([]member, len(in.Statements))
	for i := range in.Statements {
		members[i].prepare(&in.Statements[i])
	}
	if err := rejectMixed(members); err != nil {
		return nil, err
	}
	err := c.DB.View(func(s *store.State) error {
		seen := map[string]bool{}
		for i := range members {
			m := &members[i]
			if m.err == nil {
				m.err = m.find(c, s)
			}
			if m.err != nil {
				continue
			}
			if seen[m.id] {
				return awserr.Validation("Provided list of item keys contains duplicates")
			}
			seen[m.id] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := &api.BatchExecuteStatementOutput{Responses: make([]api.BatchStatementResponse, len(members))}
	for i := range members {
		out.Responses[i] = members[i].run(c, i)
	}
	out.ConsumedCapacity = c.Meter.All(in.ReturnConsumedCapacity, false)
	return out, nil
}

// member is one statement of a batch.
type member struct {
	*prepared
	in  *api.BatchStatementRequest
	err error

	projection *expression.Projection // of a SELECT
	write      write                  // of another statement
	key        value.Map              // set by find, as is id
	id         string                 // identifies the item
}

// prepare parses the statement.
func (m *member) prepare(in *api.BatchStatementRequest) {
	m.in = in
	if m.prepared, m.err = prepare(in.Statement, in.Parameters); m.err != nil {
		return
	}
	if m.isRead() {
		m.projection, m.err = m.compileRead()
		return
	}
	if m.write, m.err = m.compile(in.ReturnValuesOnConditionCheckFailure); m.err == nil && m.write.kind == item.CheckKind {
		m.err = awserr.Validation("EXISTS can only be used in ExecuteTransaction write requests.")
	}
}

// rejectMixed rejects a batch with reads and writes.
func rejectMixed(members []member) error {
	reads, writes := false, false
	for _, m := range members {
		if m.prepared != nil {
			reads, writes = reads || m.isRead(), writes || !m.isRead()
		}
	}
	if reads && writes {
		return awserr.Validation("Read and write requests together in the same batch is not supported.")
	}
	return nil
}

// find finds the item of the statement.
func (m *member) find(c *engine.Call, s *store.State) error {
	t, err := c.Find(s, m.table(), c.ReadTime(s))
	if err != nil {
		return err
	}
	if m.isRead() {
		if m.key, err = m.batchKey(t); err != nil {
			return err
		}
	} else {
		bound, err := m.write.bind(t)
		if err != nil {
			return err
		}
		m.key = bound.Item
	}
	m.id = t.Name + "/" + t.Key.Place(m.key)
	return nil
}

// batchKey returns the key of the item that a SELECT of a batch reads.
func (p *prepared) batchKey(t *store.Table) (value.Map, error) {
	index := p.selection().Index
	if ix := t.Index(index); ix != nil {
		if err := checkKeyAttributes(ix.Key); err != nil {
			return nil, err
		}
	}
	if index == "" {
		if key, err := p.singleKey(t); key != nil {
			return key, err
		}
	}
	return nil, awserr.Validation("Select statements within BatchExecuteStatement must specify the primary key in the where clause.")
}

// singleKey returns the key of the only item that a SELECT reads. It is nil if the condition is not
// that of one key. Otherwise the error is that of a key that does not suit the table.
func (p *prepared) singleKey(t *store.Table) (value.Map, error) {
	key, only, err := p.key(p.where(), t.Key)
	if err == nil && !only {
		return nil, nil
	}
	return key, err
}

// run runs the statement, unless it has an error already.
func (m *member) run(c *engine.Call, i int) (response api.BatchStatementResponse) {
	if m.err != nil {
		response.Error = batchError(m.err)
		return response
	}
	response.TableName = m.table()
	if c.Overrides.Unprocessed != nil && c.Overrides.Unprocessed(i) {
		c.Trace.Overridden |= engine.OverrideUnprocessed
		response.Error = &api.BatchStatementError{Code: "ThrottlingError", Message: awserr.MessageThrottled}
		return response
	}
	var err error
	if m.isRead() {
		response.Item, err = m.read(c)
	} else {
		var out *api.WriteOutput
		if out, err = m.write.execute(c, ""); err == nil {
			response.Item = out.Attributes
		}
	}
	if err != nil {
		response.Error = batchError(err)
	}
	return response
}

// read reads the item of a SELECT.
func (m *member) read(c *engine.Call) (found value.Map, err error) {
	err = c.DB.View(func(s *store.State) error {
		now := c.ReadTime(s)
		t, err := c.Find(s, m.table(), now)
		if err != nil {
			return err
		}
		found, err = item.Read(c, s, t, now, m.key, m.in.ConsistentRead, m.projection)
		return err
	})
	return found, err
}

// batchCodes are the codes of errors of statements, by those of requests.
var batchCodes = map[string]string{
	awserr.CodeConditionalFailed: "ConditionalCheckFailed",
	awserr.CodeDuplicateItem:     "DuplicateItem",
	awserr.CodeResourceNotFound:  "ResourceNotFound",
	awserr.CodeValidation:        "ValidationError",
}

// batchError returns the error of a statement.
func batchError(err error) *api.BatchStatementError {
	var serviceErr *awserr.Error
	if !errors.As(err, &serviceErr) {
		serviceErr = awserr.Internal()
	}
	code, ok := batchCodes[serviceErr.Code]
	if !ok {
		code = serviceErr.Code
	}
	return &api.BatchStatementError{Code: code, Message: serviceErr.Message, Item: serviceErr.Item}
}
