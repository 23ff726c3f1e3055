package ddbtest_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// pair is a test with two rows, x and y. A transaction increments the attribute joint of both rows;
// a write of one row increments its attribute own. So joint has the same value in x and y at any
// moment, and never decreases.
type pair struct {
	*session
	fail func(format string, args ...any)
}

func incrementExpression(attribute string) (expression string, values attributes) {
	return "SET " + attribute + " = " + attribute + " + :one", row(":one", 1)
}

// changeBoth increments joint in both rows with a transaction.
func (p pair) changeBoth(first, second string) error {
	half := func(pk string) types.TransactWriteItem {
		expression, values := incrementExpression("joint")
		return types.TransactWriteItem{Update: &types.Update{
			TableName: &p.table, Key: row("pk", pk), UpdateExpression: &expression, ExpressionAttributeValues: values,
		}}
	}
	return p.transact(half(first), half(second))
}

// change increments an attribute of one row and returns the value of joint.
func (p pair) change(pk, attribute string) (int, error) {
	expression, values := incrementExpression(attribute)
	out, err := p.client.UpdateItem(p.Context(), &updateInput{
		TableName: &p.table, Key: row("pk", pk), UpdateExpression: &expression, ExpressionAttributeValues: values, ReturnValues: types.ReturnValueAllNew,
	})
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(textOf(out.Attributes["joint"]))
}

// get reads joint of one row.
func (p pair) get(pk string) (int, error) {
	out, err := p.client.GetItem(p.Context(), &dynamodb.GetItemInput{TableName: &p.table, Key: row("pk", pk), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(textOf(out.Item["joint"]))
}

// getBoth reads both rows in a transaction.
func (p pair) getBoth() (x, y int, err error) {
	get := func(pk string) types.TransactGetItem {
		return types.TransactGetItem{Get: &types.Get{TableName: &p.table, Key: row("pk", pk)}}
	}
	out, err := p.client.TransactGetItems(p.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{get("x"), get("y")}})
	if err != nil {
		return 0, 0, err
	}
	x, err = strconv.Atoi(textOf(out.Responses[0].Item["joint"]))
	if err != nil {
		return 0, 0, err
	}
	y, err = strconv.Atoi(textOf(out.Responses[1].Item["joint"]))
	return x, y, err
}

// checkSequentially looks at the rows one after the other, by reads or by writes of one row.
func (p pair) checkSequentially(look func(pk string) (int, error)) {
	seen := 0
	for _, pk := range []string{"x", "y", "x"} {
		now, err := look(pk)
		if err != nil {
			p.fail("one row: %v", err)
			return
		}
		if now < seen {
			p.fail("%d in %s after %d in the other", now, pk, seen)
		}
		seen = now
	}
}

func (p pair) checkBoth() {
	x, y, err := p.getBoth()
	if err != nil || x != y {
		p.fail("%d in x and %d in y at once: %v", x, y, err)
	}
}

func newPair(s *session) pair {
	s.Helper()
	s.put(row("pk", "x", "joint", 0, "own", 0), row("pk", "y", "joint", 0, "own", 0))
	return pair{s, func(format string, args ...any) { s.Errorf(format, args...) }}
}

// TestSerializable checks that operations have a serial order and
// that none fails because of another.
func TestSerializable(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		p := newPair(s)
		rounds := testsize.Pick(50, 250, 1000)
		if s.local {
			rounds = 10 // each round takes milliseconds
		}
		const clients = 4
		together(clients, func(int) {
			for range rounds {
				if err := p.changeBoth("x", "y"); err != nil {
					p.fail("both: %v", err)
				}
				p.checkSequentially(p.get)
				if err := p.changeBoth("y", "x"); err != nil {
					p.fail("both: %v", err)
				}
				p.checkSequentially(func(pk string) (int, error) { return p.change(pk, "own") })
				p.checkBoth()
			}
		})
		all := 2 * clients * rounds
		require.Equal(s, row("pk", "x", "joint", all, "own", all), s.get(row("pk", "x")), "nothing is lost: two writes of x alone in a round")
		require.Equal(s, row("pk", "y", "joint", all, "own", all/2), s.get(row("pk", "y")))
	})
}

// TestSerializableControl checks that each kind of look detects it.
func TestSerializableControl(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		p := newPair(s)
		failures := 0
		p.fail = func(string, ...any) { failures++ }
		for _, audit := range []func(){p.checkBoth, func() { p.checkSequentially(p.get) }, func() {
			p.checkSequentially(func(pk string) (int, error) { return p.change(pk, "own") })
		}} {
			was := failures
			audit()
			require.Equal(s, was, failures)
			_, err := p.change("x", "joint")
			require.NoError(s, err)
			audit()
			require.Greater(s, failures, was)
			_, err = p.change("y", "joint")
			require.NoError(s, err)
		}
	})
}

// together runs clients concurrently.
func together(clients int, run func(client int)) {
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { run(i) })
	}
	all.Wait()
}
