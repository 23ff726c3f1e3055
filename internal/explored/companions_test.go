package explored_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/testchecks"
)

// guardsMatch is an invariant: no two users have the same address, and the guards are those of the
// users.
func guardsMatch(db *ddbtest.DB) error {
	taken := map[string]bool{}
	list, err := items(db, users)
	if err != nil {
		return err
	}
	for _, u := range list {
		if taken[u.Email] {
			return fmt.Errorf("two users have %s", u.Email)
		}
		taken[u.Email] = true
	}
	if n := guards(db); n != len(list) {
		return fmt.Errorf("%d users have %d guards", len(list), n)
	}
	return nil
}

// guards counts the guards.
func guards(db *ddbtest.DB) (n int) {
	for _, item := range db.Dump(tableName) {
		if isGuard(item) {
			n++
		}
	}
	return n
}

func isGuard(item map[string]types.AttributeValue) bool {
	return strings.HasPrefix(item["PK"].(*types.AttributeValueMemberS).Value, "$U")
}

// guardsRight is an invariant: the library's own check finds no wrong guard.
func guardsRight(r *protocolRun) func(db *ddbtest.DB) error {
	return func(db *ddbtest.DB) error {
		return testchecks.Guards(context.Background(), open(r.w, db.Client(), "check"))
	}
}

// unique: one user is created with different addresses, renamed and deleted.
var unique = protocol{
	name: "unique value: create, rename, delete",
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			u := user{ID: "1", Email: "x"}
			if users.In(table).Create(ctx, &u) == nil {
				_, _ = users.In(table).Update(ctx, u, userEmail.Set("y"))
			}
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			u, err := users.In(table).Strong().Get(ctx, user{ID: "1"})
			if err != nil {
				_ = users.In(table).Create(ctx, &user{ID: "1", Email: "w"})
				return
			}
			renamed, err := users.In(table).Update(ctx, u, userEmail.Set("z"))
			if err == nil {
				u = renamed
			}
			if stale := errors.Is(err, trestle.ErrStale); users.In(table).Delete(ctx, u) == nil && stale {
				r.w.Errorf("an old version was deleted")
			}
		})
		r.w.Always(guardsMatch)
		r.w.Always(everyItemHasType)
		r.w.Finally(guardsRight(r))
	},
}

// uniqueRename: two users are renamed, put and deleted, with the same address at some moments.
var uniqueRename = protocol{
	name: "unique value: rename, put, delete", weight: medium,
	fill: func(ctx context.Context, table *entity.Table) error {
		if err := users.In(table).Create(ctx, &user{ID: "1", Email: "x"}); err != nil {
			return err
		}
		return users.In(table).Create(ctx, &user{ID: "2", Email: "y"})
	},
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_, _ = users.In(table).Update(ctx, user{ID: "1"}, userEmail.Set("z"))
			_, _ = users.In(table).Update(ctx, user{ID: "2"}, userEmail.Set("w"))
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_ = users.In(table).Put(ctx, &user{ID: "2", Email: "x", Version: 1})
			_ = users.In(table).Delete(ctx, user{ID: "1"})
		})
		r.w.Always(guardsMatch)
		r.w.Finally(guardsRight(r))
	},
}

// uniquePut: a user is put with the same address and with another one, beside its deletion.
var uniquePut = protocol{
	name: "unique value: put, delete",
	fill: func(ctx context.Context, table *entity.Table) error {
		return users.In(table).Create(ctx, &user{ID: "1", Email: "x"})
	},
	clients: func(r *protocolRun) {
		deleted := r.ledger.open("delete")
		put := []*call{r.ledger.open("put"), r.ledger.open("put again")}
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			deleted.end(users.In(table).Delete(ctx, user{ID: "1"}))
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			u := user{ID: "1", Email: "x", Version: 1}
			put[0].end(users.In(table).Put(ctx, &u))
			u.Email, u.Version = "y", 2
			put[1].end(users.In(table).Put(ctx, &u))
		})
		r.w.Always(guardsMatch)
		r.w.Finally(guardsRight(r))
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, users)
			if err != nil {
				return err
			}
			if len(list) > 0 && deleted.outcome == trestle.Applied {
				return errors.New("a put of a version that was deleted was applied")
			}
			return nil
		})
	},
}

