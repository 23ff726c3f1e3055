package explored_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	split "github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
)

type (
	// page is a document that expires.
	page struct {
		split.State
		Head  pageHead
		Lines []pageLine
	}
	pageHead struct {
		_       entity.Key `type:"page" pk:"PAGE#<id>" sk:"HEAD"`
		ID      string     `dynamodbav:"id"`
		Author  string     `dynamodbav:"author"`
		Lines   int        `dynamodbav:"lines"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
		split.Root
	}
	pageLine struct {
		_       entity.Key          `type:"pageline" pk:"PAGE#<id>" sk:"LINE#<n>"`
		ID      string              `dynamodbav:"id"`
		N       string              `dynamodbav:"n"`
		Text    string              `dynamodbav:"text"`
		Body    split.Large[string] `dynamodbav:"body"`
		Expires time.Time           `dynamodbav:"expires" entity:"ttl"`
		split.Part
	}
	// pageProgram is a program with a clock of its own.
	pageProgram struct {
		schema *entity.Schema
		pages  *split.Type[page]
	}
)

func newPageProgram(clock func() time.Time) pageProgram {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: clock})
	entity.Define[pageHead](s)
	entity.Define[pageLine](s)
	return pageProgram{s, split.Define[page](s)}
}

// The programs of pages. For the clock of latePages, a page that has expired in the last hour has
// not expired: its clients use it until DynamoDB deletes the items.
var (
	onTimePages = newPageProgram(time.Now)
	latePages   = newPageProgram(func() time.Time { return time.Now().Add(-time.Hour) })
)

var pageKey = page{Head: pageHead{ID: "p"}}

func (p pageProgram) in(client *dynamodb.Client, name string, actions int) (*split.Repo[page], error) {
	table, err := p.schema.Open(client, tableName, entity.Random(source(name)))
	if err != nil {
		return nil, err
	}
	return p.pages.In(table, split.Config{WriteTime: time.Minute, Concurrency: 1, MaxActions: actions}), nil
}

// written returns a page with the lines of an author, which expires after some time. The first line
// has a large value.
func (p page) written(author string, after time.Duration, lines ...string) page {
	p.Head.ID, p.Head.Author, p.Head.Lines, p.Head.Expires, p.Lines = "p", author, len(lines), time.Now().Add(after), nil
	for _, n := range lines {
		p.Lines = append(p.Lines, pageLine{N: n, Text: author})
	}
	p.Lines[0].Body.Value = author
	return p
}

// plain returns a page without the large value.
func (p page) plain() page {
	p.Lines[0].Body.Value = ""
	return p
}

// whole checks that a page has all the lines of its author.
func (p page) whole() error {
	if len(p.Lines) != p.Head.Lines {
		return fmt.Errorf("%d lines of %d", len(p.Lines), p.Head.Lines)
	}
	for i, l := range p.Lines {
		if l.Text != p.Head.Author || l.Body.Value != "" && l.Body.Value != p.Head.Author {
			return fmt.Errorf("line %d is not of %s", i, p.Head.Author)
		}
	}
	return nil
}

// expiredPage returns a function that stores a page that has expired a minute ago.
func expiredPage(body string, lines ...string) func(testing.TB, *ddbtest.DB) {
	return func(t testing.TB, db *ddbtest.DB) {
		repo, err := onTimePages.in(db.Client(), "setup", many)
		require.NoError(t, err)
		p := page{}.written("setup", -time.Minute, lines...)
		p.Lines[0].Body.Value = body
		require.NoError(t, repo.Save(context.Background(), &p))
	}
}

// expiredLog stores a page whose time a save beyond a transaction has made earlier, so that it has
// expired a minute ago. The save has crashed before it deleted line 2.
func expiredLog(t testing.TB, db *ddbtest.DB) {
	ctx := context.Background()
	committed := false
	repo, err := onTimePages.in(db.Client(func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
			return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("crash", func(
				ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
			) (middleware.InitializeOutput, middleware.Metadata, error) {
				if committed {
					return middleware.InitializeOutput{}, middleware.Metadata{}, context.Canceled
				}
				if w, ok := in.Parameters.(*dynamodb.TransactWriteItemsInput); ok {
					committed = w.TransactItems[0].Put != nil && w.TransactItems[0].Put.Item["version"].(*types.AttributeValueMemberN).Value == "2"
				}
				return next.HandleInitialize(ctx, in)
			}), middleware.Before)
		})
	}), "setup", 3)
	require.NoError(t, err)
	whole, err := onTimePages.in(db.Client(), "whole", many)
	require.NoError(t, err)
	p := page{}.written("setup", 10*time.Hour, "1", "2").plain()
	require.NoError(t, whole.Save(ctx, &p))
	p = p.written("log", -time.Minute, "1").plain()
	require.Equal(t, trestle.Applied, trestle.OutcomeOf(repo.Save(ctx, &p)))
}

// pageClient declares a client of a program.
func (r *protocolRun) pageClient(name string, p pageProgram, f func(ctx context.Context, repo *split.Repo[page])) {
	r.w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
		repo, err := p.in(c, name, many)
		if err != nil {
			r.w.Errorf("%v", err)
			return
		}
		f(ctx, repo)
	}, r.options...)
}

// sweeper declares DynamoDB's deletions: it deletes the expired items one by one, in any order, if
// they still have an expired time then.
func (r *protocolRun) sweeper() {
	var expired []map[string]types.AttributeValue
	for _, item := range r.w.DB().Dump(tableName) {
		if n, ok := item["expires"].(*types.AttributeValueMemberN); ok && n.Value <= seconds(time.Now()) {
			expired = append(expired, map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]})
		}
	}
	r.w.Client("dynamodb", func(ctx context.Context, c *dynamodb.Client) {
		var all sync.WaitGroup
		for _, key := range expired {
			all.Go(func() {
				_, _ = c.DeleteItem(ctx, &dynamodb.DeleteItemInput{
					TableName: aws.String(tableName), Key: key, ConditionExpression: aws.String("expires <= :now"),
					ExpressionAttributeValues: map[string]types.AttributeValue{":now": &types.AttributeValueMemberN{Value: seconds(time.Now())}},
				})
			})
		}
		all.Wait()
	})
}

func seconds(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// readablePage is an invariant: a reader whose clock is right sees the page of one author, or none.
// A reader whose clock is late may also notice that something is missing.
func readablePage(r *protocolRun) {
	r.w.Always(func(db *ddbtest.DB) error {
		for _, program := range []pageProgram{onTimePages, latePages} {
			repo, err := program.in(db.Client(), "check", many)
			if err != nil {
				return err
			}
			p, err := repo.Read(context.Background(), pageKey, split.Strong())
			switch {
			case errors.Is(err, trestle.ErrNotFound), errors.Is(err, split.ErrIncomplete) && program == latePages:
			case err != nil:
				return err
			default:
				if err := p.whole(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// lastOf checks that the page is that of each call that was applied.
func (r *protocolRun) lastOf(calls ...*call) {
	r.w.Finally(func(db *ddbtest.DB) error {
		repo, err := onTimePages.in(db.Client(), "check", many)
		if err != nil {
			return err
		}
		p, err := repo.Read(context.Background(), pageKey, split.Strong())
		for _, c := range calls {
			if c.outcome == trestle.Applied && (err != nil || p.Head.Author != c.name) {
				return errors.Join(fmt.Errorf("the page is not that of %s, which was applied", c.name), err)
			}
		}
		return nil
	})
}

// beginsAnew declares a client that saves a new page.
func (r *protocolRun) beginsAnew(c *call) {
	r.pageClient(c.name, onTimePages, func(ctx context.Context, repo *split.Repo[page]) {
		p := page{}.written(c.name, 5*time.Hour, "1", "3").plain()
		c.end(repo.Save(ctx, &p))
	})
}

// anewPage: a page begins anew over an expired one, which a program with a late clock renews.
var anewPage = protocol{
	name: "expired: document: begin anew, renew", weight: heavy, change: expiredPage("", "1", "2"),
	clients: func(r *protocolRun) {
		fresh, renewed := r.ledger.open("alice"), r.ledger.open("bob")
		r.beginsAnew(fresh)
		r.pageClient("bob", latePages, func(ctx context.Context, repo *split.Repo[page]) {
			p, err := repo.Read(ctx, pageKey, split.Strong())
			if err == nil && p.Head.Author == "setup" {
				p = p.written("bob", 5*time.Hour, "1", "2").plain()
				renewed.end(repo.Save(ctx, &p))
			}
		})
		readablePage(r)
		r.lastOf(fresh, renewed)
	},
}

// renewPage: DynamoDB deletes the items of a page that is renewed at the last moment, with nothing
// else changed.
var renewPage = protocol{
	name: "expired: document: renew, deletions", weight: heavy, change: expiredPage("setup", "1"),
	clients: func(r *protocolRun) {
		r.sweeper()
		renewed := r.ledger.open("setup")
		r.pageClient("bob", latePages, func(ctx context.Context, repo *split.Repo[page]) {
			p, err := repo.Read(ctx, pageKey, split.Strong())
			if err == nil {
				p.Head.Expires = time.Now().Add(5 * time.Hour)
				err = repo.Save(ctx, &p)
			}
			renewed.end(err)
		})
		readablePage(r)
		r.lastOf(renewed)
	},
}

// sweptPage: DynamoDB deletes the items of an expired page while a new one begins.
var sweptPage = protocol{
	name: "expired: document: begin anew, deletions", weight: heavy, change: expiredPage("", "1", "2"),
	clients: func(r *protocolRun) {
		r.sweeper()
		fresh := r.ledger.open("alice")
		r.beginsAnew(fresh)
		readablePage(r)
		r.lastOf(fresh)
	},
}

// renewLog: DynamoDB deletes the log of a page that is renewed at the last moment.
var renewLog = protocol{
	name: "expired: document: renew a log, deletions", weight: heavy, change: expiredLog,
	clients: func(r *protocolRun) {
		r.sweeper()
		renewed := r.ledger.open("bob")
		r.pageClient("bob", latePages, func(ctx context.Context, repo *split.Repo[page]) {
			p, err := repo.Read(ctx, pageKey, split.Strong())
			if err == nil {
				p = p.written("bob", 5*time.Hour, "1").plain()
				err = repo.Save(ctx, &p)
			}
			renewed.end(err)
		})
		readablePage(r)
		r.lastOf(renewed)
	},
}

// deletePage: a page begins anew over an expired one, which a program with a late clock deletes.
var deletePage = protocol{
	name: "expired: document: begin anew, delete", weight: heavy, change: expiredPage("", "1", "2"),
	clients: func(r *protocolRun) {
		fresh := r.ledger.open("alice")
		r.beginsAnew(fresh)
		r.pageClient("bob", latePages, func(ctx context.Context, repo *split.Repo[page]) {
			if p, err := repo.Read(ctx, pageKey, split.Strong()); err == nil && p.Head.Author == "setup" {
				_ = repo.Delete(ctx, p)
			}
		})
		readablePage(r)
		r.lastOf(fresh)
	},
}

// TestDocumentMutants drops one part of the conditions on the root of a document: the others still
// hold. Each is found.
func TestDocumentMutants(t *testing.T) {
	t.Parallel()
	for _, m := range []struct {
		action, part string
		protocol     protocol
	}{
		{"transaction: put", "doc_revision = ", anewPage},
		{"transaction: put", "attribute_not_exists(doc_log)", renewLog},
		{"update", "doc_revision = ", deletePage},
	} {
		t.Run(m.action+" without "+m.part, func(t *testing.T) {
			t.Parallel()
			if r := m.protocol.search(t, explore.Options{Faults: explore.Faults{}, MaxShorten: 1}, (&conditions{of: m.action, part: m.part}).option); r.Failure == nil {
				t.Error("no search needs this condition")
			} else {
				what, _, _ := strings.Cut(r.Failure.What, "\n")
				t.Log(what)
			}
		})
	}
}
