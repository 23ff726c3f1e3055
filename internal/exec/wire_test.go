package exec

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// reply is the response of DynamoDB, or the error of the network, for one attempt.
type reply func(*http.Request) (*http.Response, error)

// script returns its replies in order, then repeats the last one.
type script struct {
	replies []reply
	sent    int
}

func (s *script) Do(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	n := min(s.sent, len(s.replies)-1)
	s.sent++
	return s.replies[n](r)
}

func says(status int, body string) reply {
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: status, Status: http.StatusText(status), Request: r, ContentLength: int64(len(body)),
			Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Requestid": {"REQ1"}},
			Body:   io.NopCloser(bytes.NewBufferString(body)),
		}, nil
	}
}

func code(status int, name string) reply {
	return says(status, fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"m"}`, name))
}

func breaks(err error) reply {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// hangs never replies.
func hangs(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

var (
	fine      = says(200, `{}`)
	reset     = breaks(&net.OpError{Op: "read", Err: syscall.ECONNRESET})
	refused   = breaks(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED})
	throttles = code(400, "ProvisionedThroughputExceededException")
	fails500  = code(500, "InternalServerError")
	condition = code(400, "ConditionalCheckFailedException")

	conflicting = code(400, "TransactionConflictException")
	inProgress  = code(400, "TransactionInProgressException")

	truncated = says(200, `{"Attributes":{"PK":{"S":"x`)
)

// newEnv returns an Env whose client uses the script. Waits between attempts last 1 ms.
func newEnv(s *script, options ...func(*dynamodb.Options)) *Config {
	return newEnvWith(newRetryer(3), s, options...)
}

// newEnvWith is newEnv with a retryer, or with the SDK's default for nil.
func newEnvWith(r aws.Retryer, s *script, options ...func(*dynamodb.Options)) *Config {
	return &Config{Table: "app", Timeout: 3 * time.Second, Client: dynamodb.New(dynamodb.Options{
		Region:      "eu-north-1",
		Credentials: keys("AKID"),
		HTTPClient:  s,
		Retryer:     r,
	}, options...)}
}

func keys(id string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: id, SecretAccessKey: "secret"}, nil
	})
}

func newRetryer(attempts int) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = attempts
		o.RateLimiter = ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return time.Millisecond, nil })
	})
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// putOf returns a put. It has a condition unless it is idempotent.
func putOf(idempotent bool) *op.Operation {
	a := op.Action{Verb: op.Put, Item: op.NewContent(op.Item{"PK": text("a")}), Idempotent: idempotent}
	if !idempotent {
		a.Clauses = []clause.Clause{{Pred: clause.NoItem{Key: &core.Attribute{Name: "PK"}}, Fails: errs.Exists, Rank: clause.Existence}}
	}
	return &op.Operation{Name: "put", Actions: []op.Action{a}}
}

// putWithID returns a put with a condition and a write ID.
func putWithID(id string) *op.Operation {
	o := putOf(false)
	o.Actions[0].WriteID = op.Expected{Attribute: "_w", Value: text(id)}
	return o
}

func getOf() *op.Operation {
	return &op.Operation{Name: "get", Actions: []op.Action{{Verb: op.Get, Key: op.Item{"PK": text("a")}, Idempotent: true}}}
}

func nothing(op.Reply) error { return nil }

func failureOf(t *testing.T, err error) *trestle.OpError {
	t.Helper()
	var f *trestle.OpError
	require.ErrorAs(t, err, &f)
	return f
}
