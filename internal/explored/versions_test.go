package explored_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

const calls = 2 // of each client

func typeName(item map[string]types.AttributeValue) string {
	name, _ := item["_type"].(*types.AttributeValueMemberS)
	if name == nil {
		return ""
	}
	return name.Value
}

func oneAccount(ctx context.Context, table *entity.Table) error {
	return accounts.In(table).Create(ctx, &account{ID: "a"})
}

// accountInvariants: each call was applied as often as its outcome says, and each applied write has
// a version of its own.
func accountInvariants(r *protocolRun) {
	r.w.Finally(func(db *ddbtest.DB) error {
		list, err := items(db, accounts)
		if err != nil {
			return err
		}
		if len(list) != 1 {
			return fmt.Errorf("there are %d accounts", len(list))
		}
		if err := r.ledger.checkSum(list[0].Sum); err != nil {
			return err
		}
		return r.ledger.checkCount(list[0].Version - 1)
	})
}

var versionedUpdate = protocol{
	name: "versioned update", weight: medium, fill: oneAccount,
	clients: func(r *protocolRun) {
		r.each(calls, func(ctx context.Context, table *entity.Table, c *call) error {
			a, err := accounts.In(table).Strong().Get(ctx, account{ID: "a"})
			if err != nil {
				return err
			}
			_, err = accounts.In(table).Update(ctx, a, attr.Add(accountSum, c.amount))
			return err
		})
		accountInvariants(r)
	},
}

var versionedPut = protocol{
	name: "versioned put", weight: medium, fill: oneAccount,
	clients: func(r *protocolRun) {
		r.each(calls, func(ctx context.Context, table *entity.Table, c *call) error {
			a, err := accounts.In(table).Strong().Get(ctx, account{ID: "a"})
			if err != nil {
				return err
			}
			a.Sum += c.amount
			return accounts.In(table).Put(ctx, &a)
		})
		accountInvariants(r)
	},
}

// transaction: two accounts change together, with their versions.
var transaction = protocol{
	name: "transaction of versioned updates", weight: heavy,
	fill: func(ctx context.Context, table *entity.Table) error {
		return tx.Write(ctx, accounts.In(table).Op().Create(&account{ID: "a"}), accounts.In(table).Op().Create(&account{ID: "b"}))
	},
	clients: func(r *protocolRun) {
		r.each(calls, func(ctx context.Context, table *entity.Table, c *call) error {
			repo := accounts.In(table)
			a, err := repo.Strong().Get(ctx, account{ID: "a"})
			if err != nil {
				return err
			}
			b, err := repo.Strong().Get(ctx, account{ID: "b"})
			if err != nil {
				return err
			}
			return tx.Write(ctx, repo.Op().Update(a, attr.Add(accountSum, c.amount)), repo.Op().Update(b, attr.Add(accountSum, c.amount)))
		})
		r.w.Always(func(db *ddbtest.DB) error {
			list, err := items(db, accounts)
			if err != nil {
				return err
			}
			if list[0].Sum != list[1].Sum || list[0].Version != list[1].Version {
				return fmt.Errorf("the accounts differ: %d and %d", list[0].Sum, list[1].Sum)
			}
			return nil
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, accounts)
			if err != nil {
				return err
			}
			return r.ledger.checkSum(list[0].Sum)
		})
	},
}

// overwrite: the last write wins, and no version is used twice.
var overwrite = protocol{
	name: "overwrite", weight: medium, fill: oneAccount,
	clients: func(r *protocolRun) {
		r.each(calls, func(ctx context.Context, table *entity.Table, c *call) error {
			return accounts.In(table).Overwrite(ctx, &account{ID: "a", Sum: c.amount})
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, accounts)
			if err != nil {
				return err
			}
			if err := r.ledger.checkCount(list[0].Version - 1); err != nil {
				return err
			}
			for _, c := range r.ledger.calls {
				if c.outcome == trestle.NotApplied && list[0].Sum == c.amount {
					return fmt.Errorf("the account is that of %s, which was not applied", c.name)
				}
			}
			return nil
		})
	},
}

