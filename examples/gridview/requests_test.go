package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// model is the interface of both models: the existing table and the table of this program.
type model interface {
	tenant(ctx context.Context, id string) ([]string, error)
	project(ctx context.Context, id string) ([]string, error)
	issue(ctx context.Context, id string) ([]string, error)
	projects(ctx context.Context, tenant string) ([]string, error)
	issues(ctx context.Context, project string) ([]string, error)
	values(ctx context.Context, field string) ([]string, error)
	with(ctx context.Context, project, field string) ([]string, error)
	without(ctx context.Context, project, field string) ([]string, error)
}

// newStore reads this program's table with its data access object.
type newStore struct{ Store }

// kinds are the kinds of the fields of project 35e9, the only project with fields.
var kinds = map[string]Kind{"3812": Date, "3fe6": Int, "47e5": Text, "882a": Date}

func (s newStore) tenant(ctx context.Context, id string) ([]string, error) {
	tenant, err := s.Tenant(ctx, id)
	return []string{rowOf(tenant)}, err
}

func (s newStore) project(ctx context.Context, id string) ([]string, error) {
	c, err := s.Columns(ctx, id)
	return append([]string{rowOf(c.Project)}, rowsOf(c.Fields)...), err
}

func (s newStore) issue(ctx context.Context, id string) ([]string, error) {
	d, err := s.Details(ctx, id)
	return append([]string{rowOf(d.Issue)}, append(append(rowsOf(d.Dates), rowsOf(d.Ints)...), rowsOf(d.Texts)...)...), err
}

func (s newStore) projects(ctx context.Context, tenant string) ([]string, error) {
	var rows []string
	for p, err := range s.Projects(ctx, tenant) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, rowOf(p))
	}
	return rows, nil
}

func (s newStore) issues(ctx context.Context, project string) ([]string, error) {
	var rows []string
	for issue, err := range s.Issues(ctx, project) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, rowOf(issue))
	}
	return rows, nil
}

func (s newStore) values(ctx context.Context, field string) ([]string, error) {
	switch kinds[field] {
	case Date:
		return collected(query.On(s.dates, "by-date", DateValue{FieldID: field}).Collect(ctx))
	case Int:
		return collected(query.On(s.ints, "by-int", IntValue{FieldID: field}).Collect(ctx))
	default:
		return collected(query.On(s.texts, "by-text", TextValue{FieldID: field}).Collect(ctx))
	}
}

func (s newStore) with(ctx context.Context, project, field string) ([]string, error) {
	issues, _, err := s.IssuesWith(ctx, project, Field{ID: field, Kind: kinds[field]}, 100, "")
	return rowsOf(issues), err
}

func (s newStore) without(ctx context.Context, project, field string) ([]string, error) {
	var rows []string
	for cursor := ""; ; {
		issues, next, err := s.IssuesWithout(ctx, project, Field{ID: field, Kind: kinds[field]}, 2, cursor)
		rows = append(rows, rowsOf(issues)...)
		if cursor = next; cursor == "" || err != nil {
			return rows, err
		}
	}
}

