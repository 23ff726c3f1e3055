package explored_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/tx"
)

type (
	// session expires.
	session struct {
		_       entity.Key `type:"session" pk:"SESSION#<id>" sk:"SESSION" lifetime:"1h"`
		ID      string     `dynamodbav:"id"`
		Sum     int64      `dynamodbav:"sum"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
	}
	// claim expires, and has a version and a unique value.
	claim struct {
		_       entity.Key `type:"claim" pk:"CLAIM#<id>" sk:"CLAIM" lifetime:"1h"`
		ID      string     `dynamodbav:"id"`
		Name    string     `dynamodbav:"name" entity:"unique"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
	}
	// permit expires, and has a version.
	permit struct {
		_       entity.Key `type:"permit" pk:"PERMIT#<id>" sk:"PERMIT" lifetime:"1h"`
		ID      string     `dynamodbav:"id"`
		Sum     int64      `dynamodbav:"sum"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
	}
)

var (
	// expiring is a schema of types that expire.
	expiring = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: time.Now})
	sessions = entity.Define[session](expiring)
	claims   = entity.Define[claim](expiring)
	permits  = entity.Define[permit](expiring)

	sessionSum     = attr.Must(func(s *session) *int64 { return &s.Sum })
	sessionExpires = attr.Must(func(s *session) *time.Time { return &s.Expires })
	claimName      = attr.Must(func(c *claim) *string { return &c.Name })
	permitSum      = attr.Must(func(p *permit) *int64 { return &p.Sum })
)

// expiredSum is larger than the sum of all amounts of a ledger.
const expiredSum = 1_000_000

// expired stores items that have expired: two sessions, two claims and a permit.
func expired(t testing.TB, db *ddbtest.DB) {
	ctx := context.Background()
	table, err := expiring.Open(db.Client(), tableName, entity.Random(source("setup")))
	require.NoError(t, err)
	past := time.Now().Add(-time.Minute)
	for _, id := range []string{"a", "b"} {
		require.NoError(t, sessions.In(table).Put(ctx, &session{ID: id, Sum: expiredSum, Expires: past}))
	}
	require.NoError(t, claims.In(table).Create(ctx, &claim{ID: "1", Name: "x", Expires: past}))
	require.NoError(t, permits.In(table).Create(ctx, &permit{ID: "a", Sum: expiredSum, Expires: past}))
}

// expiringClient declares a client of the types that expire.
func (r *protocolRun) expiringClient(name string, f func(ctx context.Context, table *entity.Table)) {
	r.w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
		table, err := expiring.Open(c, tableName, entity.Random(source(name)))
		if err != nil {
			r.w.Errorf("%v", err)
			return
		}
		f(ctx, table)
	}, r.options...)
}

// liveSessions returns the sessions that have not expired, by ID.
func liveSessions(db *ddbtest.DB) (map[string]session, error) {
	list, err := items(db, sessions)
	if err != nil {
		return nil, err
	}
	live := map[string]session{}
	for _, s := range list {
		if s.Expires.After(time.Now()) {
			live[s.ID] = s
		}
	}
	return live, nil
}

// anewUpsert: upserts begin anew over an expired session, which an update does not find.
var anewUpsert = protocol{
	name: "expired: update, upsert", change: expired,
	clients: func(r *protocolRun) {
		r.ledger.reserve("alice", "bob", "bob updates")
		for _, name := range []string{"alice", "bob"} {
			r.expiringClient(name, func(ctx context.Context, table *entity.Table) {
				if name == "bob" {
					c := r.ledger.open("bob updates")
					_, err := sessions.In(table).Update(ctx, session{ID: "a"}, attr.Add(sessionSum, c.amount))
					c.end(err)
				}
				c := r.ledger.open(name)
				_, err := sessions.In(table).Upsert(ctx, session{ID: "a"}, attr.Add(sessionSum, c.amount))
				c.end(err)
			})
		}
		r.w.Finally(func(db *ddbtest.DB) error {
			live, err := liveSessions(db)
			if err != nil {
				return err
			}
			if live["a"].Sum >= expiredSum {
				return errors.New("an upsert changed an expired session")
			}
			return r.ledger.checkSum(live["a"].Sum)
		})
	},
}

// anewDelete: an upsert begins anew over an expired session, and another client deletes the
// session, or lets it live on.
var anewDelete = protocol{
	name: "expired: upsert, revive, delete", weight: medium, change: expired,
	clients: func(r *protocolRun) {
		added, revived, deleted := r.ledger.open("add"), r.ledger.open("revive"), r.ledger.open("delete")
		r.expiringClient("alice", func(ctx context.Context, table *entity.Table) {
			_, err := sessions.In(table).Upsert(ctx, session{ID: "a"}, attr.Add(sessionSum, added.amount))
			added.end(err)
		})
		r.expiringClient("bob", func(ctx context.Context, table *entity.Table) {
			all := sessions.In(table).With(entity.ShowExpired())
			_, err := all.Update(ctx, session{ID: "a"}, attr.Add(sessionSum, revived.amount), sessionExpires.Set(time.Now().Add(2*time.Hour)))
			revived.end(err)
		})
		r.expiringClient("carol", func(ctx context.Context, table *entity.Table) {
			deleted.end(sessions.In(table).Delete(ctx, session{ID: "a"}))
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			live, err := liveSessions(db)
			if err != nil || deleted.outcome != trestle.NotApplied {
				return err
			}
			return r.ledger.checkSum(live["a"].Sum % expiredSum)
		})
		r.w.Always(func(db *ddbtest.DB) error {
			live, err := liveSessions(db)
			if err != nil {
				return err
			}
			s := live["a"]
			if s.Sum >= expiredSum && s.Sum/revived.amount%10 == 0 {
				return errors.New("an upsert let an expired session live on")
			}
			return r.ledger.checkPart(s.Sum % expiredSum)
		})
	},
}

// anewCreate: a create and a put begin anew over an expired permit, which has no version to update
// or to delete.
var anewCreate = protocol{
	name: "expired: create, put, update, delete", weight: medium, change: expired,
	clients: func(r *protocolRun) {
		created, updated, deleted, put := r.ledger.open("create"), r.ledger.open("update"), r.ledger.open("delete"), r.ledger.open("put")
		r.expiringClient("alice", func(ctx context.Context, table *entity.Table) {
			p := permit{ID: "a", Sum: created.amount}
			created.end(permits.In(table).Create(ctx, &p))
			_, err := permits.In(table).Update(ctx, permit{ID: "a", Version: 1}, attr.Add(permitSum, updated.amount))
			updated.end(err)
		})
		r.expiringClient("bob", func(ctx context.Context, table *entity.Table) {
			deleted.end(permits.In(table).Delete(ctx, permit{ID: "a", Version: 1}))
			put.end(permits.In(table).Put(ctx, &permit{ID: "a", Sum: put.amount}))
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, permits)
			if err != nil {
				return err
			}
			sum := int64(0)
			for _, p := range list {
				sum += p.Sum
			}
			switch {
			case deleted.outcome == trestle.NotApplied:
				return r.ledger.checkSum(sum % expiredSum)
			case deleted.outcome == trestle.Applied && r.faults[explore.LateRequest] == 0 && sum/created.amount%10 > 0:
				return errors.New("a create came after the deletion of its version")
			default:
				return nil
			}
		})
	},
}

// anewTransaction: transactions begin anew over two expired sessions.
var anewTransaction = protocol{
	name: "expired: transaction", weight: heavy, change: expired,
	clients: func(r *protocolRun) {
		r.ledger.reserve("alice", "bob")
		for _, name := range []string{"alice", "bob"} {
			r.expiringClient(name, func(ctx context.Context, table *entity.Table) {
				repo, c := sessions.In(table).Op(), r.ledger.open(name)
				c.end(tx.Write(ctx,
					repo.Upsert(session{ID: "a"}, attr.Add(sessionSum, c.amount)), repo.Upsert(session{ID: "b"}, attr.Add(sessionSum, c.amount))))
			})
		}
		r.w.Always(func(db *ddbtest.DB) error {
			live, err := liveSessions(db)
			if err != nil {
				return err
			}
			if live["a"].Sum != live["b"].Sum {
				return fmt.Errorf("the sessions differ: %d and %d", live["a"].Sum, live["b"].Sum)
			}
			return nil
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			live, err := liveSessions(db)
			if err != nil {
				return err
			}
			if live["a"].Sum >= expiredSum {
				return errors.New("an upsert changed an expired session")
			}
			return r.ledger.checkSum(live["a"].Sum)
		})
	},
}

// anewUnique: a claim begins anew, twice, and its value and other values change hands.
var anewUnique = protocol{
	name: "expired: unique value", weight: heavy, change: expired, backoff: 3 * time.Second, // the library pauses before it plans again
	clients: func(r *protocolRun) {
		r.expiringClient("alice", func(ctx context.Context, table *entity.Table) {
			created, put := r.ledger.open("alice creates"), r.ledger.open("alice puts")
			created.end(claims.In(table).Create(ctx, &claim{ID: "1", Name: "z"}))
			put.end(claims.In(table).Put(ctx, &claim{ID: "1", Name: "x", Version: 1}))
		})
		r.expiringClient("bob", func(ctx context.Context, table *entity.Table) {
			first, second := r.ledger.open("bob begins"), r.ledger.open("bob puts")
			first.end(claims.In(table).Put(ctx, &claim{ID: "1", Name: "y"}))
			second.end(claims.In(table).Put(ctx, &claim{ID: "1", Name: "w", Version: 1}))
			_ = claims.In(table).Create(ctx, &claim{ID: "2", Name: "x"})
		})
		r.w.Always(liveGuardsMatch)
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, claims)
			if err != nil {
				return err
			}
			version := int64(0)
			for _, c := range list {
				if c.ID == "1" && c.Expires.After(time.Now()) {
					version = c.Version
				}
			}
			return r.ledger.checkCount(version)
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			table, err := expiring.Open(db.Client(), tableName)
			if err != nil {
				return err
			}
			return testchecks.Guards(context.Background(), table)
		})
	},
}

// anewTogether: transactions of several operations begin anew over the same expired claim, whose
// value another claim takes, and over a session. One of them has a token.
var anewTogether = protocol{
	name: "expired: transactions, unique value", weight: heavy, change: expired, backoff: 3 * time.Second,
	clients: func(r *protocolRun) {
		upserted, put := r.ledger.open("alice upserts"), r.ledger.open("bob puts")
		r.expiringClient("alice", func(ctx context.Context, table *entity.Table) {
			upserted.end(tx.WriteOnce(ctx, "alice",
				claims.In(table).Op().Upsert(claim{ID: "1"}, claimName.Set("y")), claims.In(table).Op().Create(&claim{ID: "2", Name: "x"})))
		})
		r.expiringClient("bob", func(ctx context.Context, table *entity.Table) {
			put.end(tx.Write(ctx,
				sessions.In(table).Op().Upsert(session{ID: "a"}, attr.Add(sessionSum, put.amount)), claims.In(table).Op().Put(&claim{ID: "1", Name: "x"})))
		})
		r.w.Always(liveGuardsMatch)
		r.w.Always(func(db *ddbtest.DB) error {
			live, err := liveSessions(db)
			if err == nil && live["a"].Sum >= expiredSum {
				err = errors.New("an upsert changed an expired session")
			}
			return err
		})
		r.w.Always(func(db *ddbtest.DB) error {
			names, err := liveNames(db)
			if err != nil {
				return err
			}
			live, err := liveSessions(db)
			if err != nil {
				return err
			}
			if names["1"] == "y" && names["2"] != "x" || names["1"] == "x" && live["a"].Sum == 0 {
				return errors.New("one part of a transaction was applied")
			}
			return nil
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			names, err := liveNames(db)
			if err != nil {
				return err
			}
			live, err := liveSessions(db)
			switch applied := names["2"] == "x"; {
			case err != nil:
				return err
			case applied && upserted.outcome == trestle.NotApplied, !applied && upserted.outcome == trestle.Applied:
				return fmt.Errorf("a transaction, whose outcome is %v, was applied: %t", upserted.outcome, applied)
			case upserted.outcome == trestle.NotApplied && put.outcome == trestle.NotApplied:
				return errors.New("both failed")
			default:
				return r.ledger.checkPart(live["a"].Sum)
			}
		})
	},
}

// anewRename: upserts and a put begin anew over the same expired claim with other names.
var anewRename = protocol{
	name: "expired: upserts and a put, unique value", weight: heavy, change: expired, backoff: 3 * time.Second,
	clients: func(r *protocolRun) {
		upserted, put, renamed := r.ledger.open("alice upserts"), r.ledger.open("bob puts"), r.ledger.open("bob upserts")
		r.expiringClient("alice", func(ctx context.Context, table *entity.Table) {
			_, err := claims.In(table).Upsert(ctx, claim{ID: "1"}, claimName.Set("y"))
			upserted.end(err)
		})
		r.expiringClient("bob", func(ctx context.Context, table *entity.Table) {
			put.end(claims.In(table).Put(ctx, &claim{ID: "1", Name: "x"}))
			_, err := claims.In(table).Upsert(ctx, claim{ID: "1"}, claimName.Set("z"))
			renamed.end(err)
		})
		r.w.Always(liveGuardsMatch)
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, claims)
			if err != nil {
				return err
			}
			version := int64(0)
			for _, c := range list {
				if c.Expires.After(time.Now()) {
					version = c.Version
				}
			}
			return r.ledger.checkCount(version)
		})
	},
}

// anewForeign: another program has stored a claim without a guard, with a name that is taken. A
// transaction renames it and creates a claim with the name, while the owner of the name is renamed.
var anewForeign = protocol{
	name: "expired: transaction, an item without a guard", weight: medium, backoff: 3 * time.Second,
	change: func(t testing.TB, db *ddbtest.DB) {
		expired(t, db)
		ctx := context.Background()
		table, err := expiring.Open(db.Client(), tableName, entity.Random(source("owner")))
		require.NoError(t, err)
		require.NoError(t, claims.In(table).Create(ctx, &claim{ID: "2", Name: "x"}))
		item, err := claims.Encode(&claim{ID: "3", Name: "x", Version: 1, Expires: time.Now().Add(time.Hour)})
		require.NoError(t, err)
		_, err = db.Client().PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(tableName), Item: item})
		require.NoError(t, err)
	},
	clients: func(r *protocolRun) {
		r.expiringClient("alice", func(ctx context.Context, table *entity.Table) {
			_ = tx.Write(ctx,
				claims.In(table).Op().Upsert(claim{ID: "3"}, claimName.Set("y")), claims.In(table).Op().Create(&claim{ID: "4", Name: "x"}))
		})
		r.expiringClient("bob", func(ctx context.Context, table *entity.Table) {
			_, _ = claims.In(table).Upsert(ctx, claim{ID: "2"}, claimName.Set("z"))
		})
		r.w.Always(func(db *ddbtest.DB) error {
			names, err := liveNames(db)
			if err != nil {
				return err
			}
			if names["2"] == "x" && names["4"] == "x" {
				return errors.New("two claims have x")
			}
			return nil
		})
	},
}

// liveNames returns the names of the claims that have not expired, by ID.
func liveNames(db *ddbtest.DB) (map[string]string, error) {
	list, err := items(db, claims)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, c := range list {
		if c.Expires.After(time.Now()) {
			names[c.ID] = c.Name
		}
	}
	return names, nil
}

// liveGuardsMatch is guardsMatch for the claims and the guards that have not expired.
func liveGuardsMatch(db *ddbtest.DB) error {
	names, err := liveNames(db)
	if err != nil {
		return err
	}
	taken, live := map[string]bool{}, 0
	for _, name := range names {
		if taken[name] {
			return fmt.Errorf("two claims have %s", name)
		}
		taken[name] = true
		live++
	}
	for _, item := range db.Dump(tableName) {
		if seconds, _ := strconv.ParseInt(item["expires"].(*types.AttributeValueMemberN).Value, 10, 64); isGuard(item) && seconds > time.Now().Unix() {
			live--
		}
	}
	if live != 0 {
		return fmt.Errorf("%d more claims than guards are not expired", live)
	}
	return nil
}
