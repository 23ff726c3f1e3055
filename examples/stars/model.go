package main

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Repository counts its stars. The index by-stars sorts the repositories of a language by their
// number of stars. The sort key is the attribute itself, a number: a count cannot be part of a
// template, because DynamoDB computes its value.
type Repository struct {
	_        entity.Key   `type:"repository" pk:"REPO#<owner>#<name>" sk:"REPO"`
	_        entity.Index `name:"by-stars" on:"ByStars" pk:"LANGUAGE#<language>"`
	Owner    string       `dynamodbav:"owner"`
	Name     string       `dynamodbav:"name"`
	Language string       `dynamodbav:"language"`
	About    string       `dynamodbav:"about"`
	Stars    int64        `dynamodbav:"stars"`
	Version  int64        `dynamodbav:"version" entity:"version"`
}

// Star is the star of a user for a repository. Its key has both, so a user gives a repository at
// most one star. The repository counts its stars in the attribute stars.
type Star struct {
	_     entity.Key     `type:"star" pk:"USER#<user>" sk:"STAR#<owner>#<name>"`
	_     entity.Index   `name:"by-repository" on:"GSI1" pk:"REPO#<owner>#<name>" sk:"STAR#<user>"`
	_     entity.Counted `in:"repository" as:"stars" pk:"REPO#<owner>#<name>" sk:"REPO"`
	User  string         `dynamodbav:"user"`
	Owner string         `dynamodbav:"owner"`
	Name  string         `dynamodbav:"name"`
}

var (
	Schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "GSI1"},
		{Name: "ByStars", Partition: []entity.Attribute{entity.S("ByStarsPK")}, Sort: []entity.Attribute{entity.N("stars")}},
	}})
	Repositories = entity.Define[Repository](Schema)
	Stars        = entity.Define[Star](Schema)

	About     = attr.Must(func(r *Repository) *string { return &r.About })
	StarCount = attr.Must(func(r *Repository) *int64 { return &r.Stars })
)
