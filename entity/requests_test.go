package entity_test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// The golden requests are what every verb sends, for two types of an ordinary table.
type (
	requestCompany struct {
		_    entity.Key   `type:"company" pk:"COM#<id>" sk:"#METADATA#<id>"`
		_    entity.Index `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
		ID   string       `dynamodbav:"id"`
		Name string       `dynamodbav:"name"`
	}
	requestEmployee struct {
		_         entity.Key      `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
		_         entity.Index    `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
		CompanyID string          `dynamodbav:"company_id"`
		ID        string          `dynamodbav:"id"`
		HiredAt   time.Time       `dynamodbav:"hired_at"`
		Status    string          `dynamodbav:"status"`
		Skills    []string        `dynamodbav:"skills,omitempty"`
		Tags      []string        `dynamodbav:"tags,stringset,omitempty"`
		Work      *requestAddress `dynamodbav:"work,omitempty"`
		Logins    int64           `dynamodbav:"logins"`
		Version   int64           `dynamodbav:"version" entity:"version"`
		CreatedAt time.Time       `dynamodbav:"created_at" entity:"created"`
		UpdatedAt time.Time       `dynamodbav:"updated_at" entity:"updated"`
	}
	requestAddress struct {
		City string `dynamodbav:"city"`
		Zip  string `dynamodbav:"zip,omitempty"`
	}
)

var (
	requestName    = attr.Must(func(c *requestCompany) *string { return &c.Name })
	requestHiredAt = attr.Must(func(e *requestEmployee) *time.Time { return &e.HiredAt })
	requestStatus  = attr.Must(func(e *requestEmployee) *string { return &e.Status })
	requestCity    = attr.Must(func(e *requestEmployee) *string { return &e.Work.City })
	requestSkills  = attr.Must(func(e *requestEmployee) *[]string { return &e.Skills })
	requestTags    = attr.Must(func(e *requestEmployee) *[]string { return &e.Tags })
	requestLogins  = attr.Must(func(e *requestEmployee) *int64 { return &e.Logins })
)

// TestRequests compares the compiled input of every verb with testdata/requests.
func TestRequests(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 8, 5, 9, 30, 0, 0, time.UTC)
	schema := entity.NewSchema(entity.Config{
		Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return now },
	})
	companyType, employeeType := entity.Define[requestCompany](schema), entity.Define[requestEmployee](schema)
	table, err := schema.Open(dynamodb.New(dynamodb.Options{Region: "eu-north-1"}), "app")
	require.NoError(t, err)
	companies, employees := companyType.In(table).Op(), employeeType.In(table).Op()

	acme := requestCompany{ID: "c001", Name: "CompanyOne"}
	key := requestEmployee{CompanyID: "c001", ID: "e7"}
	known := requestEmployee{CompanyID: "c001", ID: "e7", Version: 3}
	anna := requestEmployee{
		CompanyID: "c001", ID: "e7", HiredAt: now.AddDate(-1, 0, 0), Status: "active", Skills: []string{"go", "sql"}, Tags: []string{"a"},
		Work: &requestAddress{City: "Oslo"}, CreatedAt: now.AddDate(-1, 0, 0),
	}
	stored := anna
	stored.Version = 3

	t.Run("get", func(t *testing.T) {
		t.Parallel()
		var g requests
		g.add(t, "Get", compiledTo(employees.Get(key).Input()))
		g.check(t, "get.txt")
	})
	t.Run("put", func(t *testing.T) {
		t.Parallel()
		var g requests
		g.add(t, "Create", compiledTo(companies.Create(&acme).Input()))
		g.add(t, "Create, versioned", compiledTo(employees.Create(&anna).Input()))
		g.add(t, "Put", compiledTo(companies.Put(&acme).Input()))
		g.add(t, "Put, on no index", compiledTo(companies.Put(&requestCompany{ID: "c001"}).Input()))
		g.add(t, "Put, condition", compiledTo(companies.Put(&acme, requestName.Ne("CompanyTwo")).Input()))
		g.add(t, "Put, versioned and new", compiledTo(employees.Put(&anna).Input()))
		g.add(t, "Put, versioned and known", compiledTo(employees.Put(&stored, requestStatus.Eq("active")).Input()))
		g.check(t, "put.txt")
	})
	t.Run("update", func(t *testing.T) {
		t.Parallel()
		var g requests
		g.add(t, "Update, a member of an index", compiledTo(companies.Update(requestCompany{ID: "c001"}, requestName.Set("CompanyTwo")).Input()))
		g.add(t, "Update, a member goes", compiledTo(companies.Update(requestCompany{ID: "c001"}, requestName.Remove()).Input()))
		g.add(t, "Update, no version", compiledTo(employees.Update(key, attr.Add(requestLogins, 1)).Input()))
		g.add(t, "Update, version", compiledTo(employees.Update(known, requestStatus.Set("left"), requestHiredAt.Set(now)).Input()))
		g.add(t, "Update, changes and conditions of every kind", compiledTo(employees.Update(key,
			requestCity.Set("Bergen"), attr.Append(requestSkills, "k8s"), attr.SetAdd(requestTags, "b"), attr.Add(requestLogins, 1), requestStatus.SetIfAbsent("new"),
			attr.If(requestStatus.Eq("active"), attr.Or(attr.Contains(requestSkills, "sql"), attr.Size(requestSkills).Gt(3)))).Input(),
		))
		g.check(t, "update.txt")
	})
	t.Run("upsert", func(t *testing.T) {
		t.Parallel()
		var g requests
		g.add(t, "Upsert", compiledTo(companies.Upsert(requestCompany{ID: "c001"}, requestName.Set("CompanyTwo")).Input()))
		g.add(t, "Upsert, versioned", compiledTo(employees.Upsert(key, attr.Add(requestLogins, 1)).Input()))
		g.add(t, "Upsert, version known", compiledTo(employees.Upsert(known, requestStatus.Set("left")).Input()))
		g.check(t, "upsert.txt")
	})
	t.Run("delete", func(t *testing.T) {
		t.Parallel()
		var g requests
		g.add(t, "Delete", compiledTo(employees.Delete(key).Input()))
		g.add(t, "Delete, version", compiledTo(employees.Delete(known).Input()))
		g.add(t, "Delete, condition", compiledTo(employees.Delete(key, requestStatus.Eq("leaving")).Input()))
		g.check(t, "delete.txt")
	})
}

// compiled is an input or its error.
type compiled struct {
	input trestle.Input
	err   error
}

func compiledTo(input trestle.Input, err error) compiled { return compiled{input, err} }

// requests is a golden file of inputs, as plain text in a fixed order.
type requests struct{ b strings.Builder }

func (g *requests) add(t *testing.T, name string, c compiled) {
	t.Helper()
	require.NoError(t, c.err, name)
	fmt.Fprintf(&g.b, "== %s\n", name)
	switch c := c.input; {
	case c.Get != nil:
		in := c.Get
		g.line("GetItem", aws.ToString(in.TableName))
		g.item("key", in.Key)
		g.line("projection", aws.ToString(in.ProjectionExpression))
		g.names(in.ExpressionAttributeNames)
		if aws.ToBool(in.ConsistentRead) {
			g.line("consistent", "yes")
		}
	case c.Put != nil:
		in := c.Put
		g.line("PutItem", aws.ToString(in.TableName))
		g.item("item", in.Item)
		g.condition(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
		g.returns(in.ReturnValues, in.ReturnValuesOnConditionCheckFailure)
	case c.Update != nil:
		in := c.Update
		g.line("UpdateItem", aws.ToString(in.TableName))
		g.item("key", in.Key)
		g.line("update", aws.ToString(in.UpdateExpression))
		g.condition(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
		g.returns(in.ReturnValues, in.ReturnValuesOnConditionCheckFailure)
	case c.Delete != nil:
		in := c.Delete
		g.line("DeleteItem", aws.ToString(in.TableName))
		g.item("key", in.Key)
		g.condition(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
		g.returns(in.ReturnValues, in.ReturnValuesOnConditionCheckFailure)
	default:
		t.Fatalf("%s is no input", name)
	}
	g.b.WriteString("\n")
}

func (g *requests) line(what, text string) {
	if text != "" {
		fmt.Fprintf(&g.b, "%-10s %s\n", what, text)
	}
}

func (g *requests) condition(condition *string, names map[string]string, values map[string]types.AttributeValue) {
	g.line("condition", aws.ToString(condition))
	g.names(names)
	g.item("values", values)
}

func (g *requests) returns(values types.ReturnValue, onFailure types.ReturnValuesOnConditionCheckFailure) {
	g.line("returns", string(values))
	g.line("on failure", string(onFailure))
}

func (g *requests) names(names map[string]string) {
	for _, mark := range ordered(names) {
		g.line("name", mark+" = "+names[mark])
	}
}

func (g *requests) item(what string, item map[string]types.AttributeValue) {
	for _, name := range ordered(item) {
		g.line(what, name+" = "+valueText(item[name]))
	}
}

// ordered sorts names and placeholders; :v2 precedes :v10.
func ordered[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if strings.HasPrefix(a, ":v") || strings.HasPrefix(a, "#n") {
			return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	})
}

// valueText formats an attribute value as its type and its value.
func valueText(av types.AttributeValue) string {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return "S " + strconv.Quote(v.Value)
	case *types.AttributeValueMemberN:
		return "N " + v.Value
	case *types.AttributeValueMemberB:
		return "B " + base64.StdEncoding.EncodeToString(v.Value)
	case *types.AttributeValueMemberBOOL:
		return "BOOL " + strconv.FormatBool(v.Value)
	case *types.AttributeValueMemberNULL:
		return "NULL"
	case *types.AttributeValueMemberSS:
		return fmt.Sprintf("SS %q", v.Value)
	case *types.AttributeValueMemberL:
		parts := make([]string, len(v.Value))
		for i, x := range v.Value {
			parts[i] = valueText(x)
		}
		return "L [" + strings.Join(parts, ", ") + "]"
	case *types.AttributeValueMemberM:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v.Value)) {
			parts = append(parts, name+" "+valueText(v.Value[name]))
		}
		return "M {" + strings.Join(parts, ", ") + "}"
	default:
		return "?"
	}
}

func (g *requests) check(t *testing.T, file string) {
	t.Helper()
	goldenText(t, filepath.Join("..", "testdata", "requests", file), strings.TrimRight(g.b.String(), "\n")+"\n")
}
