package entity_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// request is an attempt as the service receives it.
type request struct {
	*http.Request
	verb string         // "PutItem"
	body map[string]any // decoded JSON
}

// reply is the reply of the service or the network to an attempt.
type reply func(request) (*http.Response, error)

// says returns a reply of the service.
func says(status int, body string) func(request) reply {
	return func(request) reply {
		return func(r request) (*http.Response, error) {
			return &http.Response{
				StatusCode: status, Status: http.StatusText(status), Request: r.Request, ContentLength: int64(len(body)),
				Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Requestid": {"REQ1"}},
				Body:   io.NopCloser(bytes.NewBufferString(body)),
			}, nil
		}
	}
}

// refuses returns an error reply of the service.
func refuses(status int, code, message string) func(request) reply {
	text, _ := json.Marshal(message)
	return says(status, fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":%s}`, code, text))
}

// breaks returns a reply that is an error of the network.
func breaks(err error) reply { return func(request) (*http.Response, error) { return nil, err } }

// inMemory is a transport without a network.
type inMemory func(request) reply

func (f inMemory) Do(r *http.Request) (*http.Response, error) {
	q := requestOf(r)
	return f(q)(q)
}

func requestOf(r *http.Request) request {
	q := request{Request: r}
	_, q.verb, _ = strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if r.Body != nil {
		text, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(text, &q.body)
		r.Body = io.NopCloser(bytes.NewReader(text))
	}
	return q
}

// canned returns a client whose attempts are answered by a function. It waits a millisecond between
// attempts.
func canned(answer func(request) reply, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "eu-north-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: "secret"}, nil
		}),
		HTTPClient: inMemory(answer),
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.RateLimiter = 3, ratelimit.None
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return time.Millisecond, nil })
		}),
	}, options...)
}

// hangs never replies.
func hangs(request) reply {
	return func(r request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
}
