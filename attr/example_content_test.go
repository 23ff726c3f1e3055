package attr_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

type Book struct {
	_       entity.Key `type:"book" pk:"SHELF#<shelf>" sk:"BOOK#<title>"`
	Shelf   string     `dynamodbav:"shelf"`
	Title   string     `dynamodbav:"title"`
	Note    string     `dynamodbav:"note,omitempty"`
	Authors []string   `dynamodbav:"authors"`
	Tags    []string   `dynamodbav:"tags,stringset,omitempty"`
}

var (
	Library = entity.NewSchema(entity.Config{})
	Books   = entity.Define[Book](Library)

	Note    = attr.Must(func(b *Book) *string { return &b.Note })
	Authors = attr.Must(func(b *Book) *[]string { return &b.Authors })
	Tags    = attr.Must(func(b *Book) *[]string { return &b.Tags })
)

// printBooks stores two books and prints the books that match each condition.
func printBooks(conds ...attr.Cond[Book]) {
	ctx := context.Background()
	table, err := Library.Open(ddbtest.New(ddbtest.Options{}).Client(), "library")
	if err != nil {
		log.Fatal(err)
	}
	books := Books.In(table)
	err = errors.Join(
		table.Create(ctx),
		books.Create(ctx, &Book{Shelf: "s1", Title: "Graphs", Authors: []string{"Ada"}}),
		books.Create(ctx, &Book{
			Shelf: "s1", Title: "Trees", Authors: []string{"Ada", "Bob"},
			Note: "lent to Eve", Tags: []string{"new"},
		}),
	)
	for _, cond := range conds {
		fmt.Print(cond, ":")
		for b, failed := range query.Of(books, Book{Shelf: "s1"}).Filter(cond).All(ctx) {
			fmt.Print(" ", b.Title)
			err = errors.Join(err, failed)
		}
		fmt.Println()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// BeginsWith and ContainsText compare a string with a prefix or a substring.
func ExampleBeginsWith() {
	printBooks(
		attr.BeginsWith(Note, "lent"),
		attr.ContainsText(Note, "Eve"),
	)
	// Output:
	// begins_with(note, ?): Trees
	// contains(note, ?): Trees
}

// Contains searches a list or a set for an element.
func ExampleContains() {
	printBooks(
		attr.Contains(Authors, "Ada"),
		attr.Contains(Tags, "new"),
	)
	// Output:
	// contains(authors, ?): Graphs Trees
	// contains(tags, ?): Trees
}

// Size is the length of a text, or the number of elements of a list, a map or a set.
func ExampleSize() {
	printBooks(
		attr.Size(Authors).Gt(1),
		attr.Size(Note).Between(1, 20),
		attr.Size(Tags).Ne(2), // also holds if there are no tags
	)
	// Output:
	// size(authors) > ?: Trees
	// size(note) BETWEEN ? AND ?: Trees
	// size(tags) <> ?: Graphs Trees
}

// An empty field with omitempty is not stored. Only NotExists, Ne and Not hold for an absent
// attribute.
func ExampleField_Exists() {
	printBooks(
		Note.Exists(),
		Note.NotExists(),
		Note.Ne("lost"),
		Tags.IsType(attr.StringSet),
	)
	// Output:
	// attribute_exists(note): Trees
	// attribute_not_exists(note): Graphs
	// note <> ?: Graphs Trees
	// attribute_type(tags, SS): Trees
}
