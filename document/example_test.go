package document_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
)

type (
	// Page is the root of an article.
	Page struct {
		_       entity.Key `type:"page" pk:"PAGE#<name>" sk:"PAGE"`
		Name    string     `dynamodbav:"name"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}
	// Section is a part of an article.
	Section struct {
		_     entity.Key             `type:"section" pk:"PAGE#<name>" sk:"SECTION#<n:03>"`
		Name  string                 `dynamodbav:"name"`
		N     int                    `dynamodbav:"n"`
		Title string                 `dynamodbav:"title"`
		Text  document.Large[string] `dynamodbav:"text" document:"compress"`
		document.Part
	}
	// Article is a document.
	Article struct {
		document.State
		Page     Page
		Sections []Section
	}
)

var (
	WikiSchema = entity.NewSchema(entity.Config{})
	Pages      = entity.Define[Page](WikiSchema)
	Sections   = entity.Define[Section](WikiSchema)
	Articles   = document.Define[Article](WikiSchema)
)

// An article has sections, which are items of their own, with texts of any length. One section is
// changed, and only that section and the root are sent.
func Example() {
	ctx := context.Background()
	table, err := WikiSchema.Open(ddbtest.New(ddbtest.Options{}).Client(), "wiki")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := table.Create(ctx); err != nil {
		fmt.Println(err)
		return
	}
	articles := Articles.In(table, document.Config{})
	article := Article{Page: Page{Name: "Arrakis"}}
	for n := range 3 {
		text := document.Large[string]{Value: strings.Repeat("sand ", 200_000)}
		article.Sections = append(article.Sections, Section{N: n, Title: fmt.Sprint("Section ", n), Text: text})
	}
	if err := articles.Save(ctx, &article); err != nil {
		fmt.Println(err)
		return
	}

	article, err = articles.Read(ctx, Article{Page: Page{Name: "Arrakis"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(article.Sections), "sections, version", article.Page.Version)
	article.Sections[1].Title = "The worms"
	err = articles.Save(ctx, &article)
	fmt.Println("saved:", err == nil, "- version", article.Page.Version)
	// Output:
	// 3 sections, version 1
	// saved: true - version 2
}
