package costs

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Create is the estimate of a create.
func Create[T any](r entity.Repo[T], e *T) Estimate {
	return estimate(func() (*dynamodb.PutItemInput, error) { return r.Inputs().Create(e) },
		func(a entity.Assumption) (entity.Explanation, error) { return r.Explain(a).Create(e) })
}

// Put is the estimate of a put.
func Put[T any](r entity.Repo[T], e *T) Estimate {
	return estimate(func() (*dynamodb.PutItemInput, error) { return r.Inputs().Put(e) },
		func(a entity.Assumption) (entity.Explanation, error) { return r.Explain(a).Put(e) })
}

// Update is the estimate of an update.
func Update[T any](r entity.Repo[T], example T, change attr.Change[T]) Estimate {
	return estimate(func() (*dynamodb.UpdateItemInput, error) { return r.Inputs().Update(example, change) },
		func(a entity.Assumption) (entity.Explanation, error) { return r.Explain(a).Update(example, change) })
}

// Delete is the estimate of a delete.
func Delete[T any](r entity.Repo[T], example T) Estimate {
	return estimate(func() (*dynamodb.DeleteItemInput, error) { return r.Inputs().Delete(example) },
		func(a entity.Assumption) (entity.Explanation, error) { return r.Explain(a).Delete(example) })
}

// Lacking says that the item is not on n of the indexes that an update or a delete is taken to find it on: their entries cost nothing.
func (e Estimate) Lacking(n int) Estimate {
	e.lacking = n
	return e
}
