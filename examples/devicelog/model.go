package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Report is the state of a device at a time, in whole seconds, and the operator on duty. The
// table's key sorts the reports of a device by state and time, and the local index ByTime sorts
// them by time alone. GSI1 has the reports of an operator. GSI2 has only the escalated reports, by
// the person to whom they are escalated.
type Report struct {
	_           entity.Key   `type:"report" pk:"DEVICE#<device>" sk:"STATE#<state>#<at:s>"`
	_           entity.Index `name:"by-time" on:"ByTime" sk:"<at:s>"`
	_           entity.Index `name:"by-operator" on:"GSI1" pk:"OPERATOR#<operator>" sk:"AT#<at:s>"`
	_           entity.Index `name:"escalated" on:"GSI2" pk:"FOR#<escalated_to>" sk:"STATE#<state>#<at:s>"`
	Device      string       `dynamodbav:"device"`
	State       string       `dynamodbav:"state"`
	At          time.Time    `dynamodbav:"at"`
	Operator    string       `dynamodbav:"operator"`
	EscalatedTo string       `dynamodbav:"escalated_to,omitempty"`
	Detail      string       `dynamodbav:"detail,omitempty"`
}

var (
	Schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "ByTime", Kind: entity.LocalIndex, Sort: []entity.Attribute{entity.S("at")}},
		{Name: "GSI1"},
		{Name: "GSI2"},
	}})
	Reports = entity.Define[Report](Schema)

	State       = attr.Must(func(r *Report) *string { return &r.State })
	At          = attr.Must(func(r *Report) *time.Time { return &r.At })
	EscalatedTo = attr.Must(func(r *Report) *string { return &r.EscalatedTo })
)
