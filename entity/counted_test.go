package entity_test

import (
	"context"
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
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// post counts its comments and its stars. It is versioned.
type post struct {
	_        entity.Key `type:"post" pk:"POST#<id>" sk:"POST"`
	ID       string     `dynamodbav:"id"`
	Title    string     `dynamodbav:"title"`
	Comments int64      `dynamodbav:"comments"`
	Stars    int        `dynamodbav:"stars,omitempty"`
	Version  int64      `dynamodbav:"version" entity:"version"`
	Updated  time.Time  `dynamodbav:"updated" entity:"updated"`
}

// comment is counted by its post and, if it is an answer, by the comment that it answers.
type comment struct {
	_       entity.Key     `type:"comment" pk:"POST#<post>" sk:"COMMENT#<id>"`
	_       entity.Counted `in:"post" as:"comments" pk:"POST#<post>" sk:"POST"`
	_       entity.Counted `in:"comment" as:"answers" pk:"POST#<post>" sk:"COMMENT#<to>"`
	Post    string         `dynamodbav:"post"`
	ID      string         `dynamodbav:"id"`
	To      string         `dynamodbav:"to,omitempty"`
	Text    string         `dynamodbav:"text"`
	Answers int            `dynamodbav:"answers"`
}

// star is counted by the post that its field names, which can change.
type star struct {
	_    entity.Key     `type:"star" pk:"USER#<user>" sk:"STAR#<slot>"`
	_    entity.Counted `in:"post" as:"stars" pk:"POST#<post>" sk:"POST"`
	User string         `dynamodbav:"user"`
	Slot string         `dynamodbav:"slot"`
	Post string         `dynamodbav:"post,omitempty"`
}

var (
	postTitle    = attr.Must(func(p *post) *string { return &p.Title })
	postStars    = attr.Must(func(p *post) *int { return &p.Stars })
	postComments = attr.Must(func(p *post) *int64 { return &p.Comments })
	commentText  = attr.Must(func(c *comment) *string { return &c.Text })
	starPost     = attr.Must(func(s *star) *string { return &s.Post })
)

// blog is a table of posts, comments and stars.
type blog struct {
	posts    *entity.Repo[post]
	comments *entity.Repo[comment]
	stars    *entity.Repo[star]
	client   *dynamodb.Client
	table    *entity.Table
}

func eachBlog(t *testing.T, f func(t *testing.T, b *blog)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		f(t, newBlog(t, e.Client(t)))
	})
}

func newBlog(t testing.TB, client *dynamodb.Client) *blog {
	t.Helper()
	s := entity.NewSchema(entity.Config{})
	posts, comments, stars := entity.Define[post](s), entity.Define[comment](s), entity.Define[star](s)
	table, err := s.Open(client, "blog")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return &blog{posts.In(table), comments.In(table), stars.In(table), client, table}
}

func (b *blog) post(t *testing.T, id string) post {
	t.Helper()
	p, err := b.posts.Strong().Get(context.WithoutCancel(t.Context()), post{ID: id})
	require.NoError(t, err)
	return p
}

