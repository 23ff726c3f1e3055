package entity_test

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

// cup counts the balls that name it.
type cup struct {
	_       entity.Key `type:"cup" pk:"CUP#<id>" sk:"CUP"`
	ID      string     `dynamodbav:"id"`
	Balls   int64      `dynamodbav:"balls"`
	Version int64      `dynamodbav:"version" entity:"version"`
}

// unversionedCup is a cup without a version.
type unversionedCup struct {
	_     entity.Key `type:"cup" pk:"CUP#<id>" sk:"CUP"`
	ID    string     `dynamodbav:"id"`
	Balls int64      `dynamodbav:"balls"`
}

type ball struct {
	_   entity.Key     `type:"ball" pk:"BALL#<id>" sk:"BALL"`
	_   entity.Counted `in:"cup" as:"balls" pk:"CUP#<cup>" sk:"CUP"`
	ID  string         `dynamodbav:"id"`
	Cup string         `dynamodbav:"cup"`
}

// cups is a table with the cup c, and a client whose scans and updates other writes interrupt.
type cups struct {
	*dynamodb.Client
	table *entity.Table
	balls *entity.Repo[ball]
	early ball // in the first segment of a scan
	late  ball // in the second segment

	first         chan struct{}
	scans         int
	between       func(scan int) // called between the segments
	beforeUpdate  func()
	unconditional bool // updates are sent without their conditions
}

func newCups(t *testing.T, client *dynamodb.Client, versioned bool) *cups {
	t.Helper()
	ctx := t.Context()
	c := &cups{Client: client, first: make(chan struct{}), between: func(int) {}, beforeUpdate: func() {}}
	s := entity.NewSchema(entity.Config{})
	balls := entity.Define[ball](s)
	var create func() error
	if versioned {
		cups := entity.Define[cup](s)
		create = func() error { return cups.In(c.table).Create(ctx, &cup{ID: "c"}) }
	} else {
		cups := entity.Define[unversionedCup](s)
		create = func() error { return cups.In(c.table).Create(ctx, &unversionedCup{ID: "c"}) }
	}
	var err error
	c.table, err = s.Open(c, "cups")
	require.NoError(t, err)
	require.NoError(t, c.table.Create(ctx))
	require.NoError(t, create())
	c.balls = balls.In(c.table)
	for i := 0; c.early.ID == "" || c.late.ID == ""; i++ {
		b := ball{ID: strconv.Itoa(i), Cup: "c"}
		c.create(t, b)
		out, err := client.Scan(ctx, &dynamodb.ScanInput{
			TableName: aws.String("cups"), Segment: aws.Int32(0), TotalSegments: aws.Int32(2), ConsistentRead: aws.Bool(true),
			FilterExpression: aws.String("PK = :k"), ExpressionAttributeValues: avMap{":k": avS("BALL#" + b.ID)},
		})
		require.NoError(t, err)
		c.remove(t, b)
		if out.Count > 0 {
			c.early = b
		} else {
			c.late = b
		}
	}
	return c
}

func (c *cups) create(t *testing.T, b ball) {
	t.Helper()
	require.NoError(t, c.balls.Create(t.Context(), &b))
}

func (c *cups) remove(t *testing.T, b ball) {
	t.Helper()
	require.NoError(t, c.balls.Delete(t.Context(), b))
}

// stored returns the stored count.
func (c *cups) stored(t *testing.T) int64 {
	t.Helper()
	out, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("cups"), Key: avMap{"PK": avS("CUP#c"), "SK": avS("CUP")}, ConsistentRead: aws.Bool(true)})
	require.NoError(t, err)
	return wholeNumber(out.Item["balls"])
}

// add adds to the stored count, as another program would.
func (c *cups) add(t *testing.T, n string) {
	t.Helper()
	_, err := c.Client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("cups"), Key: avMap{"PK": avS("CUP#c"), "SK": avS("CUP")},
		UpdateExpression: aws.String("ADD balls :n"), ExpressionAttributeValues: avMap{":n": avN(n)},
	})
	require.NoError(t, err)
}

