package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// This is the table of another program. It has raw keys and no type attribute. IDs and names are in
// keys only. A global index has the same partition key as the table.
type (
	oldCompany struct {
		_    entity.Key   `pk:"COM#<id>" sk:"#METADATA#<id>"`
		_    entity.Index `name:"by-label" on:"filterName" sk:"ORG#<name>"`
		ID   string       `dynamodbav:"id" entity:"key"`
		Name string       `dynamodbav:"name" entity:"key"`
	}
	oldEmployee struct {
		_       entity.Key   `pk:"COM#<company>" sk:"EMP#<id>"`
		_       entity.Index `name:"by-label" on:"filterName" sk:"EMP#<name>"`
		Company string       `dynamodbav:"company" entity:"key"`
		ID      string       `dynamodbav:"id" entity:"key"`
		Name    string       `dynamodbav:"name" entity:"key"`
	}
	oldProject struct {
		_       entity.Key   `pk:"COM#<company>" sk:"PRO#<id>"`
		_       entity.Index `name:"by-label" on:"filterName" sk:"PRO#<name>"`
		Company string       `dynamodbav:"company" entity:"key"`
		ID      string       `dynamodbav:"id" entity:"key"`
		Name    string       `dynamodbav:"name" entity:"key"`
	}
)

var (
	oldSchema = entity.NewSchema(entity.Config{
		Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
		Indexes: []entity.IndexConfig{
			{Name: "filterName", Partition: []entity.Attribute{entity.S("PK")}, Sort: []entity.Attribute{entity.S("filterName")}},
		},
	})
	oldCompanies = entity.Define[oldCompany](oldSchema)
	oldEmployees = entity.Define[oldEmployee](oldSchema)
	oldProjects  = entity.Define[oldProject](oldSchema)

	oldName = attr.Must(func(c *oldCompany) *string { return &c.Name })
)

// oldRows are the values of SK and filterName. The partition key of all rows is COM#C001.
const oldRows = `
#METADATA#C001 ORG#CompanyOne
EMP#E001 EMP#Alice
EMP#E002 EMP#Bob
PRO#P001 PRO#Atlas
`

// reads is the interface of both models. Its functions return the IDs of a company's items in the
// order of the results.
type reads struct {
	projects, employees, everything, labeled func(ctx context.Context, company string) string
}

func typedReads(t *testing.T, client trestle.Client) reads {
	t.Helper()
	table, err := Schema.Open(client, "company")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	var out strings.Builder
	s := NewStore(table)
	require.NoError(t, tour{Tour: program.Tour{Out: &out}, store: s}.fill(t.Context()))
	return reads{
		projects: func(ctx context.Context, company string) string {
			return program.List(s.Projects(ctx, company), func(p Project) string { return p.ID })
		},
		employees: func(ctx context.Context, company string) string {
			return program.List(s.Employees(ctx, company), func(e Employee) string { return e.ID })
		},
		everything: func(ctx context.Context, company string) string {
			return program.List(s.Everything(ctx, company), idOf)
		},
		labeled: func(ctx context.Context, company string) string {
			return program.List(s.CompanyByLabel(ctx, company, "CompanyOne"), func(c Company) string { return c.ID })
		},
	}
}

func oldReads(t *testing.T, client *dynamodb.Client, counted trestle.Client) reads {
	t.Helper()
	table := oldTable(t, client, counted)
	companies, employees, projects := oldCompanies.In(table), oldEmployees.In(table), oldProjects.In(table)
	return reads{
		projects: func(ctx context.Context, company string) string {
			return program.List(query.Of(projects, oldProject{Company: company}).All(ctx), func(p oldProject) string { return p.ID })
		},
		employees: func(ctx context.Context, company string) string {
			return program.List(query.Of(employees, oldEmployee{Company: company}).All(ctx), func(e oldEmployee) string { return e.ID })
		},
		everything: func(ctx context.Context, company string) string {
			return program.List(query.Items(ctx, query.Of(companies, oldCompany{ID: company}).Collection()), idOf)
		},
		labeled: func(ctx context.Context, company string) string {
			q := query.On(companies, "by-label", oldCompany{ID: company}).Where(oldName.Eq("CompanyOne"))
			return program.List(q.All(ctx), func(c oldCompany) string { return c.ID })
		},
	}
}

