package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
)

const isbn = "978-0441013593"

// tour prints what the steps cost.
type tour struct {
	program.Tour
	books   *document.Repo[Book]
	reviews *entity.Repo[Review]
}

// oneAtATime keeps the units of tours that run at the same time apart.
var oneAtATime sync.Mutex

func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	table, err := Schema.Open(client, "library")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{program.Tour{Out: out}, Books.In(table, document.Config{}), Reviews.In(table)}
	units.take()
	return program.RunSteps(ctx, t.report, t.write, t.read, t.change, t.conflict, t.delete)
}

// paragraphs returns a text of n bytes.
func paragraphs(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "Paragraph %d. The spice must flow, and the worm must turn.\n", i)
	}
	return b.String()[:n]
}

// novel returns a book of more than 3 MB.
func novel() *Book {
	b := &Book{Title: Title{ISBN: isbn, Name: "Dune", Author: "Frank Herbert"}, Index: &Index{}}
	for n := 1; n <= 6; n++ {
		b.Chapters = append(b.Chapters, Chapter{N: n, Heading: fmt.Sprint("Part ", n), Text: document.Large[string]{Value: paragraphs(500_000)}})
	}
	for n := range 8_000 {
		b.Index.Terms.Value = append(b.Index.Terms.Value, Term{Word: fmt.Sprintf("term %05d", n), Pages: []int{n % 600, n % 599}})
	}
	return b
}

// cost prints what a step did and consumed.
func (t tour) cost(what string) {
	requests, used := units.take()
	t.Printf("%-44s %3d requests %8.1f read units %8.1f write units", what, requests, used.Read, used.Write)
}

func (t tour) report(context.Context) error {
	r, err := t.books.Report(novel())
	if err != nil {
		return err
	}
	t.Printf("a book, in items:\n\n%s", r.String())
	return nil
}

func (t tour) write(ctx context.Context) error {
	t.Printf("")
	if err := t.reviews.Put(ctx, &Review{ISBN: isbn, By: "Ann", Text: paragraphs(20_000)}); err != nil {
		return err
	}
	units.take()
	err := t.books.Save(ctx, novel())
	t.cost("save the new book")
	return err
}

func (t tour) read(ctx context.Context) error {
	example := Book{Title: Title{ISBN: isbn}}
	b, err := t.books.Read(ctx, example)
	if err != nil {
		return err
	}
	t.cost("read the whole book")
	if b.Chapters[5].Text.Value != paragraphs(500_000) || len(b.Index.Terms.Value) != 8_000 {
		return errors.New("it is another book")
	}
	if _, err := t.books.Read(ctx, example, document.Parts("Index")); err != nil {
		return err
	}
	t.cost("read the title and the index")
	return nil
}

func (t tour) change(ctx context.Context) error {
	b, err := t.books.Read(ctx, Book{Title: Title{ISBN: isbn}}, document.Strong())
	if err != nil {
		return err
	}
	units.take()
	b.Chapters[2].Heading = "The Prophet"
	if err := t.books.Save(ctx, &b); err != nil {
		return err
	}
	t.cost("save it with another heading")
	b.Chapters[2].Text.Value += "The end."
	if err := t.books.Save(ctx, &b); err != nil {
		return err
	}
	t.cost("save it with another text of a chapter")
	err = t.books.Save(ctx, &b)
	t.cost("save it without a change")
	return err
}

func (t tour) conflict(ctx context.Context) error {
	ann, err := t.books.Read(ctx, Book{Title: Title{ISBN: isbn}}, document.Strong())
	if err != nil {
		return err
	}
	bob := ann
	ann.Title.Name, bob.Title.Name = "Dune, by Ann", "Dune, by Bob"
	if err := t.books.Save(ctx, &ann); err != nil {
		return err
	}
	err = t.books.Save(ctx, &bob)
	t.Printf("\ntwo editors: the second one gets ErrStale: %t", errors.Is(err, trestle.ErrStale))
	units.take()
	return nil
}

func (t tour) delete(ctx context.Context) error {
	if err := t.books.Delete(ctx, Book{Title: Title{ISBN: isbn}}); err != nil {
		return err
	}
	t.Printf("")
	t.cost("delete the book")
	_, err := t.books.Read(ctx, Book{Title: Title{ISBN: isbn}})
	t.Printf("read it: ErrNotFound: %t", errors.Is(err, trestle.ErrNotFound))
	_, err = t.reviews.Get(ctx, Review{ISBN: isbn, By: "Ann"})
	return err
}
