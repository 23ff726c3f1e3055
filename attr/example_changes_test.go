package attr_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type Image struct {
	URL string `dynamodbav:"url"`
	Alt string `dynamodbav:"alt,omitempty"`
}

type Article struct {
	_       entity.Key     `type:"article" pk:"ARTICLE#<id>" sk:"ARTICLE"`
	ID      string         `dynamodbav:"id"`
	Title   string         `dynamodbav:"title"`
	Editor  string         `dynamodbav:"editor,omitempty"`
	Views   int64          `dynamodbav:"views"`
	Writers []string       `dynamodbav:"writers,omitempty"`
	Labels  []string       `dynamodbav:"labels,stringset,omitempty"`
	Votes   map[string]int `dynamodbav:"votes"`
	Images  []Image        `dynamodbav:"images"`
}

var (
	Blog     = entity.NewSchema(entity.Config{})
	Articles = entity.Define[Article](Blog)
)

var (
	Title   = attr.Must(func(a *Article) *string { return &a.Title })
	Editor  = attr.Must(func(a *Article) *string { return &a.Editor })
	Views   = attr.Must(func(a *Article) *int64 { return &a.Views })
	Writers = attr.Must(func(a *Article) *[]string { return &a.Writers })
	Labels  = attr.Must(func(a *Article) *[]string { return &a.Labels })
	Votes   = attr.Must(func(a *Article) *map[string]int { return &a.Votes })
	Images  = attr.Must(func(a *Article) *[]Image { return &a.Images })
)

// updateArticle stores an article, changes it, and returns the changed article.
func updateArticle(change attr.Change[Article], more ...attr.Change[Article]) (Article, error) {
	ctx := context.Background()
	table, err := Blog.Open(ddbtest.New(ddbtest.Options{}).Client(), "blog")
	if err != nil {
		log.Fatal(err)
	}
	articles := Articles.In(table)
	err = errors.Join(table.Create(ctx), articles.Create(ctx, &Article{
		ID: "a1", Title: "Keys", Views: 10,
		Writers: []string{"Ada", "Bob"}, Labels: []string{"go", "old"},
		Votes: map[string]int{"up": 3}, Images: []Image{{URL: "/a.png"}, {URL: "/b.png"}},
	}))
	if err != nil {
		log.Fatal(err)
	}
	return articles.Update(ctx, Article{ID: "a1"}, change, more...)
}

// SetIfAbsent does not change an attribute that exists, and Remove removes an attribute.
func ExampleField_SetIfAbsent() {
	a, err := updateArticle(Title.SetIfAbsent("Untitled"), Editor.SetIfAbsent("Eve"), Labels.Remove())
	fmt.Println(a.Title, a.Editor, len(a.Labels), err)
	// Output:
	// Keys Eve 0 <nil>
}

// DynamoDB adds the numbers, so concurrent writers lose no count. An absent number counts as 0.
func ExampleAdd() {
	a, err := updateArticle(attr.Add(Views, 5))
	fmt.Println(a.Views, err)

	a, err = updateArticle(attr.Add(Views, -4))
	fmt.Println(a.Views, err)
	// Output:
	// 15 <nil>
	// 6 <nil>
}

// Append and Prepend add elements to a list. Elements are set and removed by index.
func ExampleAppend() {
	a, err := updateArticle(attr.Append(Writers, "Cyd", "Dan"))
	fmt.Println(a.Writers, err)

	a, err = updateArticle(attr.Prepend(Writers, "Cyd", "Dan"))
	fmt.Println(a.Writers, err)

	a, err = updateArticle(attr.At(Writers, 0).Remove(), attr.At(Writers, 1).Set("Bea"))
	fmt.Println(a.Writers, err)
	// Output:
	// [Ada Bob Cyd Dan] <nil>
	// [Cyd Dan Ada Bob] <nil>
	// [Bea] <nil>
}

// A set holds each element once. Adding and deleting elements does not read the set.
func ExampleSetAdd() {
	a, err := updateArticle(attr.SetAdd(Labels, "go", "keys"))
	fmt.Println(a.Labels, err)

	a, err = updateArticle(attr.SetDelete(Labels, "old", "older"))
	fmt.Println(a.Labels, err)
	// Output:
	// [go keys old] <nil>
	// [go] <nil>
}

// Entries of a map and fields of an element are changed in place. Other entries and fields stay.
func ExampleKey() {
	up, down := attr.Key(Votes, "up"), attr.Key(Votes, "down")
	alt := attr.Sub(attr.At(Images, 1), func(i *Image) *string { return &i.Alt })
	a, err := updateArticle(attr.Add(up, 1), down.Set(1), alt.Set("a bridge"))
	fmt.Println(a.Votes, a.Images, err)
	// Output:
	// map[down:1 up:4] [{/a.png } {/b.png a bridge}] <nil>
}

// Named makes a handle from a path that is known at run time only, such as a path in a request.
// Typed adds a type, for the functions that require one.
func ExampleNamed() {
	url := attr.Named[Article]("images[0].url")
	votes := attr.Typed[int](attr.Named[Article]("votes.up"))
	a, err := updateArticle(url.Set("/c.png"), attr.Add(votes, 1))
	fmt.Println(a.Images[0].URL, a.Votes["up"], err)

	_, err = updateArticle(attr.Named[Article]("pictures[0]").Remove())
	fmt.Println(errors.Is(err, trestle.ErrInvalid))
	// Output:
	// /c.png 4 <nil>
	// true
}

// If makes an update conditional. If a condition does not hold, nothing is changed.
func ExampleIf() {
	_, err := updateArticle(attr.Add(Views, -20), attr.If(Views.Ge(20)))
	fmt.Println(errors.Is(err, trestle.ErrCondition))

	a, err := updateArticle(Editor.Set("Eve"), attr.If(Editor.NotExists(), attr.Contains(Writers, "Ada")))
	fmt.Println(a.Editor, err)
	// Output:
	// true
	// Eve <nil>
}
