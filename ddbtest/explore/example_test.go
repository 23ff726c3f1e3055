package explore_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

type item = map[string]types.AttributeValue

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func num(n int) types.AttributeValue    { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }

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

// accounts is the setup of the examples: a table with one account.
func accounts(db *ddbtest.DB) {
	ctx, client := context.Background(), db.Client()
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("accounts"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("accounts"), Item: item{"id": str("acme"), "balance": num(100)},
	})
	if err != nil {
		log.Fatal(err)
	}
}

// balance returns the balance of the account.
func balance(db *ddbtest.DB) int { return number(db.Dump("accounts")[0], "balance") }

// withdrawUnsafe reads the balance and writes the new one.
func withdrawUnsafe(ctx context.Context, client *dynamodb.Client, amount int) error {
	account := item{"id": str("acme")}
	out, err := client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String("accounts"), Key: account, ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return err
	}
	account["balance"] = num(number(out.Item, "balance") - amount)
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("accounts"), Item: account})
	return err
}

// withdraw changes the balance in one request.
func withdraw(ctx context.Context, client *dynamodb.Client, amount int) error {
	_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("accounts"), Key: item{"id": str("acme")},
		UpdateExpression:          aws.String("SET balance = balance - :amount"),
		ConditionExpression:       aws.String("balance >= :amount"),
		ExpressionAttributeValues: item{":amount": num(amount)},
	})
	return err
}

// In some orders of four requests, one of two withdrawals is lost. The report has the shortest such
// run. In a test, call Run instead of Search: it logs the failure and fails the test.
func Example_order() {
	report := explore.Search(explore.Options{Setup: accounts, Faults: explore.Faults{}}, func(w *explore.World) {
		for _, name := range []string{"alice", "bob"} {
			w.Client(name, func(ctx context.Context, client *dynamodb.Client) {
				if err := withdrawUnsafe(ctx, client, 10); err != nil {
					w.Errorf("%s: %v", name, err)
				}
			})
		}
		w.Finally(func(db *ddbtest.DB) error {
			if b := balance(db); b != 80 {
				return fmt.Errorf("the balance is %d after two withdrawals of 10", b)
			}
			return nil
		})
	})
	fmt.Println(report.Failure)
	// Output:
	// Finally: the balance is 90 after two withdrawals of 10
	//
	// after these steps (0 faults, 2 switches, the shortest such run):
	//
	// step  client  request                                     result
	//    1  alice   GetItem accounts id="acme", consistent      {id: "acme", balance: 100}
	//    2  bob     GetItem accounts id="acme", consistent      {id: "acme", balance: 100}
	//    3  bob     PutItem accounts {id: "acme", balance: 90}  done
	//    4  alice   PutItem accounts {id: "acme", balance: 90}  done
	//
	// repeat it with explore.Options{…, Replay: "alice bob bob alice"}
}

// The update in one request survives every order, but not a lost reply: the SDK sends it again.
func Example_faults() {
	report := explore.Search(explore.Options{
		Setup: accounts, Faults: explore.Faults{explore.LostReply: 1, explore.Throttle: 1},
	}, func(w *explore.World) {
		done := 0
		w.Client("alice", func(ctx context.Context, client *dynamodb.Client) {
			if err := withdraw(ctx, client, 10); err == nil {
				done = 10
			}
		})
		w.Always(func(db *ddbtest.DB) error {
			if b := balance(db); b < 0 {
				return fmt.Errorf("the balance is %d", b)
			}
			return nil
		})
		w.Finally(func(db *ddbtest.DB) error {
			if b := balance(db); b != 100-done {
				return fmt.Errorf("the balance is %d after a withdrawal of %d", b, done)
			}
			return nil
		})
	})
	fmt.Println(report.Failure)
	// Output:
	// Finally: the balance is 80 after a withdrawal of 10
	//
	// after these steps (1 fault, 0 switches, the shortest such run):
	//
	// step  client  request                                                                    result
	//    1  alice   UpdateItem accounts id="acme" SET balance = balance - 10 IF balance >= 10  REPLY LOST: done
	//    2  alice   the same, attempt 2                                                        done
	//
	// repeat it with explore.Options{…, Replay: "alice!LostReply alice"}
}