// rowOf returns an item of either model as a row of the existing table: its keys and its values.
func rowOf(item any) string {
	switch v := item.(type) {
	case Tenant:
		return fmt.Sprintf("tenant-%s * %s", v.ID, v.Name)
	case oldTenant:
		return fmt.Sprintf("tenant-%s * %s", v.Tenant, v.Name)
	case Project:
		return fmt.Sprintf("project-%s tenant-%s %s", v.ID, v.TenantID, v.Name)
	case oldProject:
		return fmt.Sprintf("project-%s tenant-%s %s", v.Project, v.Tenant, v.Name)
	case Field:
		return fmt.Sprintf("project-%s xattrib-%s %s %d %s", v.ProjectID, v.ID, v.Name, v.Position, v.Kind)
	case oldField:
		return fmt.Sprintf("project-%s xattrib-%s %s %d %s", v.Project, v.Field, v.Name, v.Num, v.Type)
	case Issue:
		return fmt.Sprintf("issue-%s project-%s #%d %s, %s", v.ID, v.ProjectID, v.Number, v.Name, v.State)
	case oldIssue:
		return fmt.Sprintf("issue-%s project-%s #%d %s, %s", v.Issue, v.Project, v.Number, v.Name, v.State)
	case DateValue:
		return fmt.Sprintf("issue-%s xvalue-%s %s#%d", v.IssueID, v.FieldID, text(v), v.Number)
	case IntValue:
		return fmt.Sprintf("issue-%s xvalue-%s %s#%d", v.IssueID, v.FieldID, text(v), v.Number)
	case TextValue:
		return fmt.Sprintf("issue-%s xvalue-%s %s#%d", v.IssueID, v.FieldID, text(v), v.Number)
	case oldValue:
		return fmt.Sprintf("issue-%s xvalue-%s %s#%d", v.Issue, v.Field, strings.TrimLeft(v.Value, "0"), v.Number)
	default:
		return fmt.Sprintf("%T", item)
	}
}

func rowsOf[T any](items []T) []string {
	var rows []string
	for _, item := range items {
		rows = append(rows, rowOf(item))
	}
	return rows
}

func collected[T any](items []T, err error) ([]string, error) { return rowsOf(items), err }

const (
	acme   = "tenant-0807 * ACME Engineering"
	bridge = "project-35e9 tenant-0807 Forth Rail Bridge"
	news   = "project-7b7e tenant-3cc8 The Daily News"

	startColumn = "project-35e9 xattrib-3812 Start 1 date"
	endColumn   = "project-35e9 xattrib-882a End 2 date"
	numItems    = "project-35e9 xattrib-3fe6 Num Items 3 int"
	signOff     = "project-35e9 xattrib-47e5 Sign Off 4 text"

	painting  = "issue-020e project-35e9 #1 Needs Painting, open"
	rust      = "issue-67d1 project-35e9 #2 Check for rust, closed"
	girder    = "issue-af34 project-35e9 #3 Girder needs replacing, open"
	newspaper = "issue-3544 project-7b7e #1 Launch new newspaper!, closed"
	reporter  = "issue-83a4 project-7b7e #2 Hire reporter for showbiz desk, open"
)

