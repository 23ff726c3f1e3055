package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Album holds the photos of a tenant. Its handle is unique within the tenant.
type Album struct {
	_      entity.Key    `type:"album" pk:"TENANT#<tenant>" sk:"ALBUM#<id>"`
	_      entity.Index  `name:"albums-of-tenant" on:"tenants" pk:"TENANT#<tenant>"`
	_      entity.Unique `name:"handle" key:"<handle:lower>"`
	Tenant string        `dynamodbav:"tenant" entity:"tenant"`
	ID     string        `dynamodbav:"id"`
	Handle string        `dynamodbav:"handle"`
}

// Photo is read by the time when it was taken, or by its place.
type Photo struct {
	_       entity.Key   `type:"photo" pk:"TENANT#<tenant>" sk:"PHOTO#<taken_at:s>#<id>"`
	_       entity.Index `name:"photos-of-tenant" on:"tenants" pk:"TENANT#<tenant>"`
	_       entity.Index `name:"by-place" on:"GSI1" pk:"TENANT#<tenant>#PLACE#<place>" sk:"<taken_at:s>#<id>"`
	Tenant  string       `dynamodbav:"tenant" entity:"tenant"`
	TakenAt time.Time    `dynamodbav:"taken_at"`
	ID      string       `dynamodbav:"id"`
	Place   string       `dynamodbav:"place,omitempty"`
	URL     string       `dynamodbav:"url"`
}

// The schema, its types, and the handles of their attributes.
var (
	Schema = entity.NewSchema(entity.Config{
		Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "tenants", NoSort: true, KeysOnly: true}}, TenantIndex: "tenants",
	})
	Albums = entity.Define[Album](Schema)
	Photos = entity.Define[Photo](Schema)

	URL = attr.Must(func(p *Photo) *string { return &p.URL })
)
