package entity

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

// createClient has the calls that Create needs beyond those of Client.
type createClient interface {
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	UpdateTimeToLive(context.Context, *dynamodb.UpdateTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error)
}

const createTableVerb = "create table"

// createWait limits the wait for a new table, which usually takes about ten seconds. The pauses
// between two DescribeTable requests grow from firstLook to seldomLooked.
const (
	createWait   = 5 * time.Minute
	firstLook    = 200 * time.Millisecond
	seldomLooked = 5 * time.Second
)

// Create creates the table with on-demand billing and every index, and enables time to live if the
// schema has a TTL attribute. It returns when the table is active, or with an error after five
// minutes. If a table of that name exists, the error is [ErrExists]; compare it with [Table.Check].
// After a later failure the new table remains: the outcome is [Applied], or [Unknown] if the reply
// to enabling time to live is lost.
func (t *Table) Create(ctx context.Context) error {
	if err := t.opened(); err != nil {
		return refused(createTableVerb, nil, err)
	}
	client, ok := t.view.env.Client.(createClient)
	if !ok {
		return t.view.refused(createTableVerb, nil, errs.New("", "the client cannot create tables", "open the schema on a *dynamodb.Client"))
	}
	return failure(exec.OnTable(ctx, &t.view.env, createTableVerb, true, func(ctx context.Context, c *exec.Table) error {
		in := t.schema.Definition(t.Name())
		err := c.Alter(ctx, func(ctx context.Context, o ...func(*dynamodb.Options)) error {
			_, err := client.CreateTable(ctx, in, o...)
			return err
		})
		if err == nil {
			err = t.await(ctx, c, client)
		}
		if err == nil && t.schema.core.TTL != "" {
			err = t.enableTTL(ctx, c, client)
		}
		return err
	}))
}

// await waits until the table is active. It replaces the waiter of the SDK, which sends requests
// without a pause when its remaining time is exactly zero, as it is under a fake clock.
func (t *Table) await(ctx context.Context, c *exec.Table, client createClient) error {
	until := time.Now().Add(createWait)
	for pause := firstLook; ; pause = min(2*pause, seldomLooked) {
		active, err := t.isActive(ctx, c, client)
		if active || err != nil {
			return err
		}
		if !time.Now().Before(until) {
			return c.Fail(errNotActive)
		}
		if err := sleep(ctx, pause); err != nil {
			return c.Fail(err)
		}
	}
}

// isActive describes the table once. The service may not find a new table at first.
func (t *Table) isActive(ctx context.Context, c *exec.Table, client createClient) (active bool, err error) {
	name := t.Name()
	err = c.Look(ctx, func(ctx context.Context, o ...func(*dynamodb.Options)) error {
		out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name}, o...)
		active = err == nil && out.Table != nil && out.Table.TableStatus == types.TableStatusActive
		return err
	})
	if unseen := (*types.ResourceNotFoundException)(nil); errors.As(err, &unseen) {
		return false, nil
	}
	return active, err
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (t *Table) enableTTL(ctx context.Context, c *exec.Table, client createClient) error {
	name, attribute, on := t.Name(), t.schema.core.TTL, true
	return c.Alter(ctx, func(ctx context.Context, o ...func(*dynamodb.Options)) error {
		_, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
			TableName:               &name,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attribute, Enabled: &on},
		}, o...)
		return err
	})
}
