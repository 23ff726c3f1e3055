package explored_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// repeat makes a call with a token until its outcome is known, at most twice.
func repeat(send func() error) error {
	err := send()
	if trestle.OutcomeOf(err) == trestle.Unknown {
		err = send()
	}
	return err
}

// oneAttempt makes a lost reply the end of a call.
var oneAttempt = entity.ClientOptions(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })

// requireCertain is an invariant: without faults, each call knows its outcome.
func (r *protocolRun) requireCertain() {
	r.w.Finally(func(*ddbtest.DB) error {
		for _, c := range r.ledger.calls {
			if len(r.faults) == 0 && c.outcome == trestle.Unknown {
				return fmt.Errorf("the outcome of %s is unknown without a fault", c.name)
			}
		}
		return nil
	})
}

func oneUser(ctx context.Context, table *entity.Table) error {
	return users.In(table).Create(ctx, &user{ID: "a", Email: "a@example.com"})
}

// tokenDelete: alice deletes a user with a unique value, with a token, and repeats the call until
// its outcome is known. Bob renames the user, so that he has another version. The user is there if
// and only if alice did not delete him.
var tokenDelete = protocol{
	name: "deletion with a token", fill: oneUser,
	clients: func(r *protocolRun) {
		var c *call
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			c = r.ledger.open("alice")
			op := users.In(table).With(oneAttempt).Op().Delete(user{ID: "a", Version: 1}).Once("token of alice")
			c.end(repeat(func() error { _, err := op.Do(ctx); return err }))
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_, _ = users.In(table).Update(ctx, user{ID: "a"}, userEmail.Set("b@example.com"))
		})
		r.w.Always(guardsMatch)
		r.requireCertain()
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, users)
			if err != nil {
				return err
			}
			if c.outcome == trestle.Applied && len(list) == 1 || c.outcome == trestle.NotApplied && len(list) == 0 {
				return fmt.Errorf("%d users, but the outcome of the deletion is %v", len(list), c.outcome)
			}
			return nil
		})
	},
}

// purseOf stores the purse that counts the transactions of a protocol.
func purseOf(ctx context.Context, table *entity.Table) error {
	return errors.Join(oneUser(ctx, table), purses.In(table).Put(ctx, &purse{ID: "p"}))
}

// tokenTransaction: alice deletes and bob moves the same user in transactions with tokens of their
// own, and repeat them. Each transaction is applied as often as its outcome says. Before, alice
// creates a user with the address that bob wants.
var tokenTransaction = protocol{
	name: "transactions with tokens", weight: medium, fill: purseOf,
	clients: func(r *protocolRun) {
		send := func(name string, remove func(*entity.Repo[user]) entity.Operation) {
			r.client(name, func(ctx context.Context, table *entity.Table) {
				if name == "alice" {
					_ = users.In(table).Create(ctx, &user{ID: "c", Email: "b@example.com"})
				}
				c := r.ledger.open(name)
				add := purses.In(table).With(oneAttempt).Op().Update(purse{ID: "p"}, attr.Add(purseSum, c.amount))
				c.end(repeat(func() error { return tx.WriteOnce(ctx, "token of "+name, add, remove(users.In(table))) }))
			})
		}
		send("alice", func(of *entity.Repo[user]) entity.Operation { return of.Op().Delete(user{ID: "a", Version: 1}) })
		send("bob", func(of *entity.Repo[user]) entity.Operation {
			return tx.Move(of, user{ID: "a", Version: 1}, &user{ID: "b", Email: "b@example.com"})
		})
		r.w.Always(guardsMatch)
		r.requireCertain()
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, purses)
			if err != nil {
				return err
			}
			return r.ledger.checkSum(list[0].Sum)
		})
	},
}
