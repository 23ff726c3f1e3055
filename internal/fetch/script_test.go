package fetch_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testschema"
)

// reply is a scripted response to one request.
type reply struct {
	items          []op.Item
	last           op.Item
	count, scanned int
	units          float64
	code           string // of an error
}

// script is a client that answers the requests of queries and scans with the replies of a test. It
// answers one request at a time, when everything else is waiting, so that the order of the answers
// is that of the script.
type script struct {
	trestle.Client // nil: the test fails with a panic if it calls another method

	replies map[int][]reply // by stream
	answers []int           // the streams in the order of the answers; then the lowest stream first

	mu      sync.Mutex
	waiting []*request
	wake    chan struct{}      // a request is waiting
	flush   chan chan struct{} // the test waits for the log to be complete
	log     strings.Builder
	pos     string // of the command
}

// request is a request that waits for its reply.
type request struct {
	stream int
	text   string
	logged bool
	answer chan reply
}

func newScript(pos string) *script {
	return &script{pos: pos, replies: map[int][]reply{}, wake: make(chan struct{}, 1), flush: make(chan chan struct{})}
}

func (s *script) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	stream := streamOf(in.ExpressionAttributeValues)
	r, err := s.request(ctx, stream, narrowedText(in), in.ExclusiveStartKey, in.Limit)
	if err != nil {
		return nil, err
	}
	return &dynamodb.QueryOutput{
		Items: r.items, Count: int32(r.count), ScannedCount: int32(r.scanned), LastEvaluatedKey: r.last, //nolint:gosec // small numbers
		ConsumedCapacity: &types.ConsumedCapacity{CapacityUnits: aws.Float64(r.units)},
	}, nil
}

func (s *script) Scan(ctx context.Context, in *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	r, err := s.request(ctx, int(aws.ToInt32(in.Segment)), "", in.ExclusiveStartKey, in.Limit)
	if err != nil {
		return nil, err
	}
	return &dynamodb.ScanOutput{
		Items: r.items, Count: int32(r.count), ScannedCount: int32(r.scanned), LastEvaluatedKey: r.last, //nolint:gosec // small numbers
		ConsumedCapacity: &types.ConsumedCapacity{CapacityUnits: aws.Float64(r.units)},
	}, nil
}

// streamOf returns the number of the partition that a query reads: its key is R#0, R#1 and so on.
func streamOf(values op.Item) int {
	for _, av := range values {
		if text, ok := av.(*types.AttributeValueMemberS); ok && strings.HasPrefix(text.Value, "R#") {
			n, _ := strconv.Atoi(strings.TrimPrefix(text.Value, "R#"))
			return n
		}
	}
	return -1
}

// narrowedText returns the condition on the sort key of a query that was narrowed to a position.
func narrowedText(in *dynamodb.QueryInput) string {
	_, text, _ := strings.Cut(*in.KeyConditionExpression, " AND ")
	if _, narrowed := in.ExpressionAttributeValues[":from"]; !narrowed {
		return ""
	}
	for placeholder, name := range in.ExpressionAttributeNames {
		text = strings.ReplaceAll(text, placeholder, name)
	}
	for placeholder, value := range in.ExpressionAttributeValues {
		text = strings.ReplaceAll(text, placeholder, testschema.ValueText(value))
	}
	return " where " + text
}

// request waits for the reply to a request.
func (s *script) request(ctx context.Context, stream int, where string, after op.Item, limit *int32) (reply, error) {
	text := strconv.Itoa(stream) + where
	if after != nil {
		text += " after " + testschema.ItemText(after)
	}
	if limit != nil {
		text += " limit " + strconv.Itoa(int(*limit))
	}
	w := &request{stream: stream, text: text, answer: make(chan reply, 1)}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.mu.Unlock()
	s.signal()
	select {
	case r := <-w.answer:
		if r.code != "" {
			return r, &smithy.GenericAPIError{Code: r.code}
		}
		return r, nil
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waiting = slices.DeleteFunc(s.waiting, func(o *request) bool { return o == w })
		return reply{}, ctx.Err()
	}
}

func (s *script) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run answers requests until the context ends. It answers none while the test waits for the log.
func (s *script) run(ctx context.Context, t *testing.T) {
	t.Helper()
	for {
		select {
		case <-ctx.Done():
			return
		case done := <-s.flush:
			s.logWaiting()
			close(done)
		case <-s.wake:
			s.logWaiting()
			select {
			case done := <-s.flush:
				close(done)
				s.signal()
			default:
				s.answer(t)
			}
		}
	}
}

// logWaiting waits until nothing else runs, and writes down the new requests by stream.
func (s *script) logWaiting() {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(s.waiting, func(a, b *request) int { return a.stream - b.stream })
	for _, w := range s.waiting {
		if !w.logged {
			w.logged = true
			fmt.Fprintln(&s.log, "request", w.text)
		}
	}
}

// answer replies to the next request.
func (s *script) answer(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return
	}
	next := 0
	if len(s.answers) > 0 {
		next = slices.IndexFunc(s.waiting, func(w *request) bool { return w.stream == s.answers[0] })
		if next < 0 {
			t.Errorf("%s: stream %d has no request to answer", s.pos, s.answers[0])
			next = 0
		}
		s.answers = s.answers[1:]
	}
	w := s.waiting[next]
	s.waiting = slices.Delete(s.waiting, next, next+1)
	var r reply
	if list := s.replies[w.stream]; len(list) > 0 {
		r, s.replies[w.stream] = list[0], list[1:]
	} else {
		t.Errorf("%s: there is no reply to a request of stream %d", s.pos, w.stream)
	}
	w.answer <- r
	if len(s.waiting) > 0 {
		s.signal()
	}
}

// note writes a line after the requests that were sent before it.
func (s *script) note(format string, args ...any) {
	done := make(chan struct{})
	s.flush <- done
	<-done
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(&s.log, format+"\n", args...)
}
