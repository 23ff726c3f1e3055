package explored_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	"github.com/trestledb/trestle/internal/testsize"
)

// sheetTime is how long a save may take, for timely.
const sheetTime = time.Minute

// timely returns the repository of sheets whose saves are young while no time passes: Clean leaves
// them alone. For the repository at, they are old at once.
func timely(table *entity.Table, actions int) *split.Repo[sheet] {
	return sheets.In(table, split.Config{WriteTime: sheetTime, Concurrency: 1, MaxActions: actions})
}

// program opens a repository of sheets.
type program func(table *entity.Table, actions int) *split.Repo[sheet]

// emptySheet is a sheet without lines.
func emptySheet(ctx context.Context, table *entity.Table) error {
	s := sheet{}.written("setup")
	return timely(table, many).Save(ctx, &s)
}

// large returns a sheet of lines of an author, the first with a large value.
func (s sheet) large(author string, lines ...string) sheet {
	s = s.written(author, lines...)
	s.Lines[0].Body.Value = author
	return s
}

const chunkIsLeft = "a chunk is left"

// left returns an error if there are items that no sheet needs: chunks that no item refers to,
// intents, lines without a head, and a head that is being deleted.
func left(db *ddbtest.DB) error {
	used, stored, wrong := map[string]bool{}, map[string]bool{}, []error{headless(db)}
	for _, item := range db.Dump(tableName) {
		switch typeName(item) {
		case "$U#chunk":
			stored[strings.Split(item["SK"].(*types.AttributeValueMemberS).Value, "#")[1]] = true
		case "$U#intent":
			wrong = append(wrong, errors.New("an intent is left"))
		case "sheet":
			if item["doc_deleting"] != nil {
				wrong = append(wrong, errors.New("a sheet is half deleted"))
			}
		}
		for _, name := range []string{"body", "doc_log"} {
			if m, ok := item[name].(*types.AttributeValueMemberM); ok && typeName(item) != "$U#intent" {
				used[m.Value["id"].(*types.AttributeValueMemberS).Value] = true
			}
		}
	}
	for id := range stored {
		if !used[id] {
			wrong = append(wrong, errors.New(chunkIsLeft))
		}
	}
	return errors.Join(wrong...)
}

// nothingOfSheet checks what the clients leave: nothing, if all have got a definite reply, and
// otherwise nothing that Clean does not delete after the time of a save.
func nothingOfSheet(r *protocolRun) {
	r.w.Finally(func(db *ddbtest.DB) error {
		known := true
		for _, c := range r.ledger.calls {
			known = known && c.outcome != trestle.Unknown
		}
		if err := left(db); known && err != nil {
			return fmt.Errorf("no client has crashed: %w", err)
		}
		time.Sleep(2 * sheetTime) //nolint:forbidigo // it is the time of a bubble
		if err := timely(open(r.w, db.Client(), "check"), many).Clean(context.Background(), sheetKey); err != nil {
			return err
		}
		return left(db)
	})
}

// saver is a client that changes a sheet, with its large value. The error of a save that is given
// up may be another one.
func (r *protocolRun) saver(name string, in program, actions int, givenUp error, options ...func(*dynamodb.Options)) {
	c := r.ledger.open(name)
	r.sheetClient(name, in, actions, func(ctx context.Context, sheets *split.Repo[sheet]) {
		s, err := sheets.Read(ctx, sheetKey, split.Strong())
		if errors.Is(err, trestle.ErrNotFound) {
			c.outcome = trestle.NotApplied
			return
		}
		if err == nil {
			s = s.large(name, "2", "3")
			err = sheets.Save(ctx, &s)
		}
		r.ends(c, err, trestle.ErrStale, givenUp)
	}, options...)
}

// creator is a client that stores a new sheet with a large value.
func (r *protocolRun) creator(name string, in program) {
	c := r.ledger.open(name)
	r.sheetClient(name, in, many, func(ctx context.Context, sheets *split.Repo[sheet]) {
		s := sheet{}.large(name, "2")
		r.ends(c, sheets.Save(ctx, &s), trestle.ErrExists)
	})
}

// deleter is a client that deletes a sheet, and then does something else.
func (r *protocolRun) deleter(name string, in program, then func(ctx context.Context, sheets *split.Repo[sheet])) {
	c := r.ledger.open(name)
	r.sheetClient(name, in, many, func(ctx context.Context, sheets *split.Repo[sheet]) {
		err := sheets.Delete(ctx, sheetKey)
		if then != nil {
			then(ctx, sheets)
		}
		r.ends(c, err, trestle.ErrStale, trestle.ErrNotFound)
	})
}

// cleaner is a client that cleans up.
func (r *protocolRun) cleaner(name string, in program) {
	c := r.ledger.open(name)
	r.sheetClient(name, in, many, func(ctx context.Context, sheets *split.Repo[sheet]) {
		if err := sheets.Clean(ctx, sheetKey); err == nil {
			c.outcome = trestle.Applied
		}
	})
}

func (r *protocolRun) sheetClient(
	name string, in program, actions int, f func(ctx context.Context, sheets *split.Repo[sheet]), options ...func(*dynamodb.Options),
) {
	client(r.w, name, slices.Concat(r.options, options), func(ctx context.Context, table *entity.Table) { f(ctx, in(table, actions)) })
}

