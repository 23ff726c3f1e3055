package costs

import (
	"math"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/entity"
)

// Estimate is what is expected of one request: what it asks for, and what it costs.
type Estimate struct {
	parts   []expected // one, but of a batch one for each key
	lacking int        // entries on indexes that are not there
}

type expected struct {
	input   func() (any, error)
	explain func(entity.Assumption) (entity.Explanation, error)
}

// units are what the parts cost together.
func (e Estimate) units(parts []entity.Explanation) (c entity.Capacity) {
	for _, x := range parts {
		c.Read += x.Units.Read
		c.Write += x.Units.Write - float64(e.lacking)*math.Ceil(float64(x.Assumed.ItemSize)/1024)
	}
	return c
}

func distance(a, b entity.Capacity) float64 {
	return math.Abs(a.Read-b.Read) + math.Abs(a.Write-b.Write)
}

func estimate[I any](input func() (I, error), explain func(entity.Assumption) (entity.Explanation, error)) Estimate {
	return Estimate{parts: []expected{{func() (any, error) { return input() }, explain}}}
}

// Explained is a query of any kind.
type Explained interface {
	Input() (*dynamodb.QueryInput, error)
	Explain(assume ...entity.Assumption) (entity.Explanation, error)
}

// Query is the estimate of a query, or of a count.
func Query(q Explained) Estimate {
	return estimate(q.Input, func(a entity.Assumption) (entity.Explanation, error) { return q.Explain(a) })
}

// Get is the estimate of a read by key.
func Get[T any](r entity.Repo[T], example T) Estimate {
	return estimate(func() (*dynamodb.GetItemInput, error) { return r.Inputs().Get(example) },
		func(a entity.Assumption) (entity.Explanation, error) { return r.Explain(a).Get(example) })
}

// Batch is the estimate of a batch that does many reads by key, which costs what they cost by themselves.
func Batch(gets ...Estimate) Estimate {
	var all Estimate
	for _, get := range gets {
		all.parts = append(all.parts, get.parts...)
	}
	return all
}
