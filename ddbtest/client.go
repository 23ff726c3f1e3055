package ddbtest

import (
	"context"
	"net/http"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// endpoint is a name that nobody can have: a client that lost its HTTPClient fails at once, and reaches nobody.
const endpoint = "http://ddbtest.invalid"

// Client makes a client of a fresh database that ends with the test. [Of] returns the database.
func Client(t TB, options ...func(*dynamodb.Options)) *dynamodb.Client {
	demand(t)
	t.Helper()
	return Start(t).Client(options...)
}

// Of returns the database of a client, or nil where it is not one of this package.
func Of(client interface{ Options() dynamodb.Options }) *DB {
	if v := reflect.ValueOf(client); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	h, ok := client.Options().HTTPClient.(*http.Client)
	if !ok {
		return nil
	}
	if t, ok := h.Transport.(*roundTripper); ok {
		return t.db
	}
	return nil
}

// roundTripper is a transport that knows its database.
type roundTripper struct {
	transport.RoundTripper
	db *DB
}

// Client makes a client. The options are applied last.
func (db *DB) Client(options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(db.ClientOptions(), options...)
}

// ClientOptions are the options of a client: no setting comes from the environment. The client makes up to three attempts of a call, as the SDK's
// own does, with two differences: between them it waits a few milliseconds only, and it may retry every call, where the SDK's own stops
// retrying after many failures. A test of a service's own retries gives [DB.Client] their Retryer.
func (db *DB) ClientOptions() dynamodb.Options {
	o := dynamodb.Options{Retryer: db.retryer()}
	db.Configure(&o)
	return o
}

// Configure points a client that is made in another way, by [dynamodb.NewFromConfig] say, to the database. Its retries stay its own.
func (db *DB) Configure(o *dynamodb.Options) {
	o.HTTPClient = db.client
	o.BaseEndpoint = aws.String(endpoint)
	o.Credentials = credentials
	if o.Region == "" {
		o.Region = db.options.Region
	}
}

// StreamsClient makes a client for the streams. The options are applied last.
func (db *DB) StreamsClient(options ...func(*dynamodbstreams.Options)) *dynamodbstreams.Client {
	o := dynamodbstreams.Options{Retryer: db.retryer()}
	db.ConfigureStreams(&o)
	return dynamodbstreams.New(o, options...)
}

// ConfigureStreams is [DB.Configure] for a client of the streams, of [dynamodbstreams.NewFromConfig] say.
func (db *DB) ConfigureStreams(o *dynamodbstreams.Options) {
	o.HTTPClient = db.client
	o.BaseEndpoint = aws.String(endpoint)
	o.Credentials = credentials
	if o.Region == "" {
		o.Region = db.options.Region
	}
}

// HTTPClient is what carries requests to the database. Whatever address a request has, it goes nowhere else.
func (db *DB) HTTPClient() *http.Client { return db.client }

// ServeHTTP makes the database a server, for clients in other processes and languages.
func (db *DB) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	transport.Handler{Server: &gate{db: db}}.ServeHTTP(w, r)
}

var credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "ddbtest", SecretAccessKey: "ddbtest", Source: "ddbtest"}, nil
})
