package table

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

// Table is an opened table.
type Table struct {
	Config *exec.Config
	Schema *core.Schema
}

// invalid returns the error of an operation that sends nothing.
func (t Table) invalid(operation string, outcome trestle.Outcome, err error) error {
	e := &trestle.OpError{Op: operation, Table: t.Config.Table, Outcome: outcome}
	e.Kind, e.Err = errs.Classify(err)
	return e
}

// createClient has the calls that Create needs beyond those of trestle.Client.
type createClient interface {
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	UpdateTimeToLive(context.Context, *dynamodb.UpdateTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error)
}

// CreateName is the name of the operation.
const CreateName = "create table"

// createWait limits the wait for a new table, which usually takes about ten seconds. The pauses
// between two DescribeTable requests grow from minPause to maxPause.
const (
	createWait = 5 * time.Minute
	minPause   = 200 * time.Millisecond
	maxPause   = 5 * time.Second
)

var errNotActive = &errs.ValidationError{Problems: []errs.Problem{{
	Reason: "the table was created but is not active after five minutes", Hint: "check it with maintain.Check",
}}}

// Create creates the table, waits until it is active, and enables time to live if the schema has a
// TTL attribute.
func (t Table) Create(ctx context.Context) error {
	client, ok := t.Config.Client.(createClient)
	if !ok {
		return t.invalid(CreateName, trestle.NotApplied, errs.New("", "the client cannot create tables", "open the schema on a *dynamodb.Client"))
	}
	err := exec.OnTable(ctx, t.Config, CreateName, true, func(ctx context.Context, c *exec.Call) error {
		if _, err := exec.Alter(ctx, c, client.CreateTable, Definition(t.Schema, t.Config.Table)); err != nil {
			return err
		}
		if err := t.await(ctx, c, client); err != nil {
			return err
		}
		if t.Schema.TTL == "" {
			return nil
		}
		on := true
		_, err := exec.Alter(ctx, c, client.UpdateTimeToLive, &dynamodb.UpdateTimeToLiveInput{
			TableName:               &t.Config.Table,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &t.Schema.TTL, Enabled: &on},
		})
		return err
	})
	if err != nil || t.Schema.TenantIndex == nil {
		return err
	}
	return t.SetComplete(ctx, CreateName)
}

// await waits until the table is active. It replaces the waiter of the SDK, which sends requests
// without a pause when its remaining time is exactly zero, as it is under a fake clock.
func (t Table) await(ctx context.Context, c *exec.Call, client createClient) error {
	until := time.Now().Add(createWait)
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		out, err := exec.Read(ctx, c, client.DescribeTable, &dynamodb.DescribeTableInput{TableName: &t.Config.Table})
		// DynamoDB may not find a new table at first.
		if missing := (*types.ResourceNotFoundException)(nil); err != nil && !errors.As(err, &missing) {
			return err
		}
		if out != nil && out.Table != nil && out.Table.TableStatus == types.TableStatusActive {
			return nil
		}
		if !time.Now().Before(until) {
			return c.Fail(errNotActive)
		}
		if err := exec.Wait(ctx, pause); err != nil {
			return c.Fail(err)
		}
	}
}
