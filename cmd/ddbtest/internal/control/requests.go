package control

import (
	"slices"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

var requestRoutes = []Route{read("/requests", listRequests, "last", "after", "operation", "table")}

// defaultLast is how many requests are listed by default.
const defaultLast = 100

// RequestList has requests in the order of their arrival.
type RequestList struct {
	Requests []Request `json:"requests"`
}

// Request describes a request of a client of DynamoDB. It contains no values of items.
type Request struct {
	Seq       int      `json:"seq"` // its number in the order of arrival, from 1
	Operation string   `json:"operation"`
	RunsAs    string   `json:"runsAs,omitempty"` // of PartiQL: the operation as which it runs, such as "Scan"
	Tables    []string `json:"tables,omitempty"`
	Index     string   `json:"index,omitempty"`

	At       time.Time `json:"at"`
	Duration string    `json:"duration"`
	Call     string    `json:"call,omitempty"`    // the SDK's ID of the call, the same for all its attempts
	Attempt  int       `json:"attempt,omitempty"` // number within the call, from 1
	Late     bool      `json:"late,omitempty"`    // it was applied late, or is held for later

	Status    int    `json:"status"` // 0 if there was no reply
	ErrorCode string `json:"errorCode,omitempty"`
	Fault     string `json:"fault,omitempty"` // the effects of rules on it

	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	Evaluated  int     `json:"evaluated"`
	Returned   int     `json:"returned"`
	Filtered   bool    `json:"filtered"`
}

func requestOf(r *ddbtest.Request) Request {
	return Request{
		Seq: r.Seq, Operation: r.Operation, RunsAs: r.RunsAs, Tables: r.Tables, Index: r.Index,
		At: r.At, Duration: r.Duration.String(), Call: r.Call, Attempt: r.Attempt, Late: r.Late,
		Status: r.Status, ErrorCode: r.ErrorCode, Fault: r.Fault,
		ReadUnits: r.ReadUnits, WriteUnits: r.WriteUnits, Evaluated: r.Evaluated, Returned: r.Returned, Filtered: r.Filtered,
	}
}

func requestList(requests []ddbtest.Request) RequestList {
	list := make([]Request, len(requests))
	for i := range requests {
		list[i] = requestOf(&requests[i])
	}
	return RequestList{list}
}

func listRequests(c *call) (RequestList, error) {
	last, err := c.query("last", defaultLast)
	if err != nil {
		return RequestList{}, err
	}
	after, err := c.query("after", 0)
	if err != nil {
		return RequestList{}, err
	}
	query := c.request.URL.Query()
	all := c.db.DB.Requests()
	operation, table := query.Get("operation"), query.Get("table")
	ofOperation := func(r ddbtest.Request) bool {
		return operation == "" || r.Operation == operation || r.RunsAs == operation
	}
	ofTable := func(r ddbtest.Request) bool { return table == "" || slices.Contains(r.Tables, table) }
	var problems []strict.Problem
	if p := operationProblem(c.db.DB, operation); operation != "" && p != nil && !slices.ContainsFunc(all, ofOperation) {
		p.Field = "operation"
		problems = append(problems, p.Problem)
	}
	if table != "" && !slices.ContainsFunc(all, ofTable) {
		p, err := c.unknownTable(table, all)
		if err != nil {
			return RequestList{}, err
		}
		problems = append(problems, p...)
	}
	if len(problems) > 0 {
		return RequestList{}, badRequest(problems)
	}
	requests := slices.DeleteFunc(all, func(r ddbtest.Request) bool { return r.Seq <= after || !ofOperation(r) || !ofTable(r) })
	return requestList(requests[max(0, len(requests)-last):]), nil
}

// unknownTable returns the problem of a table that does not exist and that no request used.
func (c *call) unknownTable(table string, requests []ddbtest.Request) ([]strict.Problem, error) {
	names, err := c.tableNames()
	if err != nil || slices.Contains(names, table) {
		return nil, err
	}
	for i := range requests {
		names = append(names, requests[i].Tables...)
	}
	slices.Sort(names)
	cure := strict.Nearest(table, slices.Compact(names))
	return []strict.Problem{{Field: "table", Message: "there is no such table, and no request used one of this name", Cure: cure}}, nil
}