// Every verb counts: what it creates, deletes, and moves from one counting item to another.
func TestCounts(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		requireOutcome(t, b.comments.Create(ctx, &comment{Post: "p", ID: "1"}), trestle.ErrNotFound, trestle.NotApplied)
		require.NoError(t, b.posts.Create(ctx, &post{ID: "p"}))
		require.NoError(t, b.posts.Create(ctx, &post{ID: "q"}))
		require.NoError(t, b.comments.Create(ctx, &comment{Post: "p", ID: "1"}))
		requireOutcome(t, b.comments.Create(ctx, &comment{Post: "p", ID: "1"}), trestle.ErrExists, trestle.NotApplied)
		p := b.post(t, "p")
		require.EqualValues(t, 1, p.Comments)
		require.EqualValues(t, 2, p.Version, "the count is a write of the post")

		require.NoError(t, b.comments.Put(ctx, &comment{Post: "p", ID: "1", Text: "x"}), "replaces it")
		require.NoError(t, b.comments.Put(ctx, &comment{Post: "p", ID: "2", To: "1"}), "creates it")
		_, err := b.comments.Upsert(ctx, comment{Post: "p", ID: "2"}, commentText.Set("y"))
		require.NoError(t, err)
		_, err = b.comments.Upsert(ctx, comment{Post: "p", ID: "3"}, commentText.Set("z"))
		require.NoError(t, err)
		require.EqualValues(t, 3, b.post(t, "p").Comments)
		first, err := b.comments.Strong().Get(ctx, comment{Post: "p", ID: "1"})
		require.NoError(t, err)
		require.Equal(t, 1, first.Answers)

		require.NoError(t, b.comments.Delete(ctx, comment{Post: "p", ID: "2"}))
		require.NoError(t, b.comments.Delete(ctx, comment{Post: "p", ID: "2"}), "nothing is deleted")
		requireOutcome(t, b.comments.Delete(ctx, comment{Post: "p", ID: "1"}, commentText.Eq("y")), trestle.ErrCondition, trestle.NotApplied)
		require.EqualValues(t, 2, b.post(t, "p").Comments)

		s := star{User: "ann", Slot: "1", Post: "p"}
		require.NoError(t, b.stars.Create(ctx, &s))
		require.NoError(t, b.stars.Create(ctx, &star{User: "ann", Slot: "2"}), "without a post it is not counted")
		_, err = b.stars.Update(ctx, s, starPost.Set("q"))
		require.NoError(t, err)
		require.Zero(t, b.post(t, "p").Stars)
		require.Equal(t, 1, b.post(t, "q").Stars)
		_, err = b.stars.Update(ctx, s, starPost.Set("none"))
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NotApplied)
		require.NotEmpty(t, hintOf(t, err))
		_, err = b.stars.Update(ctx, s, starPost.Remove())
		require.NoError(t, err)
		require.Zero(t, b.post(t, "q").Stars)

		to := star{User: "bob", Slot: "1", Post: "p"}
		_, err = tx.Move(b.stars, s, &to).Do(ctx)
		require.NoError(t, err)
		require.Equal(t, 1, b.post(t, "p").Stars)

		require.NoError(t, b.posts.Delete(ctx, post{ID: "p"}))
		require.NoError(t, b.stars.Delete(ctx, to), "its post is gone")
		require.NoError(t, b.comments.Delete(ctx, comment{Post: "p", ID: "1"}))
	})
}

// A count never becomes negative, and a put of the counting item does not change it.
func TestCountsAreKept(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		p := post{ID: "p"}
		require.NoError(t, b.posts.Create(ctx, &p))
		require.NoError(t, b.comments.Create(ctx, &comment{Post: "p", ID: "1"}))
		stale := p
		requireOutcome(t, b.posts.Put(ctx, &stale), trestle.ErrStale, trestle.NotApplied)
		requireOutcome(t, b.posts.Overwrite(ctx, &post{ID: "p", Title: "x"}), trestle.ErrStale, trestle.NotApplied)
		p = b.post(t, "p")
		p.Title = "x"
		require.NoError(t, b.posts.Put(ctx, &p))
		require.EqualValues(t, 1, b.post(t, "p").Comments)

		for _, c := range []attr.Change[post]{postComments.Set(0), attr.Add(postComments, 1), postComments.SetIfAbsent(0), postComments.Remove()} {
			_, err := b.posts.Update(ctx, post{ID: "p"}, c)
			requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		}
		b.setCount(t, "p", 0)
		err := b.comments.Delete(ctx, comment{Post: "p", ID: "1"})
		requireOutcome(t, err, trestle.ErrCondition, trestle.NotApplied)
		met, found := entity.ItemFromError[post](err)
		require.True(t, found)
		require.Zero(t, met.Comments)
		require.NotEmpty(t, hintOf(t, err))

		all := query.Of(b.comments.Strong(), comment{Post: "p"})
		n, err := query.Recount(ctx, b.posts, post{ID: "p"}, postComments, all)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		corrected := b.post(t, "p")
		require.EqualValues(t, 1, corrected.Comments)
		_, err = query.Recount(ctx, b.posts, post{ID: "p"}, postComments, all)
		require.NoError(t, err)
		require.Equal(t, corrected, b.post(t, "p"), "nothing was written")
		require.NoError(t, b.comments.Delete(ctx, comment{Post: "p", ID: "1"}))

		_, err = query.Recount(ctx, b.posts, post{ID: "none"}, postComments, all)
		require.ErrorIs(t, err, trestle.ErrNotFound)
		version := attr.Must(func(p *post) *int64 { return &p.Version })
		_, err = query.Recount(ctx, b.posts, post{ID: "p"}, version, all)
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		_, err = query.Recount(ctx, b.posts, post{ID: "p"}, postComments, nil)
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = query.Recount[post, int64](ctx, nil, post{ID: "p"}, nil, all)
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
	})
}

