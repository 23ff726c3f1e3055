package ddbtest

import (
	"context"
	"math/rand/v2"
	"net/http"
	"reflect"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// endpoint uses a reserved domain name. A client that lost its HTTPClient fails at once and reaches
// no server.
const endpoint = "http://ddbtest.invalid"

// Client makes a fresh database that is closed with the test, and returns a client of it. [Of]
// returns the database of a client.
func Client(t TB, options ...func(*dynamodb.Options)) *dynamodb.Client {
	requireTest(t)
	t.Helper()
	return Start(t).Client(options...)
}

// Of returns the database of a client, or nil if the client does not belong to this package.
func Of(client interface{ Options() dynamodb.Options }) *DB {
	if v := reflect.ValueOf(client); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	if t := transportOf(client.Options().HTTPClient); t != nil {
		return t.db
	}
	return nil
}

// Client returns a new client. The options are applied last.
func (db *DB) Client(options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(db.ClientOptions(), options...)
}

// ClientOptions returns the options of a client. No setting comes from the environment. The client
// makes at most three attempts of a call, like the SDK's default retryer, with two differences: the
// backoff between attempts is shorter than 16 milliseconds, and there is no retry quota, so retries
// continue after many failures. To test the retries of a service, pass its Retryer to [DB.Client].
// The client does not sign its requests, because the database does not check signatures.
func (db *DB) ClientOptions() dynamodb.Options {
	o := dynamodb.Options{Retryer: db.retryer()}
	db.Configure(&o)
	return o
}

// Configure connects a client that is made in another way, for example by [dynamodb.NewFromConfig],
// to the database. It does not change the client's Retryer.
func (db *DB) Configure(o *dynamodb.Options) {
	o.HTTPClient = sdkClient{db.transport}
	o.BaseEndpoint = aws.String(endpoint)
	o.Credentials = credentials
	if o.HTTPSignerV4 == nil {
		o.HTTPSignerV4 = noSigner{}
	}
	if o.Region == "" {
		o.Region = db.options.Region
	}
}

// StreamsClient returns a new client for DynamoDB Streams. The options are applied last.
func (db *DB) StreamsClient(options ...func(*dynamodbstreams.Options)) *dynamodbstreams.Client {
	o := dynamodbstreams.Options{Retryer: db.retryer()}
	db.ConfigureStreams(&o)
	return dynamodbstreams.New(o, options...)
}

// ConfigureStreams is [DB.Configure] for a client of DynamoDB Streams, for example from
// [dynamodbstreams.NewFromConfig].
func (db *DB) ConfigureStreams(o *dynamodbstreams.Options) {
	o.HTTPClient = sdkClient{db.transport}
	o.BaseEndpoint = aws.String(endpoint)
	o.Credentials = credentials
	if o.Region == "" {
		o.Region = db.options.Region
	}
}

// HTTPClient returns the HTTP client that sends requests to the database, whatever their address.
// It refuses requests that are not for DynamoDB, such as those of an S3 client: do not set it in an
// aws.Config that clients of other services share, but use [DB.Configure].
func (db *DB) HTTPClient() *http.Client { return &http.Client{Transport: db.transport} }

// ServeHTTP serves the database over HTTP, for clients in other processes and languages.
//
// The default HTTP client of the SDK for Go can lose a reply of more than 4 KB that comes before it
// has finished writing its request, and then repeats the request: see
// https://github.com/trestledb/trestle/blob/main/docs/ddbtest.md#clients-in-go. Such a reply is
// therefore sent to a client of that SDK at the earliest 300 µs after its request has arrived. The
// next attempt of the same call gets the same reply, and does not count as a request. Replies on
// which a [Rule] acts are not repeated.
func (db *DB) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	transport.Handler{Server: &handler{db: db}, Sent: &db.sent}.ServeHTTP(w, r)
}

var credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "ddbtest", SecretAccessKey: "ddbtest", Source: "ddbtest"}, nil
})

// noSigner does not sign, which takes a fifteenth of the time of a request. It names the access
// key, to which a policy may apply.
type noSigner struct{}

// SignHTTP implements [dynamodb.HTTPSignerV4].
func (noSigner) SignHTTP(_ context.Context, c aws.Credentials, h *http.Request, _, _, _ string, _ time.Time, _ ...func(*v4.SignerOptions)) error {
	h.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+c.AccessKeyID+"/")
	return nil
}

const (
	maxAttempts = retry.DefaultMaxAttempts
	minBackoff  = 2 * time.Millisecond
	maxBackoff  = 16 * time.Millisecond
)

// retryer sets every setting that the SDK would otherwise read from the environment.
func (db *DB) retryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.RateLimiter = ratelimit.None
		o.Backoff = db.backoff
	})
}

// backoff computes short random delays between attempts, from the database's seed.
type backoff struct {
	mu   sync.Mutex
	rand *rand.Rand
	used bool
}

func newBackoff(seed uint64) *backoff { return &backoff{rand: rand.New(rand.NewPCG(seed, 0))} }

// isUsed reports whether it computed a delay.
func (b *backoff) isUsed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// BackoffDelay implements [retry.BackoffDelayer].
func (b *backoff) BackoffDelay(attempt int, _ error) (time.Duration, error) {
	longest := min(minBackoff<<min(max(attempt, 0), 8), maxBackoff)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = true
	return time.Duration(b.rand.Int64N(int64(longest))), nil
}
