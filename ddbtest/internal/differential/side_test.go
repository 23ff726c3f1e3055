package differential

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// engine is a database to compare.
type engine struct {
	name    string
	client  *dynamodb.Client
	streams *dynamodbstreams.Client
	loose   bool // keeps the spelling of numbers, which is then not compared
}

// side is an engine in one run of a history.
type side struct {
	engine
	spelling
	run     string       // makes the tokens of this run unique
	cursors map[int]item // LastEvaluatedKey by slot
}

func newSide(e engine, run string) *side {
	return &side{engine: e, spelling: spelling{plain: e.loose}, run: run, cursors: map[int]item{}}
}

// call runs an operation with one call.
func (s *side) call(ctx context.Context, op operation) outcome {
	input := op.input
	if in, ok := input.(*dynamodb.TransactWriteItemsInput); ok && op.token > 0 {
		sent := *in
		sent.ClientRequestToken = aws.String(fmt.Sprintf("%s-%d", s.run, op.token))
		input = &sent
	}
	reply, err := invoke(ctx, s.client, input)
	if out, ok := reply.(*dynamodb.BatchGetItemOutput); ok && err == nil {
		err = s.rest(ctx, out)
	}
	return s.outcomeOf(reply, err)
}

// rest reads the unprocessed keys of a batch and adds the results to the reply, because engines may
// stop at different keys. The reply still shows that there were unprocessed keys.
func (s *side) rest(ctx context.Context, out *dynamodb.BatchGetItemOutput) error {
	for left := out.UnprocessedKeys; len(left) > 0; {
		next, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: left, ReturnConsumedCapacity: capacity})
		if err != nil {
			return err
		}
		for table, items := range next.Responses {
			out.Responses[table] = append(out.Responses[table], items...)
		}
		out.ConsumedCapacity = append(out.ConsumedCapacity, next.ConsumedCapacity...)
		left = next.UnprocessedKeys
	}
	return nil
}

// read reads the page after start.
func (s *side) read(ctx context.Context, op operation, start item) outcome {
	return s.outcomeOf(invoke(ctx, s.client, startingAt(op.input, start)))
}

// startingAt returns a copy of a query or a scan with another start key.
func startingAt(input any, start item) any {
	switch in := input.(type) {
	case *dynamodb.QueryInput:
		sent := *in
		sent.ExclusiveStartKey = start
		return &sent
	case *dynamodb.ScanInput:
		sent := *in
		sent.ExclusiveStartKey = start
		return &sent
	default:
		return input
	}
}

// all reads all pages. It joins the items and sums the counts. The capacity is only set if there is
// one page: engines with different orders end pages of 1 MB at different items.
func (s *side) all(ctx context.Context, input any) outcome {
	whole := s.outcomeOf(invoke(ctx, s.client, input))
	for last := whole.page; !whole.failed() && last.last != nil; {
		next := s.outcomeOf(invoke(ctx, s.client, startingAt(input, last.last)))
		if next.failed() {
			return next
		}
		last = next.page
		whole.page, whole.capacity = joined(whole.page, last), nil
	}
	return whole
}

// joined returns two pages as one.
func joined(a, b *page) *page {
	return &page{items: append(a.items[:len(a.items):len(a.items)], b.items...), count: a.count + b.count, scanned: a.scanned + b.scanned, last: b.last}
}

// patience is how often the status of a table is polled, and between is the interval. Polling
// without a pause keeps DynamoDB Local from creating the index.
const (
	patience = 2000
	between  = 5 * time.Millisecond
)

// settle waits until a table and its indexes are active.
func (s *side) settle(ctx context.Context, name string) (*types.TableDescription, error) {
	var last error
	for range patience {
		described, err := s.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(name)})
		if err == nil && active(described.Table) {
			return described.Table, nil
		}
		last = err
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s: %w", s.name, ctx.Err())
		case <-time.After(between):
		}
	}
	return nil, errors.Join(fmt.Errorf("%s: %w: %s", s.name, errNeverActive, name), last)
}

func active(t *types.TableDescription) bool {
	for _, x := range t.GlobalSecondaryIndexes {
		if x.IndexStatus != types.IndexStatusActive {
			return false
		}
	}
	return t.TableStatus == types.TableStatusActive
}

// create creates a table, and first deletes an existing one.
func (s *side) create(ctx context.Context, t *table) error {
	if err := s.drop(ctx, t); err != nil {
		return err
	}
	if _, err := s.client.CreateTable(ctx, t.create()); err != nil {
		return fmt.Errorf("%s: create %s: %w", s.name, t.name, err)
	}
	_, err := s.settle(ctx, t.name)
	return err
}

// drop deletes a table, if it exists.
func (s *side) drop(ctx context.Context, t *table) error {
	_, err := s.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: name(t)})
	var unknown *types.ResourceNotFoundException
	if err != nil && !errors.As(err, &unknown) {
		return fmt.Errorf("%s: delete %s: %w", s.name, t.name, err)
	}
	return nil
}

// errNeverActive is the error for a table that never becomes active.
var errNeverActive = errors.New("never becomes active")
