package write

import (
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// The markers of the tests, in place of those of package entity.
type (
	keyTag   struct{}
	indexTag struct{}
)

// company has no roles. Its second index consists only of members of the table's key.
type company struct {
	_    keyTag   `type:"company" pk:"COM#<id>" sk:"#METADATA"`
	_    indexTag `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
	_    indexTag `name:"all" on:"GSI2" pk:"COMPANIES" sk:"<id>"`
	ID   string   `dynamodbav:"id"`
	Name string   `dynamodbav:"name"`
	City string   `dynamodbav:"city,omitempty"`
	Seq  int64    `dynamodbav:"seq"`
}

// employee has the roles version, created and updated.
type employee struct {
	_         keyTag    `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
	_         indexTag  `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
	_         indexTag  `name:"by-rank" on:"GSI2" pk:"RANK#<status>" sk:"<level:04>#<hired_at:s>"`
	CompanyID string    `dynamodbav:"company_id"`
	ID        string    `dynamodbav:"id"`
	HiredAt   time.Time `dynamodbav:"hired_at"`
	Status    string    `dynamodbav:"status"`
	Level     int64     `dynamodbav:"level"`
	Skills    []string  `dynamodbav:"skills,omitempty"`
	Logins    int64     `dynamodbav:"logins"`
	Version   int64     `dynamodbav:"version" entity:"version"`
	CreatedAt time.Time `dynamodbav:"created_at" entity:"created"`
	UpdatedAt time.Time `dynamodbav:"updated_at" entity:"updated"`
}

var (
	companyName = attr.Must(func(c *company) *string { return &c.Name })
	companyID   = attr.Must(func(c *company) *string { return &c.ID })
	city        = attr.Must(func(c *company) *string { return &c.City })

	hiredAt = attr.Must(func(e *employee) *time.Time { return &e.HiredAt })
	status  = attr.Must(func(e *employee) *string { return &e.Status })
	level   = attr.Must(func(e *employee) *int64 { return &e.Level })
	skills  = attr.Must(func(e *employee) *[]string { return &e.Skills })
	logins  = attr.Must(func(e *employee) *int64 { return &e.Logins })
	version = attr.Must(func(e *employee) *int64 { return &e.Version })
	created = attr.Must(func(e *employee) *time.Time { return &e.CreatedAt })
	updated = attr.Must(func(e *employee) *time.Time { return &e.UpdatedAt })
)

var twoIndexes = define.Config{Indexes: []define.Index{{Name: "GSI1"}, {Name: "GSI2"}}}

// planOf compiles a single type.
func planOf[T any](t testing.TB, c define.Config) *core.Plan {
	t.Helper()
	s, faults := define.Schema(c)
	p, more := define.Compile(s, reflect.TypeFor[T](), define.Markers{Key: reflect.TypeFor[keyTag](), Index: reflect.TypeFor[indexTag]()}, nil)
	require.Empty(t, define.Text(append(faults, more...)))
	s.Add(p)
	require.Empty(t, define.Text(define.Validate(s)))
	return p
}

func conds[T any](list ...attr.Cond[T]) []*expr.Cond { return expr.CondsOf(list) }

// updating returns the arguments of an update.
func updating[T any](p *core.Plan, example T, changes ...attr.Change[T]) UpdateArgs {
	return UpdateArgs{Plan: p, Example: codec.PtrTo(&example), Changes: expr.ChangesOf(changes), Now: noon, Return: op.AllNew}
}

func putting[T any](p *core.Plan, e *T, list ...attr.Cond[T]) PutArgs {
	return PutArgs{Plan: p, Entity: codec.PtrTo(e), Conds: conds(list...), Now: noon}
}

// request holds the expressions of an action with their placeholders replaced.
type request struct {
	update, condition string
}

func requestOf(t testing.TB, a op.Action) request {
	t.Helper()
	e := evaluator{action: &a, used: map[string]bool{}}
	return request{e.filled(a.Update), e.filled(a.Condition)}
}

// filled replaces placeholders with names and values.
func (e *evaluator) filled(text string) string {
	var out []byte
	for _, t := range tokenize(text) {
		switch av := e.action.Values[t].(type) {
		case *types.AttributeValueMemberS:
			t = "'" + av.Value + "'"
		case *types.AttributeValueMemberN:
			t = av.Value
		case *types.AttributeValueMemberL:
			t = "[…]"
		}
		if name, ok := e.action.Names[t]; ok {
			t = name
		}
		if n := len(out); n > 0 && t != ")" && t != "," && out[n-1] != '(' && (t != "(" || out[n-1] == 'D' || out[n-1] == 'R') {
			out = append(out, ' ')
		}
		out = append(out, t...)
	}
	return string(out)
}

// requireFields checks that err is of the given kind and names exactly these fields.
func requireFields(t testing.TB, err, kind error, fields ...string) {
	t.Helper()
	var r *errs.ValidationError
	require.ErrorAs(t, err, &r)
	require.ErrorIs(t, err, kind)
	var named []string
	for _, p := range r.Problems {
		named = append(named, p.Field)
	}
	require.Equal(t, fields, named, err)
}

func text(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

var anna = employee{
	CompanyID: "c1", ID: "e7", HiredAt: noon, Status: "active", Level: 3, Version: 4, CreatedAt: noon.AddDate(-1, 0, 0), UpdatedAt: noon.AddDate(0, 0, -1),
}
