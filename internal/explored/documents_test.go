package explored_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	split "github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
)

type (
	// sheet is a document.
	sheet struct {
		split.State
		Head  sheetHead
		Lines []sheetLine
	}
	sheetHead struct {
		_       entity.Key `type:"sheet" pk:"SHEET#<id>" sk:"HEAD"`
		ID      string     `dynamodbav:"id"`
		Author  string     `dynamodbav:"author"`
		Version int64      `dynamodbav:"version" entity:"version"`
		split.Root
	}
	sheetLine struct {
		_    entity.Key          `type:"line" pk:"SHEET#<id>" sk:"LINE#<n>"`
		ID   string              `dynamodbav:"id"`
		N    string              `dynamodbav:"n"`
		Text string              `dynamodbav:"text"`
		Body split.Large[string] `dynamodbav:"body"`
		split.Part
	}
)

// at returns the repository of sheets. Intents are old at once. With few actions, a save is applied
// by a log, in several transactions.
func at(table *entity.Table, actions int) *split.Repo[sheet] {
	return sheets.In(table, split.Config{WriteTime: time.Nanosecond, Concurrency: 1, MaxActions: actions})
}

const many = 100

var sheetKey = sheet{Head: sheetHead{ID: "s"}}

// written returns a sheet whose lines have the name of the author.
func (s sheet) written(author string, lines ...string) sheet {
	s.Head.ID, s.Head.Author, s.Lines = "s", author, nil
	for _, n := range lines {
		s.Lines = append(s.Lines, sheetLine{N: n, Text: author})
	}
	return s
}

// whole checks that all lines of a sheet are of its author.
func (s sheet) whole() error {
	for _, l := range s.Lines {
		if l.Text != s.Head.Author || l.Body.Value != "" && l.Body.Value != s.Head.Author {
			return fmt.Errorf("a line is of %s, and the sheet of %s", l.Text, s.Head.Author)
		}
	}
	return nil
}

// readable is an invariant: a reader sees the sheet of one author, or none. No line is without a
// head.
func readable(r *protocolRun) {
	r.w.Always(func(db *ddbtest.DB) error {
		s, err := at(open(r.w, db.Client(), "check"), many).Read(context.Background(), sheetKey, split.Strong())
		if errors.Is(err, trestle.ErrNotFound) {
			return headless(db)
		}
		return errors.Join(err, s.whole())
	})
}

// headless checks that there are no lines without a head.
func headless(db *ddbtest.DB) error {
	for _, item := range db.Dump(tableName) {
		if typeName(item) == "sheet" {
			return nil
		}
	}
	list, err := items(db, lines)
	if err == nil && len(list) > 0 {
		err = fmt.Errorf("%d lines have no head", len(list))
	}
	return err
}

// lastAuthor checks that the sheet is of a call that was applied, and that each call was applied as
// often as its outcome says.
func lastAuthor(r *protocolRun) {
	r.w.Finally(func(db *ddbtest.DB) error {
		table := open(r.w, db.Client(), "check")
		if err := at(table, many).Clean(context.Background(), sheetKey); err != nil {
			return err
		}
		s, err := at(table, many).Read(context.Background(), sheetKey, split.Strong())
		if err != nil {
			return err
		}
		for _, c := range r.ledger.calls {
			if c.outcome == trestle.NotApplied && s.Head.Author == c.name {
				return fmt.Errorf("the sheet is of %s, which was not applied", c.name)
			}
		}
		return errors.Join(s.whole(), r.ledger.checkCount(s.Head.Version-1))
	})
}

func oneSheet(ctx context.Context, table *entity.Table) error {
	s := sheet{}.written("setup", "1", "2")
	return at(table, many).Save(ctx, &s)
}

// rewrite reads the sheet and saves other lines.
func rewrite(ctx context.Context, table *entity.Table, actions int, c *call, lines ...string) error {
	s, err := at(table, actions).Read(ctx, sheetKey, split.Strong())
	if err != nil {
		return err
	}
	s = s.written(c.name, lines...)
	return at(table, actions).Save(ctx, &s)
}

// documentSave: a sheet is rewritten in one transaction.
var documentSave = protocol{
	name: "document: save", weight: medium, fill: oneSheet,
	clients: func(r *protocolRun) {
		r.each(1, func(ctx context.Context, table *entity.Table, c *call) error {
			return rewrite(ctx, table, many, c, "2", "3")
		})
		readable(r)
		lastAuthor(r)
	},
}

// documentLog: a sheet is rewritten by logs.
var documentLog = protocol{
	name: "document: save by a log", weight: heavy, fill: oneSheet,
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			c := r.ledger.open("alice")
			c.end(rewrite(ctx, table, 3, c, "1", "2"))
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			c := r.ledger.open("bob")
			c.end(rewrite(ctx, table, 3, c, "1", "2"))
		})
		readable(r)
		lastAuthor(r)
	},
}