// readFirst: an update of a field of an index key renders the key with the other field as stored.
var readFirst = protocol{
	name: "update with ReadFirst", weight: medium,
	fill: func(ctx context.Context, table *entity.Table) error {
		return listings.In(table).Create(ctx, &listing{ID: "a", City: "Rome", Color: "red"})
	},
	clients: func(r *protocolRun) {
		r.each(calls, func(ctx context.Context, table *entity.Table, c *call) error {
			change := listingCity.Set("City of " + c.name)
			if strings.HasSuffix(c.name, "2") {
				change = listingColor.Set("Color of " + c.name)
			}
			_, err := listings.In(table).With(entity.ReadFirst()).Update(ctx, listing{ID: "a"}, change)
			return err
		})
		r.w.Always(func(db *ddbtest.DB) error {
			for _, item := range db.Dump(tableName) {
				l, err := listings.Decode(item)
				if err != nil {
					return err
				}
				fresh, err := listings.Encode(&l)
				if err != nil {
					return err
				}
				for _, name := range []string{"GSI1PK", "GSI1SK"} {
					is, want := item[name].(*types.AttributeValueMemberS).Value, fresh[name].(*types.AttributeValueMemberS).Value
					if is != want {
						return fmt.Errorf("%s is %s, not %s", name, is, want)
					}
				}
			}
			return nil
		})
	},
}

// create: of several creates of one item, one is applied.
var create = protocol{
	name: "create",
	clients: func(r *protocolRun) {
		creators := map[string][]*call{}
		r.ledger.reserve("alice creates a", "alice creates b", "bob creates a", "bob creates b")
		for _, name := range []string{"alice", "bob"} {
			r.client(name, func(ctx context.Context, table *entity.Table) {
				for _, id := range []string{"a", "b"} {
					c := r.ledger.open(name + " creates " + id)
					creators[id] = append(creators[id], c)
					c.end(accounts.In(table).Create(ctx, &account{ID: id, Sum: c.amount}))
				}
			})
		}
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, accounts)
			if err != nil {
				return err
			}
			stored := map[string]int64{}
			for _, a := range list {
				stored[a.ID] = a.Sum
			}
			for _, id := range []string{"a", "b"} {
				for _, c := range creators[id] {
					is := stored[id] == c.amount
					if c.outcome == trestle.Applied && !is || c.outcome == trestle.NotApplied && is {
						return fmt.Errorf("%s: outcome %v, stored %t", c.name, c.outcome, is)
					}
				}
			}
			return nil
		})
	},
}

// token: an addition with a token is repeated until its outcome is known, and is applied once. Bob
// deletes the other purse.
var token = protocol{
	name: "addition with a token",
	fill: func(ctx context.Context, table *entity.Table) error {
		err := purses.In(table).Put(ctx, &purse{ID: "a"})
		return errors.Join(err, purses.In(table).Put(ctx, &purse{ID: "b"}))
	},
	clients: func(r *protocolRun) {
		r.ledger.reserve("alice1", "alice2", "bob1")
		add := func(ctx context.Context, table *entity.Table, id, name string) (c *call, err error) {
			c = r.ledger.open(name)
			op := purses.In(table).Op().Update(purse{ID: id}, attr.Add(purseSum, c.amount)).Once("token of " + name)
			_, err = op.Do(ctx)
			if trestle.OutcomeOf(err) == trestle.Unknown {
				_, err = op.Do(ctx)
			}
			return c, err
		}
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			c, err := add(ctx, table, "a", "alice1")
			c.end(err)
			c, err = add(ctx, table, "b", "alice2")
			if trestle.OutcomeOf(err) == trestle.NotApplied {
				c.end(err)
			}
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			c, err := add(ctx, table, "a", "bob1")
			c.end(err)
			_ = purses.In(table).Delete(ctx, purse{ID: "b"})
		})
		r.w.Always(everyItemHasType)
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, purses)
			if err != nil {
				return err
			}
			sum := int64(0)
			for _, p := range list {
				sum += p.Sum
			}
			return r.ledger.checkSum(sum)
		})
	},
}
