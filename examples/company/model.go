package main

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Company is the first entity of the partition COM#<id>, which also has its employees and projects.
// The local index ByLabel sorts the partition by name. GSI1 finds a company by its name alone.
type Company struct {
	_    entity.Key   `type:"company" pk:"COM#<id>" sk:"#METADATA#<id>"`
	_    entity.Index `name:"by-label" on:"ByLabel" sk:"ORG#<name>"`
	_    entity.Index `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
	ID   string       `dynamodbav:"id"`
	Name string       `dynamodbav:"name"`
}

// Employee works for a company.
type Employee struct {
	_         entity.Key   `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
	_         entity.Index `name:"by-label" on:"ByLabel" sk:"EMP#<name>"`
	CompanyID string       `dynamodbav:"company_id"`
	ID        string       `dynamodbav:"id"`
	Name      string       `dynamodbav:"name"`
}

// Project belongs to a company.
type Project struct {
	_         entity.Key   `type:"project" pk:"COM#<company_id>" sk:"PRO#<id>"`
	_         entity.Index `name:"by-label" on:"ByLabel" sk:"PRO#<name>"`
	CompanyID string       `dynamodbav:"company_id"`
	ID        string       `dynamodbav:"id"`
	Name      string       `dynamodbav:"name"`
}

var (
	Schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "ByLabel", Kind: entity.LocalIndex, Sort: []entity.Attribute{entity.S("filterName")}},
		{Name: "GSI1"},
	}})
	Companies = entity.Define[Company](Schema)
	Employees = entity.Define[Employee](Schema)
	Projects  = entity.Define[Project](Schema)

	CompanyName = attr.Must(func(c *Company) *string { return &c.Name })
)