// documentRead: a sheet is read while it is rewritten by a log.
var documentRead = protocol{
	name: "document: read, save by a log", weight: heavy, fill: oneSheet,
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			c := r.ledger.open("alice")
			c.end(rewrite(ctx, table, 3, c, "2", "3"))
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			s, err := at(table, many).Read(ctx, sheetKey)
			if errors.Is(err, split.ErrIncomplete) {
				r.w.Errorf("a reader sees a part of a sheet")
			}
			if err := s.whole(); err != nil {
				r.w.Errorf("a reader sees a mixture: %v", err)
			}
		})
		readable(r)
		lastAuthor(r)
	},
}

// documentClean: a large value is replaced while another program cleans up.
var documentClean = protocol{
	name: "document: save of a large value, clean", weight: medium, fill: oneSheet,
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			c := r.ledger.open("alice")
			s, err := at(table, many).Read(ctx, sheetKey, split.Strong())
			if err == nil {
				s = s.written(c.name, "1")
				s.Lines[0].Body.Value = c.name
				err = at(table, many).Save(ctx, &s)
			}
			c.end(err)
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_ = at(table, many).Clean(ctx, sheetKey)
		})
		readable(r)
		lastAuthor(r)
	},
}

// documentChunks: two programs replace a large value. Their chunks are in the same partition.
var documentChunks = protocol{
	name: "document: saves of a large value", weight: heavy,
	fill: func(ctx context.Context, table *entity.Table) error {
		s := sheet{}.written("setup", "1")
		s.Lines[0].Body.Value = "setup"
		return at(table, many).Save(ctx, &s)
	},
	clients: func(r *protocolRun) {
		r.each(1, func(ctx context.Context, table *entity.Table, c *call) error {
			s, err := at(table, many).Read(ctx, sheetKey, split.Strong())
			if err == nil {
				s = s.written(c.name, "1")
				s.Lines[0].Body.Value = c.name
				err = at(table, many).Save(ctx, &s)
			}
			return err
		})
		readable(r)
		lastAuthor(r)
	},
}

// documentDelete: two programs delete a sheet, and one creates it again.
var documentDelete = protocol{
	name: "document: delete, create", weight: heavy, fill: oneSheet,
	clients: func(r *protocolRun) {
		r.client("alice", func(ctx context.Context, table *entity.Table) {
			_ = at(table, many).Delete(ctx, sheetKey)
			s := sheet{}.written("alice", "1", "2")
			_ = at(table, many).Save(ctx, &s)
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			_ = at(table, many).Delete(ctx, sheetKey)
		})
		readable(r)
	},
}

// documentRepair: two programs repair a sheet of which another program has deleted a line. One
// saves it as it is, and the other one rewrites it by a log.
var documentRepair = protocol{
	name: "document: repair", weight: heavy,
	fill: func(ctx context.Context, table *entity.Table) error {
		return errors.Join(oneSheet(ctx, table), lines.In(table).Delete(ctx, sheetLine{ID: "s", N: "1"}))
	},
	clients: func(r *protocolRun) {
		repair := func(ctx context.Context, table *entity.Table, actions int, change func(s *sheet)) error {
			s, err := at(table, actions).Read(ctx, sheetKey, split.Unverified())
			if err != nil {
				return err
			}
			change(&s)
			return at(table, actions).Save(ctx, &s)
		}
		r.client("alice", func(ctx context.Context, table *entity.Table) { // after bob, she changes nothing
			_ = repair(ctx, table, many, func(*sheet) {})
		})
		r.client("bob", func(ctx context.Context, table *entity.Table) {
			c := r.ledger.open("bob")
			c.end(repair(ctx, table, 3, func(s *sheet) { *s = s.written("bob", "2", "3") }))
		})
		r.w.Always(func(db *ddbtest.DB) error {
			sheets := at(open(r.w, db.Client(), "check"), many)
			s, err := sheets.Read(context.Background(), sheetKey, split.Strong())
			if !errors.Is(err, split.ErrIncomplete) {
				return errors.Join(err, s.whole())
			}
			if s, err = sheets.Read(context.Background(), sheetKey, split.Unverified()); err == nil && s.Head.Version > 1 {
				err = errors.New("a sheet that was saved is incomplete")
			}
			return err
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			sheets := at(open(r.w, db.Client(), "check"), many)
			if err := sheets.Clean(context.Background(), sheetKey); err != nil {
				return err
			}
			s, err := sheets.Read(context.Background(), sheetKey, split.Unverified())
			least, most := r.ledger.bounds()
			if of := s.Head.Author == "bob"; least > 0 && !of || most == 0 && of {
				err = errors.New("the sheet is not of the save that was applied")
			}
			return errors.Join(err, s.whole())
		})
	},
}