// oldTable creates the table and stores its rows with the SDK alone.
func oldTable(t *testing.T, client *dynamodb.Client, counted trestle.Client) *entity.Table {
	t.Helper()
	table, err := oldSchema.Open(counted, "old-company")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for line := range strings.Lines(strings.TrimSpace(oldRows)) {
		f := strings.Fields(line)
		item := map[string]types.AttributeValue{}
		for name, value := range map[string]string{"PK": "COM#C001", "SK": f[0], "filterName": f[1]} {
			item[name] = &types.AttributeValueMemberS{Value: value}
		}
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table.Name()), Item: item})
		require.NoError(t, err)
	}
	return table
}

func idOf(item any) string {
	switch v := item.(type) {
	case Company:
		return v.ID
	case Employee:
		return v.ID
	case Project:
		return v.ID
	case oldCompany:
		return v.ID
	case oldEmployee:
		return v.ID
	case oldProject:
		return v.ID
	default:
		return fmt.Sprintf("%T", item)
	}
}

// scans counts the items that queries read.
type scans struct {
	*dynamodb.Client
	read *int
}

func (c scans) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := c.Client.Query(ctx, in, options...)
	if err == nil {
		*c.read += int(out.ScannedCount)
	}
	return out, err
}

// Both models return the same items and read no others.
func TestBothModelsReadTheSameItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		c := scans{client, new(int)}
		for name, m := range map[string]reads{"existing": oldReads(t, client, c), "typed": typedReads(t, c)} {
			for _, r := range []struct {
				send func(ctx context.Context, company string) string
				want string
				read int
			}{
				{m.projects, "P001", 1},
				{m.employees, "E001, E002", 2},
				{m.everything, "C001, E001, E002, P001", 4},
				{m.labeled, "C001", 1},
			} {
				*c.read = 0
				require.Equal(t, r.want, r.send(t.Context(), "C001"), name)
				require.Equal(t, r.read, *c.read, name)
				require.Equal(t, "nothing", r.send(t.Context(), "c001"), "keys are case-sensitive: %s", name)
				require.Equal(t, r.read, *c.read, name)
			}
		}
	})
}

// Items of the existing table can be created, updated and deleted by key. An update of the name
// also updates the label.
func TestExistingItemsCanBeChanged(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		repo := oldCompanies.In(oldTable(t, client, client))
		key := oldCompany{ID: "C001"}
		c, err := repo.Get(ctx, key)
		require.NoError(t, err)
		require.Equal(t, oldCompany{ID: "C001", Name: "CompanyOne"}, c)
		_, err = repo.Get(ctx, oldCompany{ID: "c001"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.ErrorIs(t, repo.Create(ctx, &oldCompany{ID: "C001", Name: "Impostor"}), trestle.ErrExists)

		_, err = repo.Update(ctx, key, oldName.Set("CompanyPrime"))
		require.NoError(t, err)
		labeled := func(name string) string {
			return program.List(query.On(repo, "by-label", key).Where(oldName.Eq(name)).All(ctx), func(c oldCompany) string { return c.ID })
		}
		require.Equal(t, "nothing", labeled("CompanyOne"))
		require.Equal(t, "C001", labeled("CompanyPrime"))
		require.NoError(t, repo.Delete(ctx, key))
		require.Equal(t, "nothing", labeled("CompanyPrime"))

		// The index cannot find a company by name alone, because its partition key is the company.
		// The typed model has another index for that.
		_, err = query.On(repo, "by-label", oldCompany{Name: "CompanyOne"}).Collect(ctx)
		require.ErrorIs(t, err, trestle.ErrInvalid)
	})
}