// ends records the outcome of a call. Only some errors are expected. A call that was applied, and
// has failed later, has left something.
func (r *protocolRun) ends(c *call, err error, expected ...error) {
	if c.end(err); c.outcome == trestle.Applied && err != nil {
		c.outcome = trestle.Unknown
	}
	known := c.outcome != trestle.NotApplied
	for _, is := range expected {
		known = known || is != nil && errors.Is(err, is)
	}
	if !known && len(r.faults) == 0 {
		r.w.Errorf("%s: %v", c.name, err)
	}
}

// The protocols of what is left: a sheet is deleted while it is saved, while it is saved by a log,
// or while another one is created. The deletion is followed by a Clean.
var (
	leftBySave = protocol{
		name: "document: save, delete and clean", weight: huge, fill: emptySheet,
		clients: func(r *protocolRun) {
			r.saver("alice", timely, many, nil)
			r.deleter("bob", timely, clean)
			nothingOfSheet(r)
		},
	}
	leftByLog = protocol{
		name: "document: save by a log, delete and clean", weight: huge, fill: emptySheet,
		clients: func(r *protocolRun) {
			r.saver("alice", timely, 3, nil)
			r.deleter("bob", timely, clean)
			nothingOfSheet(r)
		},
	}
	leftByCreate = protocol{
		name: "document: create, delete", weight: huge, fill: emptySheet,
		clients: func(r *protocolRun) {
			r.creator("alice", timely)
			r.deleter("bob", timely, nil)
			nothingOfSheet(r)
		},
	}
)

func clean(ctx context.Context, sheets *split.Repo[sheet]) { _ = sheets.Clean(ctx, sheetKey) }

// TestDeleteSaveClean explores three programs: one saves a sheet, one deletes it, and one cleans
// up. The save is young, or old at once.
func TestDeleteSaveClean(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the search itself has no concurrency, and is slow under the race detector")
	}
	for name, c := range map[string]struct {
		in      program
		givenUp error
	}{"young": {timely, nil}, "old": {at, trestle.ErrCondition}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.givenUp != nil && testsize.Sequential(0, 0, 1, 1) == 0 {
				t.Skip("larger sizes have this search")
			}
			p := protocol{fill: emptySheet, clients: func(r *protocolRun) {
				r.saver("alice", c.in, many, c.givenUp)
				r.deleter("bob", c.in, nil)
				r.cleaner("carol", c.in)
				nothingOfSheet(r)
			}}
			r := p.search(t, explore.Options{Faults: explore.Faults{}})
			requireProof(t, r)
			t.Logf("%s, %.1f s", r, r.Elapsed.Seconds())
		})
	}
}

// TestLostReplyBesideADeletion explores a save beside a deletion in which any one reply is lost,
// also that to the put of the intent: if the outcomes are known, nothing is left.
func TestLostReplyBesideADeletion(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := leftBySave.search(t, explore.Options{Faults: explore.Faults{explore.LostReply: 1}})
	requireProof(t, r)
	t.Logf("%s, %.1f s", r, r.Elapsed.Seconds())
}

// The negative controls: the searches find a chunk that nobody deletes if a save whose intent is
// gone does not delete its chunks, or if the intent of a save that still runs is deleted.
func TestLeftoversControl(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the search itself has no concurrency, and is slow under the race detector")
	}
	for name, c := range map[string]struct {
		clients func(r *protocolRun)
		faults  explore.Faults
	}{
		"a save without its clean-up": {func(r *protocolRun) {
			r.saver("alice", at, many, trestle.ErrCondition, leavesChunks)
			r.deleter("bob", at, nil)
		}, explore.Faults{}},
		"a deletion of intents": {func(r *protocolRun) {
			r.saver("alice", timely, many, nil)
			r.deleter("bob", timely, nil)
			r.w.Client("carol", forgetsIntents)
		}, explore.Faults{explore.Crash: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := protocol{fill: emptySheet, clients: func(r *protocolRun) { c.clients(r); nothingOfSheet(r) }}
			r := p.search(t, explore.Options{Faults: c.faults, MaxShorten: 1})
			require.NotNil(t, r.Failure)
			what, _, _ := strings.Cut(r.Failure.What, "\n")
			require.Contains(t, what, chunkIsLeft)
			t.Log(what)
		})
	}
}

// leavesChunks makes a client delete nothing after it has found that its intent is gone.
func leavesChunks(o *dynamodb.Options) {
	gone := false
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("leaves", func(
			ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
		) (middleware.InitializeOutput, middleware.Metadata, error) {
			switch in.Parameters.(type) {
			case *dynamodb.BatchWriteItemInput:
				if gone {
					return middleware.InitializeOutput{Result: &dynamodb.BatchWriteItemOutput{}}, middleware.Metadata{}, nil
				}
			case *dynamodb.UpdateItemInput:
				out, meta, err := next.HandleInitialize(ctx, in)
				var failed *types.ConditionalCheckFailedException
				gone = gone || errors.As(err, &failed)
				return out, meta, err
			}
			return next.HandleInitialize(ctx, in)
		}), middleware.Before)
	})
}

// forgetsIntents deletes the intents of saves that were given up, which may still run.
func forgetsIntents(ctx context.Context, c *dynamodb.Client) {
	out, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String(tableName), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return
	}
	for _, item := range out.Items {
		if state, ok := item["doc_state"].(*types.AttributeValueMemberS); ok && state.Value == "dead" {
			key := map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
			_, _ = c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(tableName), Key: key})
		}
	}
}
