package repo

import "github.com/trestledb/trestle"

// Verb is what an operation does.
type Verb uint8

// The verbs on one item.
const (
	Get Verb = iota + 1
	Create
	Put
	Overwrite
	Update
	Upsert
	Delete
	Check
	Move
	Add // of package shard
)

// verbs describes the verbs.
var verbs = [...]struct {
	name    string
	writes  bool
	stores  bool             // the argument is a whole entity, which the write stamps
	returns []trestle.Return // what the write can return
}{
	0:         {name: "operation"},
	Get:       {name: "get"},
	Create:    {name: "create", writes: true, stores: true},
	Put:       {name: "put", writes: true, stores: true, returns: oldOnly},
	Overwrite: {name: "overwrite", writes: true, stores: true, returns: oldOnly},
	Update:    {name: "update", writes: true, returns: oldAndNew},
	Upsert:    {name: "upsert", writes: true, returns: oldAndNew},
	Delete:    {name: "delete", writes: true, returns: oldOnly},
	Check:     {name: "check", writes: true},
	Move:      {name: "move", writes: true, stores: true},
	Add:       {name: "add", writes: true},
}

var (
	oldOnly   = []trestle.Return{trestle.AllOld}
	oldAndNew = []trestle.Return{trestle.AllNew, trestle.AllOld, trestle.UpdatedOld, trestle.UpdatedNew}
)

// String returns the verb's name in errors, explanations and events.
func (v Verb) String() string { return verbs[v].name }

// unsent is the outcome of an operation that was not sent.
func (v Verb) unsent() trestle.Outcome {
	if verbs[v].writes {
		return trestle.NotApplied
	}
	return trestle.NoWrite
}
