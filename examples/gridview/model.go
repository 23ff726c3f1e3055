package main

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Tenant owns projects. It is not related to another entity, so its sort key is an asterisk.
type Tenant struct {
	_    entity.Key `type:"tenant" pk:"TENANT#<id>" sk:"*"`
	ID   string     `dynamodbav:"id"`
	Name string     `dynamodbav:"name"`
}

// Project belongs to a tenant. Its partition also has its fields.
type Project struct {
	_        entity.Key   `type:"project" pk:"PROJECT#<id>" sk:"TENANT#<tenant_id>"`
	_        entity.Index `name:"by-name" on:"Related" sk:"<name>"`
	ID       string       `dynamodbav:"id"`
	TenantID string       `dynamodbav:"tenant_id"`
	Name     string       `dynamodbav:"name"`
}

// Kind is the type of the values of a field.
type Kind string

const (
	Int  Kind = "int"
	Date Kind = "date"
	Text Kind = "text"
)

// Field is a column that a project defines. The X in its sort key sorts it after the project. It
// has no sort attribute and is therefore not on the index.
type Field struct {
	_         entity.Key `type:"field" pk:"PROJECT#<project_id>" sk:"XFIELD#<id>"`
	ProjectID string     `dynamodbav:"project_id"`
	ID        string     `dynamodbav:"id"`
	Name      string     `dynamodbav:"name"`
	Position  int        `dynamodbav:"position"` // among the columns of the project
	Kind      Kind       `dynamodbav:"kind"`
}

// Issue belongs to a project, which numbers its issues. Its partition also has its values.
type Issue struct {
	_         entity.Key   `type:"issue" pk:"ISSUE#<id>" sk:"PROJECT#<project_id>"`
	_         entity.Index `name:"by-number" on:"Related" sk:"<number:06>"`
	_         entity.Index `name:"by-state" on:"Board"`
	ID        string       `dynamodbav:"id"`
	ProjectID string       `dynamodbav:"project_id"`
	Number    int          `dynamodbav:"number"`
	Name      string       `dynamodbav:"name"`
	State     string       `dynamodbav:"state"`
}

var (
	// Related has the table's sort key as its partition key, and sorts by a string that each type
	// composes. Board sorts the issues of a project by two attributes with their own values. That
	// is the newer alternative to a composed string.
	Schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Related", Partition: []entity.Attribute{entity.S("SK")}, Sort: []entity.Attribute{entity.S("Sort")}},
		{
			Name: "Board", Partition: []entity.Attribute{entity.S("project_id")},
			Sort: []entity.Attribute{entity.S("state"), entity.N("number")},
		},
	}})
	Tenants  = entity.Define[Tenant](Schema)
	Projects = entity.Define[Project](Schema)
	Fields   = entity.Define[Field](Schema)
	Issues   = entity.Define[Issue](Schema)

	IssueState = attr.Must(func(i *Issue) *string { return &i.State })
)
