package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// This is an existing table. Its keys have unescaped values, its numbers are in keys only, and all
// values have one type, string. It has no type attribute, so the key identifies the type.
type (
	oldTenant struct {
		_      entity.Key `pk:"tenant-<Tenant>" sk:"*"`
		Tenant string     `entity:"key"`
		Name   string
	}
	oldProject struct {
		_       entity.Key   `pk:"project-<Project>" sk:"tenant-<Tenant>"`
		_       entity.Index `name:"by-name" on:"Related"`
		Project string       `entity:"key"`
		Tenant  string       `entity:"key"`
		Name    string       `dynamodbav:"Sort String"`
	}
	oldField struct {
		_       entity.Key `pk:"project-<Project>" sk:"xattrib-<Field>"`
		Project string     `entity:"key"`
		Field   string     `entity:"key"`
		Name    string
		Num     int
		Type    string
	}
	oldIssue struct {
		_       entity.Key   `pk:"issue-<Issue>" sk:"project-<Project>"`
		_       entity.Index `name:"by-number" on:"Related" sk:"<Number:06>"`
		Issue   string       `entity:"key"`
		Project string       `entity:"key"`
		Number  int          `entity:"key"`
		Name    string
		State   string
	}
	oldValue struct {
		_      entity.Key   `pk:"issue-<Issue>" sk:"xvalue-<Field>"`
		_      entity.Index `name:"by-value" on:"Related" sk:"<Value>#<Number:06>"`
		Issue  string       `entity:"key"`
		Field  string       `entity:"key"`
		Value  string       `entity:"key"`
		Number int          `entity:"key"`
	}
)

var (
	oldSchema = entity.NewSchema(entity.Config{
		Partition: entity.S("Entity Id"), Sort: entity.S("Related Id"), Raw: true,
		TypeAttribute: entity.None, WriteID: entity.None,
		Indexes: []entity.IndexConfig{
			{Name: "Related", Partition: []entity.Attribute{entity.S("Related Id")}, Sort: []entity.Attribute{entity.S("Sort String")}},
		},
	})
	oldTenants  = entity.Define[oldTenant](oldSchema)
	oldProjects = entity.Define[oldProject](oldSchema)
	oldFields   = entity.Define[oldField](oldSchema)
	oldIssues   = entity.Define[oldIssue](oldSchema)
	oldValues   = entity.Define[oldValue](oldSchema)

	oldNumber = attr.Must(func(i *oldIssue) *int { return &i.Number })
)

// oldRows are the nineteen rows: entity, related, sort string, name, num, state, type.
const oldRows = `
tenant-0807  | *            |                   | ACME Engineering               |   |        |
tenant-3cc8  | *            |                   | Big Media                      |   |        |
project-35e9 | tenant-0807  | Forth Rail Bridge |                                |   |        |
project-35e9 | xattrib-3fe6 |                   | Num Items                      | 3 |        | int
project-35e9 | xattrib-3812 |                   | Start                          | 1 |        | date
project-35e9 | xattrib-47e5 |                   | Sign Off                       | 4 |        | text
project-35e9 | xattrib-882a |                   | End                            | 2 |        | date
project-7b7e | tenant-3cc8  | The Daily News    |                                |   |        |
issue-020e   | project-35e9 | 000001            | Needs Painting                 |   | open   |
issue-020e   | xvalue-3812  | 2023-05-01#000001 |                                |   |        |
issue-020e   | xvalue-882a  | 2023-06-01#000001 |                                |   |        |
issue-3544   | project-7b7e | 000001            | Launch new newspaper!          |   | closed |
issue-67d1   | project-35e9 | 000002            | Check for rust                 |   | closed |
issue-67d1   | xvalue-3812  | 2023-05-02#000002 |                                |   |        |
issue-67d1   | xvalue-882a  | 2023-06-02#000002 |                                |   |        |
issue-83a4   | project-7b7e | 000002            | Hire reporter for showbiz desk |   | open   |
issue-af34   | project-35e9 | 000003            | Girder needs replacing         |   | open   |
issue-af34   | xvalue-3fe6  | 000042#000003     |                                |   |        |
issue-af34   | xvalue-47e5  | Approved#000003   |                                |   |        |
`

// itemsOf returns rows as the SDK stores them. Num is a number, and all other cells are strings. An
// empty cell is an absent attribute.
func itemsOf(rows string, names ...string) []map[string]types.AttributeValue {
	var items []map[string]types.AttributeValue
	for line := range strings.Lines(strings.TrimSpace(rows)) {
		item := map[string]types.AttributeValue{}
		for i, cell := range strings.Split(line, "|") {
			switch cell = strings.TrimSpace(cell); {
			case cell == "":
			case names[i] == "Num":
				item[names[i]] = &types.AttributeValueMemberN{Value: cell}
			default:
				item[names[i]] = avS(cell)
			}
		}
		items = append(items, item)
	}
	return items
}

