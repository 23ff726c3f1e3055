package explored_test

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// nullSum returns the purse a with NULL as its sum, as other programs store it.
func nullSum() (map[string]types.AttributeValue, error) {
	item, err := purses.Encode(&purse{ID: "a"})
	if err == nil {
		item["sum"] = &types.AttributeValueMemberNULL{Value: true}
	}
	return item, err
}

// nullSums: two clients change an attribute that holds NULL, which is removed first.
var nullSums = protocol{
	name: "NULL: add", foreign: nullSum,
	clients: func(r *protocolRun) {
		r.each(1, func(ctx context.Context, table *entity.Table, c *call) error {
			_, err := purses.In(table).Update(ctx, purse{ID: "a"}, attr.Add(purseSum, c.amount))
			return r.neverRefused(err)
		})
		r.checkNullSum()
	},
}

// nullTransaction: a transaction and an upsert do so.
var nullTransaction = protocol{
	name: "NULL: transaction, upsert", weight: medium, foreign: nullSum,
	clients: func(r *protocolRun) {
		alice, bob := r.ledger.open("alice"), r.ledger.open("bob")
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			alice.end(r.neverRefused(tx.Write(ctx,
				purses.In(table).Op().Update(purse{ID: "a"}, attr.Add(purseSum, alice.amount)),
				purses.In(table).Op().Create(&purse{ID: "b"}))))
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_, err := purses.In(table).Upsert(ctx, purse{ID: "a"}, attr.Add(purseSum, bob.amount))
			bob.end(r.neverRefused(err))
		})
		r.checkNullSum()
	},
}

// neverRefused reports an error that says that a call was refused.
func (r *protocolRun) neverRefused(err error) error {
	if errors.Is(err, trestle.ErrCondition) || errors.Is(err, trestle.ErrInvalid) {
		r.w.Errorf("a call is refused: %v", err)
	}
	return err
}

// checkNullSum checks the sum of the purse a, which is never NULL after it was a number.
func (r *protocolRun) checkNullSum() {
	r.w.Finally(func(db *ddbtest.DB) error {
		list, err := items(db, purses)
		if err != nil {
			return err
		}
		for _, p := range list {
			if p.ID == "a" {
				return r.ledger.checkSum(p.Sum)
			}
		}
		return errors.New("the purse is gone")
	})
}
