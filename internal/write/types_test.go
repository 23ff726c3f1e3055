package write

import (
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testschema"
)

// The markers of the tests, in place of those of package entity.
type (
	keyTag   struct{}
	indexTag struct{}
)

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
	status = attr.Must(func(e *employee) *string { return &e.Status })
	logins = attr.Must(func(e *employee) *int64 { return &e.Logins })
)

var twoIndexes = trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}}

// planOf compiles a single type.
func planOf[T any](t testing.TB, c trestle.Config) *core.Plan {
	t.Helper()
	s, faults := define.Schema(c)
	p, more := define.Compile(s, reflect.TypeFor[T](), define.Markers{Key: reflect.TypeFor[keyTag](), Index: reflect.TypeFor[indexTag]()}, nil)
	require.NoError(t, define.Err(append(faults, more...)))
	s.Add(p)
	require.NoError(t, define.Err(define.Validate(s)))
	return p
}

func conds[T any](list ...attr.Cond[T]) []*expr.Cond { return expr.CondsOf(list) }

// updateArgs returns the arguments of an update.
func updateArgs[T any](p *core.Plan, example T, changes ...attr.Change[T]) UpdateArgs {
	return UpdateArgs{Plan: p, Example: codec.PtrTo(&example), Changes: expr.ChangesOf(changes[0], changes[1:]), Now: noon, Return: trestle.AllNew}
}

func putArgs[T any](p *core.Plan, e *T, list ...attr.Cond[T]) PutArgs {
	return PutArgs{Plan: p, Entity: codec.PtrTo(e), Conds: conds(list...), Now: noon}
}

var placeholder = regexp.MustCompile("[#:][a-z]+[0-9]*(least)?")

// substituted replaces the placeholders of an expression with names and values.
func substituted(a op.Action, text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(mark string) string {
		if name, ok := a.Names[mark]; ok { // of a read
			return name
		}
		if name, ok := a.Expressions().Names[mark]; ok {
			return name
		}
		return testschema.ValueText(a.Expressions().Values[mark])
	})
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
