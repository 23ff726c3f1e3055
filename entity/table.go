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

	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/fail"
)

// Client is the data plane of DynamoDB as the library uses it; [*dynamodb.Client] is one, and the library knows it as itself. Anything else,
// such as CreateTable, is asked of the client only where it is needed.
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

// view is how calls are made through a repository: the table, and what With changed.
type view struct {
	table     *Table
	env       call.Env
	cursors   *cursor.Codec // nil: none were asked for
	readFirst bool
	asRead    bool // examples of updates are items as they were read
	strong    bool
}

// Open puts the schema on a table, and closes the schema for further types. Everything that is wrong is said here, all at once, and is
// [ErrInvalid]: the schema's faults as a [*DefinitionError], a client without a Region, a table name that cannot be one. It sends
// nothing: [Table.Check] compares the schema with the real table.
func (s *Schema) Open(client Client, name string, options ...TableOption) (*Table, error) {
	var problems fail.Problems
	checkClient(client, &problems)
	checkTableName(name, &problems)
	for _, o := range options {
		switch o := o.(type) {
		case nil:
			problems.Add("", "an option is nil", "leave it out")
		case interface{ check(*fail.Problems) }:
			o.check(&problems)
		}
	}
	checkCursors(options, &problems)
	if err := errors.Join(s.open(), refusedOpen(name, problems)); err != nil {
		return nil, err
	}
	t := &Table{schema: s}
	t.view = view{table: t, env: call.Env{Client: client, Table: name, Clock: s.core.Clock, Observer: observe(s.observer)}}
	for _, o := range options {
		o.table(t)
	}
	return t, nil
}

func refusedOpen(name string, problems fail.Problems) error {
	if err := problems.Err(); err != nil {
		return &OpError{Op: "open", Table: name, Outcome: NoWrite, kind: ErrInvalid, cause: err}
	}
	return nil
}

// Name is the table's name; empty for one that Open did not return.
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

func checkClient(client Client, problems *fail.Problems) {
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

func checkOptions(o dynamodb.Options, problems *fail.Problems) {
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

func checkTableName(name string, problems *fail.Problems) {
	if strings.HasPrefix(name, "arn:") && len(name) <= 1024 { // an ARN is a name too, and longer
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

// CallOption changes how calls are made, through one repository ([Repo.With]) or all of a table's ([Schema.Open]).
type CallOption interface {
	TableOption
	call(*view)
}

type callOption func(*view)

func (o callOption) table(t *Table) { o(&t.view) }
func (o callOption) call(v *view)   { o(v) }

// Timeout bounds each attempt of a call; the default, and what zero or less stands for, is 10 seconds. The context bounds the call as
// a whole. An attempt that timed out is repeated only where that is safe; else the write's outcome is unknown.
func Timeout(d time.Duration) CallOption {
	return callOption(func(v *view) { v.env.Timeout = d })
}

// SDK passes options to the SDK with every call, after those that were passed before. Whether a failed attempt is repeated stays with
// the library where repeating is not safe: a Retryer decides how often, and how long to wait.
func SDK(options ...func(*dynamodb.Options)) CallOption {
	options = slices.DeleteFunc(slices.Clone(options), func(o func(*dynamodb.Options)) bool { return o == nil })
	return callOption(func(v *view) {
		v.env.SDK = append(v.env.SDK[:len(v.env.SDK):len(v.env.SDK)], options...)
	})
}

// ReadFirst lets Update and Upsert read the item, strongly, where an index key must be rendered anew and not all its members are
// known, or where a change of a member is the table's arithmetic. The write is then conditional on what was read, and planned again when another
// writer came between, eight times at the most. It costs the read only where it is needed: an item's size in steps of 4 KB, one read unit each.
func ReadFirst() CallOption {
	return callOption(func(v *view) { v.readFirst = true })
}

// AsRead says that the examples given to Update and Upsert are items as they were read. Their zero values
// then count like the others: where an index key that the update changes holds such a field, the item must
// still have the zero, or lack the attribute, or the write is [ErrCondition]; and of a versioned type that
// was read without a version the item must still have none, or it is [ErrStale]. An example that carries a
// version counts as read anyway, except with [ReadFirst].
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

// now is the moment that stamps are made of, without the monotonic part.
func (v *view) now() time.Time {
	if clock := v.env.Clock; clock != nil {
		return clock().UTC().Round(0)
	}
	return time.Now().UTC().Round(0)
}

var _ Client = (*dynamodb.Client)(nil)