// A transfer in two requests loses money if its client crashes between them, and starting it again
// is no cure.
func Example_crash() {
	deposit := func(ctx context.Context, client *dynamodb.Client) error {
		_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String("accounts"), Key: item{"id": str("bank")},
			UpdateExpression: aws.String("ADD balance :amount"), ExpressionAttributeValues: item{":amount": num(10)},
		})
		return err
	}
	transfer := func(ctx context.Context, client *dynamodb.Client) {
		if withdraw(ctx, client, 10) == nil {
			_ = deposit(ctx, client)
		}
	}
	report := explore.Search(explore.Options{Setup: accounts, Faults: explore.Faults{explore.Crash: 1}}, func(w *explore.World) {
		w.Client("alice", transfer)
		w.Restart("alice", transfer)
		w.Finally(func(db *ddbtest.DB) error {
			sum := 0
			for _, account := range db.Dump("accounts") {
				sum += number(account, "balance")
			}
			if sum != 100 {
				return fmt.Errorf("the sum of all accounts is %d, not 100", sum)
			}
			return nil
		})
	})
	fmt.Println(report.Failure)
	// Output:
	// Finally: the sum of all accounts is 90, not 100
	//
	// after these steps (1 fault, 1 switch, the shortest such run):
	//
	// step  client       request                                             result
	//    1  alice        UpdateItem accounts id="acme" SET balance =         done
	//                    balance - 10 IF balance >= 10
	//    2  alice        UpdateItem accounts id="bank" ADD balance 10        the client CRASHES before it sends this
	//    3  alice-again  UpdateItem accounts id="acme" SET balance =         done
	//                    balance - 10 IF balance >= 10
	//    4  alice-again  UpdateItem accounts id="bank" ADD balance 10        done
	//
	// repeat it with explore.Options{…, Replay: "alice alice!Crash alice-again alice-again"}
}

// The schedule of a failure repeats this one run, for a debugger or after a change.
func Example_replay() {
	report := explore.Search(explore.Options{Setup: accounts, Replay: "alice bob alice bob"}, func(w *explore.World) {
		for _, name := range []string{"alice", "bob"} {
			w.Client(name, func(ctx context.Context, client *dynamodb.Client) {
				err := withdrawUnsafe(ctx, client, 10)
				w.Logf("%s: error %v", name, err)
			})
		}
		w.Finally(func(db *ddbtest.DB) error {
			if balance(db) != 80 {
				return errors.New("a withdrawal is lost")
			}
			return nil
		})
	})
	fmt.Println(report.Runs, "run")
	fmt.Print(report.Failure.Story)
	// Output:
	// 1 run
	// step  client  request                                     result
	//    1  alice   GetItem accounts id="acme", consistent      {id: "acme", balance: 100}
	//    2  bob     GetItem accounts id="acme", consistent      {id: "acme", balance: 100}
	//    3  alice   PutItem accounts {id: "acme", balance: 90}  done
	//                                                           alice: error <nil>
	//    4  bob     PutItem accounts {id: "acme", balance: 90}  done
	//                                                           bob: error <nil>
}

// A complete search is a proof for these clients and these faults. Complete fails the test if the
// search was cut off.
func Example_complete() {
	report := explore.Search(explore.Options{Setup: accounts, Faults: explore.Faults{explore.Crash: 1}}, func(w *explore.World) {
		for _, name := range []string{"alice", "bob", "carol"} {
			w.Client(name, func(ctx context.Context, client *dynamodb.Client) { _ = withdraw(ctx, client, 40) })
		}
		w.Always(func(db *ddbtest.DB) error {
			if b := balance(db); b < 0 {
				return fmt.Errorf("the balance is %d", b)
			}
			return nil
		})
	})
	fmt.Println(report.Complete())
	// Output:
	// 18 runs, 16 states, longest run 3 steps, faults: Crash 12, complete
}
