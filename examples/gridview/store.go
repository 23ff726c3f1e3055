package main

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct {
	tenants  *entity.Repo[Tenant]
	projects *entity.Repo[Project]
	fields   *entity.Repo[Field]
	issues   *entity.Repo[Issue]
	dates    *entity.Repo[DateValue]
	ints     *entity.Repo[IntValue]
	texts    *entity.Repo[TextValue]
}

func NewStore(t *entity.Table) Store {
	return Store{Tenants.In(t), Projects.In(t), Fields.In(t), Issues.In(t), Dates.In(t), Ints.In(t), Texts.In(t)}
}

func (s Store) AddTenant(ctx context.Context, t *Tenant) error   { return s.tenants.Create(ctx, t) }
func (s Store) AddProject(ctx context.Context, p *Project) error { return s.projects.Create(ctx, p) }
func (s Store) AddField(ctx context.Context, f *Field) error     { return s.fields.Create(ctx, f) }
func (s Store) AddIssue(ctx context.Context, i *Issue) error     { return s.issues.Create(ctx, i) }
func (s Store) SetDate(ctx context.Context, v *DateValue) error  { return s.dates.Put(ctx, v) }
func (s Store) SetInt(ctx context.Context, v *IntValue) error    { return s.ints.Put(ctx, v) }
func (s Store) SetText(ctx context.Context, v *TextValue) error  { return s.texts.Put(ctx, v) }

func (s Store) Tenant(ctx context.Context, id string) (Tenant, error) {
	return s.tenants.Get(ctx, Tenant{ID: id})
}

// Columns is a project with its fields, sorted by position.
type Columns struct {
	Project Project
	Fields  []Field
}

func (s Store) Columns(ctx context.Context, project string) (c Columns, err error) {
	err = query.Load(ctx, query.Of(s.projects, Project{ID: project}).Collection(), &c)
	slices.SortFunc(c.Fields, func(a, b Field) int { return cmp.Compare(a.Position, b.Position) })
	return c, err
}

// Details is an issue with its values.
type Details struct {
	Issue Issue
	Dates []DateValue
	Ints  []IntValue
	Texts []TextValue
}

func (s Store) Details(ctx context.Context, issue string) (d Details, err error) {
	err = query.Load(ctx, query.Of(s.issues, Issue{ID: issue}).Collection(), &d)
	return d, err
}

// Projects returns the projects of a tenant by name.
func (s Store) Projects(ctx context.Context, tenant string) iter.Seq2[Project, error] {
	return query.On(s.projects, "by-name", Project{TenantID: tenant}).All(ctx)
}

// Issues returns the issues of a project by number.
func (s Store) Issues(ctx context.Context, project string) iter.Seq2[Issue, error] {
	return s.byNumber(project).All(ctx)
}

// IssuesIn returns the issues of a project in one state, by number.
func (s Store) IssuesIn(ctx context.Context, project, state string) iter.Seq2[Issue, error] {
	return s.byState(project).Where(IssueState.Eq(state)).All(ctx)
}

func (s Store) byNumber(project string) query.Query[Issue] {
	return query.On(s.issues, "by-number", Issue{ProjectID: project})
}

func (s Store) byState(project string) query.Query[Issue] {
	return query.On(s.issues, "by-state", Issue{ProjectID: project})
}

// values returns the values of a kind.
func (s Store) values(k Kind) values {
	switch k {
	case Int:
		return valuesOf[IntValue]{s.ints, "by-int",
			func(issue, field string) IntValue { return IntValue{IssueID: issue, FieldID: field} },
			func(v IntValue) string { return v.IssueID }}
	case Date:
		return valuesOf[DateValue]{s.dates, "by-date",
			func(issue, field string) DateValue { return DateValue{IssueID: issue, FieldID: field} },
			func(v DateValue) string { return v.IssueID }}
	default:
		return valuesOf[TextValue]{s.texts, "by-text",
			func(issue, field string) TextValue { return TextValue{IssueID: issue, FieldID: field} },
			func(v TextValue) string { return v.IssueID }}
	}
}