// requests are the access patterns: the rows in order, the number of requests, and the number of
// items that queries read.
var requests = []struct {
	name              string
	send              func(context.Context, model) ([]string, error)
	want              []string
	requests, scanned int
}{
	{"tenant", func(ctx context.Context, m model) ([]string, error) { return m.tenant(ctx, "0807") }, []string{acme}, 1, 0},
	{"project with its fields", func(ctx context.Context, m model) ([]string, error) { return m.project(ctx, "35e9") },
		[]string{bridge, startColumn, endColumn, numItems, signOff}, 1, 5},
	{"project without fields", func(ctx context.Context, m model) ([]string, error) { return m.project(ctx, "7b7e") }, []string{news}, 1, 1},
	{"issue with its values", func(ctx context.Context, m model) ([]string, error) { return m.issue(ctx, "020e") },
		[]string{painting, "issue-020e xvalue-3812 2023-05-01#1", "issue-020e xvalue-882a 2023-06-01#1"}, 1, 3},
	{"issue with values of several kinds", func(ctx context.Context, m model) ([]string, error) { return m.issue(ctx, "af34") },
		[]string{girder, "issue-af34 xvalue-3fe6 42#3", "issue-af34 xvalue-47e5 Approved#3"}, 1, 3},
	{"projects of a tenant", func(ctx context.Context, m model) ([]string, error) { return m.projects(ctx, "0807") }, []string{bridge}, 1, 1},
	{"issues of a project", func(ctx context.Context, m model) ([]string, error) { return m.issues(ctx, "35e9") },
		[]string{painting, rust, girder}, 1, 3},
	{"issues of another project", func(ctx context.Context, m model) ([]string, error) { return m.issues(ctx, "7b7e") },
		[]string{newspaper, reporter}, 1, 2},
	{"values of 3812", func(ctx context.Context, m model) ([]string, error) { return m.values(ctx, "3812") },
		[]string{"issue-020e xvalue-3812 2023-05-01#1", "issue-67d1 xvalue-3812 2023-05-02#2"}, 1, 2},
	{"values of 882a", func(ctx context.Context, m model) ([]string, error) { return m.values(ctx, "882a") },
		[]string{"issue-020e xvalue-882a 2023-06-01#1", "issue-67d1 xvalue-882a 2023-06-02#2"}, 1, 2},
	{"values of 3fe6", func(ctx context.Context, m model) ([]string, error) { return m.values(ctx, "3fe6") },
		[]string{"issue-af34 xvalue-3fe6 42#3"}, 1, 1},
	{"values of 47e5", func(ctx context.Context, m model) ([]string, error) { return m.values(ctx, "47e5") },
		[]string{"issue-af34 xvalue-47e5 Approved#3"}, 1, 1},
	{"issues by 3812", func(ctx context.Context, m model) ([]string, error) { return m.with(ctx, "35e9", "3812") }, []string{painting, rust}, 2, 2},
	{"issues by 47e5", func(ctx context.Context, m model) ([]string, error) { return m.with(ctx, "35e9", "47e5") }, []string{girder}, 2, 1},
	{"issues without 3812", func(ctx context.Context, m model) ([]string, error) { return m.without(ctx, "35e9", "3812") }, []string{girder}, 4, 3},
	{"issues without 3fe6", func(ctx context.Context, m model) ([]string, error) { return m.without(ctx, "35e9", "3fe6") },
		[]string{painting, rust}, 4, 3},
}

// metered counts requests and the items that queries read.
type metered struct {
	*dynamodb.Client
	got *reads
}

type reads struct{ requests, scanned int }

func (m metered) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	m.got.requests++
	out, err := m.Client.Query(ctx, in, opts...)
	if err == nil {
		m.got.scanned += int(out.ScannedCount)
	}
	return out, err
}

func (m metered) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	m.got.requests++
	return m.Client.GetItem(ctx, in, opts...)
}

func (m metered) BatchGetItem(
	ctx context.Context, in *dynamodb.BatchGetItemInput, opts ...func(*dynamodb.Options),
) (*dynamodb.BatchGetItemOutput, error) {
	m.got.requests++
	return m.Client.BatchGetItem(ctx, in, opts...)
}

// tables creates and fills both tables. got counts what is read from them.
func tables(t *testing.T, client *dynamodb.Client, got *reads) (oldStore, newStore) {
	t.Helper()
	old, err := oldSchema.Open(metered{client, got}, "Issues", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, old.Create(t.Context()))
	put(t, client, "Issues", oldItems())
	typed, err := Schema.Open(metered{client, got}, "gridview", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, typed.Create(t.Context()))
	store := NewStore(typed)
	require.NoError(t, fill(t.Context(), store))
	return oldStore{old}, newStore{store}
}

// Both models return exactly these rows in order for every request, and read no other items.
func TestRequestsReadOnlyTheirRows(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		got := &reads{}
		old, typed := tables(t, e.Client(t), got)
		for _, m := range []struct {
			name  string
			model model
		}{{"existing", old}, {"typed", typed}} {
			for _, r := range requests {
				*got = reads{}
				rows, err := r.send(t.Context(), m.model)
				require.NoError(t, err, "%s: %s", m.name, r.name)
				require.Equal(t, r.want, rows, "%s: %s", m.name, r.name)
				require.Equal(t, reads{r.requests, r.scanned}, *got, "%s: %s", m.name, r.name)
			}
		}
	})
}
