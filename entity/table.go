package entity

import (
	"context"
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

// Client is the set of DynamoDB item operations that the library uses. [*dynamodb.Client]
// implements it; [Schema.Open] also validates its Region and endpoint. Other operations, such as
// CreateTable, are optional: only the calls that need them check whether the client has them.
type Client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	TransactGetItems(context.Context, *dynamodb.TransactGetItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

// Table is a schema opened on a client and a table name. It is safe for concurrent use.
type Table struct {
	schema *Schema
	view   view
}

// view is the configuration of calls through a repository: the table and the options of With.
type view struct {
	table     *Table
	env       exec.Config
	cursors   *cursor.Codec // nil: no option for cursors
	readFirst bool
	asRead    bool // examples of updates are items as they were read
	strong    bool
}

// Open binds the schema to a table, and closes the schema for further types. It reports all
// problems at once as [ErrInvalid]: the mistakes of the schema as a [*DefinitionError], a client
// without a Region, an invalid table name. It sends nothing; [Table.Check] compares the schema with
// the real table.
func (s *Schema) Open(client Client, name string, options ...TableOption) (*Table, error) {
	var problems errs.Problems
	checkClient(client, &problems)
	checkTableName(name, &problems)
	for _, o := range options {
		switch o := o.(type) {
		case nil:
			problems.Add("", "an option is nil", "leave it out")
		case interface{ check(*errs.Problems) }:
			o.check(&problems)
		}
	}
	checkCursors(options, &problems)
	if err := errors.Join(s.open(), refusedOpen(name, problems)); err != nil {
		return nil, err
	}
	t := &Table{schema: s}
	t.view = view{table: t, env: exec.Config{Client: client, Table: name, Clock: s.core.Clock, Observer: observe(s.observer)}}
	for _, o := range options {
		o.table(t)
	}
	return t, nil
}

func refusedOpen(name string, problems errs.Problems) error {
	if err := problems.Err(); err != nil {
		return &OpError{Op: "open", Table: name, Outcome: NoWrite, kind: ErrInvalid, cause: err}
	}
	return nil
}

// Name returns the name of the table, or "" for a Table that Open did not return.
func (t *Table) Name() string {
	if t.opened() != nil {
		return ""
	}
	return t.view.env.Table
}

// opened reports why the table cannot be used.
func (t *Table) opened() error {
	if t == nil || t.schema == nil {
		return errNoOpen
	}
	return nil
}

func checkClient(client Client, problems *errs.Problems) {
	if client == nil {
		problems.Add("", "the client is nil", "make one with dynamodb.New or dynamodb.NewFromConfig")
		return
	}
	c, ok := client.(*dynamodb.Client)
	switch {
	case !ok:
		if v := reflect.ValueOf(client); v.Kind() == reflect.Pointer && v.IsNil() {
			problems.Add("", "the client is nil", "make one with dynamodb.New or dynamodb.NewFromConfig")
		}
	case c == nil:
		problems.Add("", "the client is nil", "make one with dynamodb.New or dynamodb.NewFromConfig")
	default:
		checkOptions(c.Options(), problems)
	}
}

func checkOptions(o dynamodb.Options, problems *errs.Problems) {
	if o.Region == "" {
		problems.Add("", "the client has no Region", "set AWS_REGION where its configuration is loaded, or Region in its options")
	}
	if o.BaseEndpoint == nil {
		return
	}
	u, err := url.Parse(*o.BaseEndpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		problems.Add("", "the client's endpoint is no URL with a scheme and a host", "write it as http://127.0.0.1:8000, or leave BaseEndpoint nil for the service itself")
	}
}

func checkTableName(name string, problems *errs.Problems) {
	if strings.HasPrefix(name, "arn:") && len(name) <= 1024 { // an ARN may be longer
		return
	}
	if len(name) < 3 || len(name) > 255 {
		problems.Add("", "a table name has 3 to 255 characters", "")
		return
	}
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-', r == '.':
		default:
			problems.Add("", "a table name is made of letters, digits, '_', '-' and '.'", "")
			return
		}
	}
}

// TableOption changes how a table is opened.
type TableOption interface{ table(*Table) }

// CallOption configures calls, of one repository ([Repo.With]) or of all repositories of a table
// ([Schema.Open]).
type CallOption interface {
	TableOption
	call(*view)
}

type callOption func(*view)

func (o callOption) table(t *Table) { o(&t.view) }
func (o callOption) call(v *view)   { o(v) }

// Timeout limits each attempt of a call. The default is 10 seconds, also for zero or less. The
// context limits the whole call. An attempt that timed out is retried only if that is safe.
// Otherwise the outcome of the write is unknown.
func Timeout(d time.Duration) CallOption {
	return callOption(func(v *view) { v.env.Timeout = d })
}

// SDK passes options to the SDK with every call, after those of earlier SDK options. A Retryer sets
// the number of attempts and the pauses, but the library still prevents retries that are not safe.
func SDK(options ...func(*dynamodb.Options)) CallOption {
	options = slices.DeleteFunc(slices.Clone(options), func(o func(*dynamodb.Options)) bool { return o == nil })
	return callOption(func(v *view) {
		v.env.SDK = append(v.env.SDK[:len(v.env.SDK):len(v.env.SDK)], options...)
	})
}

// ReadFirst lets Update and Upsert read the item, strongly consistent, if they render an index key
// again and do not know all its fields, or if the service computes the new value of such a field.
// The write is conditional on the values that were read. If another writer interferes, the write is
// planned again and tried at most eight times. The read costs one read unit per 4 KB of the item,
// rounded up, and is sent only if needed.
func ReadFirst() CallOption {
	return callOption(func(v *view) { v.readFirst = true })
}

// AsRead declares that the examples for Update and Upsert are items as they were read, so their
// zero values count. If the update changes an index key with such a field, the item must have the
// zero or lack the attribute, or the write is [ErrCondition]. If an item of a versioned type was
// read without a version, the stored item must still have none, or the write is [ErrStale]. An
// example with a version implies AsRead, except with [ReadFirst].
func AsRead() CallOption {
	return callOption(func(v *view) { v.asRead = true })
}

func (v *view) with(options []CallOption) *view {
	c := *v
	for _, o := range options {
		if o != nil {
			o.call(&c)
		}
	}
	return &c
}

// now returns the current time for timestamps, without the monotonic part.
func (v *view) now() time.Time {
	if clock := v.env.Clock; clock != nil {
		return clock().UTC().Round(0)
	}
	return time.Now().UTC().Round(0)
}

var _ Client = (*dynamodb.Client)(nil)
