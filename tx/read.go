package tx

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/repo"
)

// Item is an item that [Read] reads. [Get] and [GetAs] return it.
type Item struct{ item repo.ReadItem }

// Get reads the item with the key of example. Read sets *into to the item, or to nil if it does not
// exist or is of another type.
func Get[T any](from entity.Source[T], example T, into **T) Item {
	return Item{repo.ReadItem{From: repoOf(from), Example: &example, Into: into}}
}

// GetAs is [Get] for a projection: only the attributes of P's fields are returned. It costs as much
// as the whole item.
func GetAs[T, P any](as entity.Projection[T, P], from entity.Source[T], example T, into **P) Item {
	p, _ := hooks.RepoProjectionOf(as).(*repo.Projection)
	return Item{repo.ReadItem{From: repoOf(from), Example: &example, Into: into, Projected: true, Projection: p}}
}

func repoOf(source any) *repo.Repo {
	r, _ := hooks.RepoOf(source).(*repo.Repo)
	return r
}

// Read reads several items as they were at one moment: it sees all writes of a transaction or none
// of them. The items may be of several types and tables of one client. An item that is read twice
// is requested once; it must not be read in two forms, such as whole and projected. The call
// options and the observer are those of the repository of the first item.
//
// It costs two read units per 4 KB of each item, rounded up, and two for an item that does not
// exist. A single item is read by a strongly consistent GetItem, at half of that. A transaction
// reads at most 100 items of 4 MB in all. A write of one of the items at the same time is a
// conflict, after which the transaction is retried: see [entity.Repo].
//
// The destinations are set only if Read succeeds. Errors: [trestle.ErrInvalid] and
// [trestle.ErrLimit] before anything is sent, for the mistakes of all items, with a [*LimitError]
// for more than 100 items; a [*CanceledError] if conflicts last; the error of an item that cannot
// be decoded.
func Read(ctx context.Context, items ...Item) error {
	_, err := NewRead(items...).Do(ctx)
	return err
}

// ReadTransaction is items to read together. It is immutable and can be sent again.
type ReadTransaction repo.ReadTransaction

// NewRead returns a transaction that can be inspected, explained and sent.
func NewRead(items ...Item) *ReadTransaction {
	list := make([]repo.ReadItem, len(items))
	for i := range items {
		list[i] = items[i].item
	}
	return (*ReadTransaction)(repo.NewReadTransaction(list))
}

// Do reads the items: see [Read].
func (t *ReadTransaction) Do(ctx context.Context) (Result, error) {
	var r Result
	err := (*repo.ReadTransaction)(t).Do(ctx, repo.Result{Capacity: &r.Capacity, Attempts: &r.Attempts})
	return r, err
}

// Input returns the SDK input of the transaction, to inspect, test, or send by other means. For a
// single item, Do sends a GetItem instead.
func (t *ReadTransaction) Input() (*dynamodb.TransactGetItemsInput, error) {
	return (*repo.ReadTransaction)(t).Input()
}

// Explain explains the transaction and estimates its cost without sending it. The assumptions are
// those of the distinct items, in order; the last one applies to the rest.
func (t *ReadTransaction) Explain(assume ...trestle.Assumption) (trestle.TransactionExplanation, error) {
	return (*repo.ReadTransaction)(t).Explain(assume)
}