func (c *cups) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	if aws.ToInt32(in.Segment) == 0 {
		out, err := c.Client.Scan(ctx, in, o...)
		close(c.first)
		return out, err
	}
	<-c.first
	c.first = make(chan struct{})
	c.scans++
	c.between(c.scans)
	return c.Client.Scan(ctx, in, o...)
}

func (c *cups) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.beforeUpdate()
	c.beforeUpdate = func() {}
	if c.unconditional {
		in.ConditionExpression = nil
		maps.DeleteFunc(in.ExpressionAttributeNames, func(name, _ string) bool { return !strings.Contains(*in.UpdateExpression, name) })
		maps.DeleteFunc(in.ExpressionAttributeValues, func(name string, _ types.AttributeValue) bool { return !strings.Contains(*in.UpdateExpression, name) })
	}
	return c.Client.UpdateItem(ctx, in, o...)
}

// A create and a delete between two reads leave the count the same. The scan misses both items, or
// reads both. The version shows it. The control is a type without a version.
func TestACreateAndADeleteLeaveTheCount(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for _, versioned := range []bool{true, false} {
			for _, repairs := range []bool{true, false} {
				c := newCups(t, e.Client(t), versioned)
				c.create(t, c.late)
				c.between = func(scan int) {
					switch scan {
					case 1:
						c.create(t, c.early)
						c.remove(t, c.late)
					case 2:
						c.create(t, c.late)
						c.remove(t, c.early)
					}
				}
				var err error
				if repairs {
					_, err = maintain.RepairCounts(t.Context(), c.table, maintain.Run{NoOtherWriters: true, Concurrency: 2})
				} else {
					_, err = maintain.RepairCounts(t.Context(), c.table, maintain.Run{DryRun: true, Concurrency: 2})
				}
				switch {
				case versioned:
					require.NoError(t, err)
					require.EqualValues(t, 1, c.stored(t))
					require.Equal(t, 3, c.scans)
				case repairs:
					require.NoError(t, err)
					require.EqualValues(t, 2, c.stored(t), "there is one ball")
				default:
					var e *maintain.Error
					require.ErrorAs(t, err, &e)
					require.Equal(t, maintain.CountWrong, e.Problems[0].Kind)
				}
			}
		}
	})
}

// A repair loses to a writer that acts after the items were counted. The control sends the repair
// without its conditions.
func TestRepairOfACountLosesToAWriter(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for _, unconditional := range []bool{false, true} {
			c := newCups(t, e.Client(t), true)
			c.unconditional = unconditional
			c.create(t, c.late)
			c.add(t, "7")
			c.beforeUpdate = func() { c.create(t, c.early) }
			report, err := maintain.RepairCounts(t.Context(), c.table, maintain.Run{Concurrency: 2})
			require.NoError(t, err)
			require.Equal(t, 1, report.Corrected)
			if want := int64(2); !unconditional {
				require.Equal(t, want, c.stored(t))
			} else {
				require.NotEqual(t, want, c.stored(t))
			}
		}
	})
}

// A count that changes during each scan is neither repaired nor checked.
func TestChangingCounts(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		c := newCups(t, e.Client(t), true)
		c.add(t, "7")
		c.between = func(scan int) {
			if scan%2 == 1 {
				c.create(t, c.early)
			} else {
				c.remove(t, c.early)
			}
		}
		_, err := maintain.RepairCounts(t.Context(), c.table, maintain.Run{Concurrency: 2})
		var failed *maintain.Error
		require.ErrorAs(t, err, &failed)
		require.Len(t, failed.Problems, 1)
		require.Equal(t, maintain.Changing, failed.Problems[0].Kind)
		require.Equal(t, 4, c.scans)
		require.EqualValues(t, 7, c.stored(t))
	})
}
