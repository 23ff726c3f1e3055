package control

import (
	"slices"
	"time"

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
		Seq: r.Seq, Operation: r.Operation, Tables: r.Tables, Index: r.Index,
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
	operation, table := query.Get("operation"), query.Get("table")
	requests := slices.DeleteFunc(c.db.DB.Requests(), func(r ddbtest.Request) bool {
		return r.Seq <= after || operation != "" && r.Operation != operation || table != "" && !slices.Contains(r.Tables, table)
	})
	return requestList(requests[max(0, len(requests)-last):]), nil
}