// uniqueForeign: another program has stored a user without a guard, with an address that is taken.
var uniqueForeign = protocol{
	name: "unique value: an item without a guard", weight: medium,
	fill: func(ctx context.Context, table *entity.Table) error {
		return users.In(table).Create(ctx, &user{ID: "1", Email: "x"})
	},
	foreign: func() (map[string]types.AttributeValue, error) {
		return users.Encode(&user{ID: "2", Email: "x", Version: 1})
	},
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_ = users.In(table).Delete(ctx, user{ID: "2"})
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_, _ = users.In(table).Update(ctx, user{ID: "1"}, userEmail.Set("y"))
			_, _ = users.In(table).Update(ctx, user{ID: "2"}, userEmail.Set("z"))
			_, _ = users.In(table).Update(ctx, user{ID: "2"}, userEmail.Set("x"))
		})
		r.w.Always(func(db *ddbtest.DB) error {
			list, err := items(db, users)
			if err != nil {
				return err
			}
			addresses, guarded := map[string]bool{}, 0
			for _, u := range list {
				addresses[u.Email] = true
				if u.ID != "2" { // it may have no guard
					guarded++
				}
			}
			if n := guards(db); n < guarded || n > len(addresses) {
				return fmt.Errorf("%d users with %d addresses have %d guards", len(list), len(addresses), n)
			}
			return nil
		})
	},
}

// everyItemHasType is an invariant: no update has stored an item that was deleted.
func everyItemHasType(db *ddbtest.DB) error {
	for _, item := range db.Dump(tableName) {
		if typeName(item) == "" && !isGuard(item) {
			return errors.New("an item was stored again after it was deleted")
		}
	}
	return nil
}

// countsMatch is an invariant: each post has as many comments as it counts.
func countsMatch(db *ddbtest.DB) error {
	list, err := items(db, posts)
	if err != nil {
		return err
	}
	all, err := items(db, comments)
	if err != nil {
		return err
	}
	for _, p := range list {
		n := int64(0)
		for _, c := range all {
			if c.Post == p.ID {
				n++
			}
		}
		if n != p.Comments {
			return fmt.Errorf("post %s counts %d of %d comments", p.ID, p.Comments, n)
		}
	}
	return nil
}

// twoPosts stores two posts with a comment each.
func twoPosts(ctx context.Context, table *entity.Table) error {
	var err error
	for _, id := range []string{"p", "q"} {
		err = errors.Join(err, posts.In(table).Create(ctx, &post{ID: id}))
		err = errors.Join(err, comments.In(table).Create(ctx, &comment{ID: "of " + id, Post: id}))
	}
	return err
}

// counts: one comment is created, put below one post and another, and deleted.
var counts = protocol{
	name: "counts: create, put, delete",
	fill: twoPosts,
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_ = comments.In(table).Create(ctx, &comment{ID: "1", Post: "p", Author: "alice"})
			_ = comments.In(table).Put(ctx, &comment{ID: "1", Post: "q", Author: "alice"})
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_ = comments.In(table).Put(ctx, &comment{ID: "1", Post: "p", Author: "bob"})
			_ = comments.In(table).Delete(ctx, comment{ID: "1"})
		})
		r.w.Always(countsMatch)
	},
}

// countsMove: a comment is put below another post, and its post is deleted.
var countsMove = protocol{
	name: "counts: move, delete",
	fill: func(ctx context.Context, table *entity.Table) error {
		err := twoPosts(ctx, table)
		return errors.Join(err, comments.In(table).Create(ctx, &comment{ID: "1", Post: "p"}))
	},
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_ = comments.In(table).Delete(ctx, comment{ID: "1"})
			_ = comments.In(table).Create(ctx, &comment{ID: "1", Post: "q"})
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_ = posts.In(table).Delete(ctx, post{ID: "p"})
			_ = comments.In(table).Put(ctx, &comment{ID: "1", Post: "q", Author: "bob"})
		})
		r.w.Always(countsMatch)
	},
}

// countsForeign: the counting item is deleted, and another program has stored a comment that is not
// counted.
var countsForeign = protocol{
	name: "counts: a deleted post, a comment that is not counted",
	fill: func(ctx context.Context, table *entity.Table) error {
		return posts.In(table).Create(ctx, &post{ID: "p"})
	},
	foreign: func() (map[string]types.AttributeValue, error) { return comments.Encode(&comment{ID: "9", Post: "p"}) },
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_ = comments.In(table).Delete(ctx, comment{ID: "9", Post: "p"})
			_ = comments.In(table).Create(ctx, &comment{ID: "1", Post: "p"})
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_ = comments.In(table).Create(ctx, &comment{ID: "2", Post: "p"})
			_ = posts.In(table).Delete(ctx, post{ID: "p"})
		})
		r.w.Always(everyItemHasType)
		r.w.Always(func(db *ddbtest.DB) error {
			list, err := items(db, posts)
			if err != nil {
				return err
			}
			if len(list) > 0 && list[0].Comments < 0 {
				return fmt.Errorf("a post counts %d comments", list[0].Comments)
			}
			return nil
		})
	},
}