func oldItems() []map[string]types.AttributeValue {
	return itemsOf(oldRows, "Entity Id", "Related Id", "Sort String", "Name", "Num", "State", "Type")
}

func avS(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// put stores items with the SDK alone.
func put(t *testing.T, client *dynamodb.Client, table string, items []map[string]types.AttributeValue) {
	t.Helper()
	for _, item := range items {
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		require.NoError(t, err)
	}
}

// oldStore reads the existing table.
type oldStore struct{ table *entity.Table }

func (s oldStore) tenant(ctx context.Context, id string) ([]string, error) {
	tenant, err := oldTenants.In(s.table).Get(ctx, oldTenant{Tenant: id})
	return []string{rowOf(tenant)}, err
}

func (s oldStore) project(ctx context.Context, id string) ([]string, error) {
	var c struct {
		Project oldProject
		Fields  []oldField
	}
	err := query.Load(ctx, query.Of(oldProjects.In(s.table), oldProject{Project: id}).Collection(), &c)
	slices.SortFunc(c.Fields, func(a, b oldField) int { return cmp.Compare(a.Num, b.Num) })
	return append([]string{rowOf(c.Project)}, rowsOf(c.Fields)...), err
}

func (s oldStore) issue(ctx context.Context, id string) ([]string, error) {
	var d struct {
		Issue  oldIssue
		Values []oldValue
	}
	err := query.Load(ctx, query.Of(oldIssues.In(s.table), oldIssue{Issue: id}).Collection(), &d)
	return append([]string{rowOf(d.Issue)}, rowsOf(d.Values)...), err
}

func (s oldStore) projects(ctx context.Context, tenant string) ([]string, error) {
	projects, err := query.On(oldProjects.In(s.table), "by-name", oldProject{Tenant: tenant}).Collect(ctx)
	return rowsOf(projects), err
}

func (s oldStore) byNumber(project string) query.Query[oldIssue] {
	return query.On(oldIssues.In(s.table), "by-number", oldIssue{Project: project})
}

func (s oldStore) byValue(field string) query.Query[oldValue] {
	return query.On(oldValues.In(s.table), "by-value", oldValue{Field: field})
}

func (s oldStore) issues(ctx context.Context, project string) ([]string, error) {
	issues, err := s.byNumber(project).Collect(ctx)
	return rowsOf(issues), err
}

func (s oldStore) values(ctx context.Context, field string) ([]string, error) {
	values, err := s.byValue(field).Collect(ctx)
	return rowsOf(values), err
}

func (s oldStore) with(ctx context.Context, project, field string) ([]string, error) {
	values, err := s.byValue(field).Collect(ctx)
	if err != nil {
		return nil, err
	}
	keys := make([]oldIssue, len(values))
	for i, v := range values {
		keys[i] = oldIssue{Issue: v.Issue, Project: project}
	}
	found, err := oldIssues.In(s.table).GetMany(ctx, keys)
	rows := make([]string, len(found))
	for i, issue := range found {
		rows[i] = rowOf(*issue)
	}
	return rows, err
}

// without first reads a page of issues by number, and then their values of the field.
func (s oldStore) without(ctx context.Context, project, field string) ([]string, error) {
	var rows []string
	for cursor := ""; ; {
		page, err := s.byNumber(project).Limit(2).Page(ctx, cursor)
		if err != nil {
			return nil, err
		}
		keys := make([]oldValue, len(page.Items))
		for i, issue := range page.Items {
			keys[i] = oldValue{Issue: issue.Issue, Field: field}
		}
		values, err := oldValues.In(s.table).GetMany(ctx, keys)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			if v == nil {
				rows = append(rows, rowOf(page.Items[i]))
			}
		}
		if cursor = page.Next; cursor == "" {
			return rows, nil
		}
	}
}

// Every existing row can be read, and does not change when it is written again.
func TestExistingRowsDoNotChange(t *testing.T) {
	t.Parallel()
	require.NoError(t, oldSchema.Err())
	items := oldItems()
	require.Len(t, items, 19)
	for _, item := range items {
		partition, sort := item["Entity Id"].(*types.AttributeValueMemberS).Value, item["Related Id"].(*types.AttributeValueMemberS).Value
		switch {
		case sort == "*":
			round(t, item, oldTenants)
		case strings.HasPrefix(sort, "xattrib-"):
			round(t, item, oldFields)
		case strings.HasPrefix(sort, "xvalue-"):
			round(t, item, oldValues)
		case strings.HasPrefix(partition, "project-"):
			round(t, item, oldProjects)
		default:
			round(t, item, oldIssues)
		}
	}
}

func round[T any](t *testing.T, item map[string]types.AttributeValue, of *entity.Type[T]) {
	t.Helper()
	e, err := of.Decode(item)
	require.NoError(t, err)
	again, err := of.Encode(&e)
	require.NoError(t, err)
	require.Equal(t, item, again)
}
