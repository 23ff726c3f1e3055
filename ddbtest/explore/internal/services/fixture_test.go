package services

import (
	"context"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

type item = map[string]types.AttributeValue

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func num(n int) types.AttributeValue    { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }

// text returns a string of an item, or "".
func text(i item, name string) string {
	if s, ok := i[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// number returns a number of an item, or 0.
func number(i item, name string) int {
	n, ok := i[name].(*types.AttributeValueMemberN)
	if !ok {
		return 0
	}
	v, err := strconv.Atoi(n.Value)
	if err != nil {
		return 0
	}
	return v
}

// id returns the key of an item in a table of single items.
func id(s string) item { return item{"id": str(s)} }

// key returns the key of an item in a table of partitions.
func key(pk, sk string) item { return item{"pk": str(pk), "sk": str(sk)} }

// with returns an item with the attributes of both items.
func with(a, b item) item {
	all := item{}
	for _, attributes := range []item{a, b} {
		for name, v := range attributes {
			all[name] = v
		}
	}
	return all
}

// table creates a table whose key is these attributes, and puts items.
func table(name string, keyNames []string, items ...item) func(*ddbtest.DB) {
	in := &dynamodb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}
	for i, attribute := range keyNames {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: aws.String(attribute), AttributeType: types.ScalarAttributeTypeS,
		})
		in.KeySchema = append(in.KeySchema, types.KeySchemaElement{
			AttributeName: aws.String(attribute), KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i],
		})
	}
	return func(db *ddbtest.DB) {
		ctx, client := context.Background(), db.Client()
		_, err := client.CreateTable(ctx, in)
		for _, i := range items {
			_, putErr := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: i})
			err = errors.Join(err, putErr)
		}
		if err != nil {
			panic(err)
		}
	}
}

// single and partitions are the keys of the two sorts of tables.
var single, partitions = []string{"id"}, []string{"pk", "sk"}

// find returns an item of a table by its key, or nil.
func find(db *ddbtest.DB, table string, key item) item {
	for _, i := range db.Dump(table) {
		same := true
		for name := range key {
			same = same && text(i, name) == text(key, name)
		}
		if same {
			return i
		}
	}
	return nil
}

// refused reports whether a condition of the write did not hold.
func refused(err error) bool {
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return true
	}
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return false
	}
	for i := range canceled.CancellationReasons {
		if refusedBy(err, i) {
			return true
		}
	}
	return false
}

// refusedBy reports whether the condition of the n-th write of a transaction did not hold.
func refusedBy(err error, n int) bool {
	var canceled *types.TransactionCanceledException
	return errors.As(err, &canceled) && aws.ToString(canceled.CancellationReasons[n].Code) == "ConditionalCheckFailed"
}

// transact sends a transaction. The SDK adds a token, so that its retries are applied once.
func transact(ctx context.Context, client *dynamodb.Client, writes ...types.TransactWriteItem) error {
	_, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	return err
}

// result is what a client knows of a call. The zero value is that it knows nothing: it crashed, or
// got an error that says nothing about whether the write was applied.
type result uint8

const (
	unknown result = iota
	done
	not // not applied, and that is certain
)

// resultOf returns what an error says.
func resultOf(err error) result {
	switch {
	case err == nil:
		return done
	case refused(err):
		return not
	default:
		return unknown
	}
}

// tally counts what was applied, as far as the clients know.
type tally struct{ least, most int }

// add counts n if the call was applied.
func (t *tally) add(r result, n int) {
	if r == done {
		t.least += n
	}
	if r != not {
		t.most += n
	}
}

func (t *tally) includes(n int) bool { return t.least <= n && n <= t.most }

func (t *tally) String() string {
	if t.least == t.most {
		return strconv.Itoa(t.least)
	}
	return strconv.Itoa(t.least) + " to " + strconv.Itoa(t.most)
}