// setCount sets a count as a program without the library would.
func (b *blog) setCount(t *testing.T, id string, n int) {
	t.Helper()
	key, err := b.posts.Type().KeyOf(post{ID: id})
	require.NoError(t, err)
	_, err = b.client.UpdateItem(context.WithoutCancel(t.Context()), &dynamodb.UpdateItemInput{
		TableName: aws.String("blog"), Key: key, UpdateExpression: aws.String("SET comments = :n"),
		ExpressionAttributeValues: avMap{":n": &types.AttributeValueMemberN{Value: strconv.Itoa(n)}},
	})
	require.NoError(t, err)
}

// Recount is right while comments are created and deleted: the version of the post changes with
// each of them. A recount without a condition is not.
func TestRecountWhileItemsChange(t *testing.T) {
	t.Parallel()
	for _, naive := range []bool{false, true} {
		b := newBlog(t, ddbtest.Client(t))
		ctx := t.Context()
		require.NoError(t, b.posts.Create(ctx, &post{ID: "p"}))
		for i := range 5 {
			require.NoError(t, b.comments.Create(ctx, &comment{Post: "p", ID: strconv.Itoa(i)}))
		}
		b.setCount(t, "p", 100)
		// The first two counts are overtaken: a comment is created, and later another is deleted.
		all, runs := query.Of(b.comments.Strong(), comment{Post: "p"}), 0
		overtaken := counterFunc(func(ctx context.Context) (int, error) {
			n, err := all.Count(ctx)
			if runs++; runs <= 2 && err == nil {
				err = b.comments.Create(ctx, &comment{Post: "p", ID: "new " + strconv.Itoa(runs)})
			}
			return n, err
		})
		if naive {
			n, err := overtaken(ctx)
			require.NoError(t, err)
			b.setCount(t, "p", n)
			require.NotEqualValues(t, 6, b.post(t, "p").Comments)
			continue
		}
		n, err := query.Recount(ctx, b.posts, post{ID: "p"}, postComments, overtaken)
		require.NoError(t, err)
		require.Equal(t, 7, n)
		require.Equal(t, 3, runs)
		require.EqualValues(t, 7, b.post(t, "p").Comments)

		b.setCount(t, "p", 100)
		always := counterFunc(func(ctx context.Context) (int, error) {
			runs++
			return 1, b.comments.Create(ctx, &comment{Post: "p", ID: "always " + strconv.Itoa(runs)})
		})
		_, err = query.Recount(ctx, b.posts, post{ID: "p"}, postComments, always)
		requireOutcome(t, err, trestle.ErrStale, trestle.NotApplied)
	}
}

type counterFunc func(context.Context) (int, error)

func (f counterFunc) Count(ctx context.Context) (int, error) { return f(ctx) }

// The operations of a transaction on one counting item are combined: with each other, and with an
// operation on that item itself.
func TestCountsInTransactions(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		p, c := post{ID: "p", Title: "t"}, b.comments.Op()
		require.NoError(t, tx.Write(ctx, b.posts.Op().Create(&p), c.Create(&comment{Post: "p", ID: "1"}), c.Create(&comment{Post: "p", ID: "2"})))
		require.EqualValues(t, 2, p.Comments, "the entity has what is stored")
		require.Equal(t, p, b.post(t, "p"))

		require.NoError(t, tx.Write(ctx, c.Create(&comment{Post: "p", ID: "3"}), b.posts.Op().Update(post{ID: "p"}, postTitle.Set("new"), attr.If(postTitle.Eq("t")))))
		got := b.post(t, "p")
		require.Equal(t, "new", got.Title)
		require.EqualValues(t, 3, got.Comments)
		require.EqualValues(t, 2, got.Version, "one write of the post")

		require.NoError(t, tx.Write(ctx, c.Delete(comment{Post: "p", ID: "3"}), c.Create(&comment{Post: "p", ID: "4"}), b.posts.Op().Check(post{ID: "p"}, postTitle.Eq("new"))))
		require.EqualValues(t, 3, b.post(t, "p").Comments)
		require.NoError(t, tx.Write(ctx, c.Delete(comment{Post: "p", ID: "4"}), b.posts.Op().Check(post{ID: "p"}, postTitle.Eq("new"))))
		require.EqualValues(t, 2, b.post(t, "p").Comments)
		require.ErrorIs(t, tx.Write(ctx, c.Delete(comment{Post: "p", ID: "1"}), b.posts.Op().Check(post{ID: "p"}, postTitle.Eq("old"))), trestle.ErrCondition)

		require.NoError(t, tx.Write(ctx, b.posts.Op().Delete(post{ID: "p"}), c.Delete(comment{Post: "p", ID: "1"}), c.Delete(comment{Post: "p", ID: "2"})))
		_, err := b.posts.Strong().Get(ctx, post{ID: "p"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
	})
}
