package main

import (
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
)

type (
	// Title is the root of a book: it is written with each save.
	Title struct {
		_       entity.Key `type:"title" pk:"BOOK#<isbn>" sk:"TITLE"`
		ISBN    string     `dynamodbav:"isbn"`
		Name    string     `dynamodbav:"name"`
		Author  string     `dynamodbav:"author"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}

	// Chapter has a short heading and a long text.
	Chapter struct {
		_       entity.Key             `type:"chapter" pk:"BOOK#<isbn>" sk:"CHAPTER#<n:03>"`
		ISBN    string                 `dynamodbav:"isbn"`
		N       int                    `dynamodbav:"n"`
		Heading string                 `dynamodbav:"heading"`
		Text    document.Large[string] `dynamodbav:"text"`
		document.Part
	}

	// Index is a list of many terms.
	Index struct {
		_     entity.Key             `type:"index" pk:"BOOK#<isbn>" sk:"INDEX"`
		ISBN  string                 `dynamodbav:"isbn"`
		Terms document.Large[[]Term] `dynamodbav:"terms" document:"compress"`
		document.Part
	}

	// Term is an entry of an index.
	Term struct {
		Word  string `dynamodbav:"word"`
		Pages []int  `dynamodbav:"pages"`
	}

	// Review is in the same partition, and not a part of the book.
	Review struct {
		_    entity.Key `type:"review" pk:"BOOK#<isbn>" sk:"REVIEW#<by>"`
		ISBN string     `dynamodbav:"isbn"`
		By   string     `dynamodbav:"by"`
		Text string     `dynamodbav:"text"`
	}

	// Book is a document.
	Book struct {
		document.State
		Title    Title
		Chapters []Chapter
		Index    *Index
	}
)

// The schema, its types and the document.
var (
	units   = &meter{}
	Schema  = entity.NewSchema(entity.Config{Observer: units})
	_       = entity.Define[Title](Schema)
	_       = entity.Define[Chapter](Schema)
	_       = entity.Define[Index](Schema)
	Reviews = entity.Define[Review](Schema)
	Books   = document.Define[Book](Schema)
)