// pages returns the generations of the document.
func pages(table *entity.Table) *generations.Repo[document, paragraph] {
	place := func(p *paragraph, d document, generation string) { p.Document, p.Generation = d.ID, generation }
	return generations.New(documents.In(table), paragraphs.In(table), place, generations.Config{Concurrency: 1})
}

// text returns the parts of a generation with this text.
func text(name string) iter.Seq2[paragraph, error] {
	return generations.Slice([]paragraph{{N: 1, Text: name}, {N: 2, Text: name}})
}

// current returns the parts of the current generation.
func current(db *ddbtest.DB) ([]paragraph, error) {
	docs, err := items(db, documents)
	if err != nil {
		return nil, err
	}
	all, err := items(db, paragraphs)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(p paragraph) bool { return p.Generation != docs[0].Generation }), nil
}

// generation: the parts of a document are replaced, and readers see those of one call.
var generation = protocol{
	name: "generations: replace", weight: huge, timed: true,
	fill: func(ctx context.Context, table *entity.Table) error {
		_, err := pages(table).Upsert(ctx, document{ID: "d"}, text("first"))
		return err
	},
	clients: func(r *protocolRun) {
		r.each(1, func(ctx context.Context, table *entity.Table, c *call) error {
			_, err := pages(table).Replace(ctx, document{ID: "d"}, text(c.name))
			return err
		})
		r.w.Always(func(db *ddbtest.DB) error {
			list, err := current(db)
			if err != nil {
				return err
			}
			if err := listsApart(db); err != nil {
				return err
			}
			if len(list) != 2 || list[0].Text != list[1].Text {
				return fmt.Errorf("a reader sees %d parts", len(list))
			}
			return nil
		})
	},
}

// listsApart is an invariant: no generation is current, pending and obsolete at once.
func listsApart(db *ddbtest.DB) error {
	docs, err := items(db, documents)
	if err != nil {
		return err
	}
	for _, d := range docs {
		seen := map[string]bool{d.Generation: true}
		for _, id := range slices.Concat(d.Pending, d.Obsolete) {
			if seen[id] {
				return errors.New("a generation is in two lists of the pointer item")
			}
			seen[id] = true
		}
	}
	return nil
}

// generationDelete: a document is deleted while its parts are replaced.
var generationDelete = protocol{
	name: "generations: replace, delete", weight: huge, timed: true,
	fill: generation.fill,
	clients: func(r *protocolRun) {
		replaced := false
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_, _ = pages(table).Replace(ctx, document{ID: "d"}, text("second"))
			replaced = true
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_ = pages(table).Delete(ctx, document{ID: "d"})
		})
		r.w.Always(everyItemHasType)
		r.w.Always(listsApart)
		r.w.Finally(func(db *ddbtest.DB) error {
			docs, err := items(db, documents)
			if err != nil || len(docs) > 0 {
				return err
			}
			if !replaced || r.faults[explore.LateRequest] > 0 {
				return nil // parts that arrive late, or after a crash, may be left
			}
			left, err := items(db, paragraphs)
			if err != nil {
				return err
			}
			if len(left) > 0 {
				return fmt.Errorf("%d parts are left of a deleted document", len(left))
			}
			return nil
		})
	},
}

// batch: a batch whose parts are left undone is written completely.
var batch = protocol{
	name: "batch of puts", extra: explore.Unprocessed,
	clients: func(r *protocolRun) {
		r.each(1, func(ctx context.Context, table *entity.Table, c *call) error {
			return purses.In(table).PutMany(ctx, slices.Values([]*purse{
				{ID: "a", Sum: c.amount}, {ID: "b", Sum: c.amount}, {ID: "of " + c.name, Sum: c.amount},
			}), entity.Concurrency(1))
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, purses)
			if err != nil {
				return err
			}
			least, most := r.ledger.bounds()
			if least > 0 && int64(len(list)) < 2+least || int64(len(list)) > 2+most {
				return fmt.Errorf("%d items are stored after %d to %d batches", len(list), least, most)
			}
			return nil
		})
	},
}
