package ddbtest

import (
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// condition is a part that writes something down.
type condition func(*fault.Spec)

func (c condition) join(s *fault.Spec) { c(s) }

// Op is about these operations, such as "UpdateItem". Without it a rule is about all where its effects have a meaning.
func Op(operations ...string) Part {
	return condition(func(s *fault.Spec) { s.Operations = append(s.Operations, operations...) })
}

// OnTable is about requests that touch the table; of a batch or a transaction, about that part.
func OnTable(name string) Part { return condition(func(s *fault.Spec) { s.Table = name }) }

// OnIndex is about pages of an index.
func OnIndex(name string) Part { return condition(func(s *fault.Spec) { s.Index = name }) }

// OnKey is about requests for the item with these attributes in its key, be it a partition key alone; of a batch or a transaction, about that
// part. A page has no key.
func OnKey(key map[string]types.AttributeValue) Part {
	return condition(func(s *fault.Spec) {
		m, err := keyOf(key)
		if err != nil {
			s.Faults = append(s.Faults, fmt.Errorf("OnKey: %w", err))
		}
		s.Key = m
	})
}

// Matching is about requests for which the function returns true. It is asked before a request is applied, without a lock.
func Matching(f func(Request) bool) Part {
	return condition(func(s *fault.Spec) {
		if f == nil {
			s.Faults = append(s.Faults, errors.New("Matching has no function"))
			return
		}
		s.Match = append(s.Match, func(info any) bool {
			r, ok := info.(Request)
			return ok && f(r)
		})
	})
}

// Nth acts on the n-th request, from 1, and on no other.
func Nth(n int) Part { return condition(func(s *fault.Spec) { s.Nth = counted(s, n) }) }

// Every acts on each n-th request.
func Every(n int) Part { return condition(func(s *fault.Spec) { s.Every = counted(s, n) }) }

// First acts on the first n requests.
func First(n int) Part { return condition(func(s *fault.Spec) { s.First = counted(s, n) }) }

// Times acts n times at most.
func Times(n int) Part { return condition(func(s *fault.Spec) { s.Times = counted(s, n) }) }

func counted(s *fault.Spec, n int) int {
	if n <= 0 {
		s.Faults = append(s.Faults, fmt.Errorf("requests are counted from 1, not %d", n))
	}
	return n
}

// Rate acts by chance, on this share of the requests. With the same seed and the same rules, requests in the same order meet the same fate.
func Rate(share float64) Part {
	return condition(func(s *fault.Spec) {
		if share <= 0 || share > 1 {
			s.Faults = append(s.Faults, fmt.Errorf("a rate is above 0 and at most 1, not %g", share))
		}
		s.Rate = share
	})
}
