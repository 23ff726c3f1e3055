package partiql

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/page"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The messages of the errors of a NextToken.
const (
	errInvalidToken = "Invalid NextToken"
	errOtherToken   = "NextToken does not match request"
)

// Execute implements ExecuteStatement.
func Execute(c *engine.Call, in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	p, err := prepare(in.Statement, in.Parameters)
	if err != nil {
		return nil, err
	}
	if p.isRead() {
		return p.read(c, in)
	}
	w, err := p.compile(in.ReturnValuesOnConditionCheckFailure)
	if err != nil {
		return nil, err
	}
	out, err := w.execute(c, in.ReturnConsumedCapacity)
	if err != nil {
		return nil, err
	}
	reply := &api.ExecuteStatementOutput{Items: []value.Map{}, ConsumedCapacity: out.ConsumedCapacity}
	if out.Attributes != nil {
		reply.Items = append(reply.Items, out.Attributes)
	}
	return reply, nil
}

// read reads a page.
func (p *prepared) read(c *engine.Call, in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	projection, err := p.compileRead()
	if err != nil {
		return nil, err
	}
	start, err := p.startKey(in.NextToken)
	if err != nil {
		return nil, err
	}
	s := p.selection()
	st := page.Statement{TableName: s.Table, Consistent: in.ConsistentRead, Limit: in.Limit, StartKey: start, Capacity: in.ReturnConsumedCapacity}
	if s.Index != "" {
		st.Index = &s.Index
	}
	out, err := page.Select(c, st, errInvalidToken, func(t *store.Table, key store.KeySchema) (page.Plan, error) {
		plan, err := p.planRead(t, key)
		plan.Projection = projection
		return plan, err
	})
	if err != nil {
		return nil, err
	}
	return &api.ExecuteStatementOutput{
		Items: out.Items, ConsumedCapacity: out.ConsumedCapacity, LastEvaluatedKey: out.LastEvaluatedKey, NextToken: p.nextToken(out.LastEvaluatedKey),
	}, nil
}

// execute runs a write. It rejects an EXISTS.
func (w *write) execute(c *engine.Call, capacity string) (*api.WriteOutput, error) {
	if w.kind == item.CheckKind {
		return nil, awserr.Validation("EXISTS can only be used in ExecuteTransaction write requests.")
	}
	want := api.Returns{ReturnValues: w.returning().values(), ReturnConsumedCapacity: capacity}
	return item.Execute(c, want, func(s *store.State) (item.Statement, error) {
		t, err := s.Find(w.table(), s.Now)
		if err != nil {
			return item.Statement{}, err
		}
		return w.bind(t)
	})
}

// returning returns the RETURNING clause.
func (p *prepared) returning() Returning {
	switch s := p.statement.(type) {
	case *Update:
		return s.Returning
	case *Delete:
		return s.Returning
	default:
		return ""
	}
}
