package write

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

// TestRequests plans the operations of the files below testdata. A file starts with a schema. Each
// other command is a verb with the name of a type. Its input is the entity or the example as a JSON
// object, then one change or condition on each line:
//
//	Set city "Bergen"
//	Remove lines[2].note
//	If city Ne "Oslo"
//	If city Exists
//
// With the argument id, a write may store a write ID.
//
// A move has a further line with the example of the old item:
//
//	From {"ID": "a"}
//
// The command stored follows an operation that reads first. Its input is the item that is read, or
// nothing. Then each line may have a slot: an item that a failed conditional check returned.
//
//	Slot 0 {"PK": "$U#unique#user#email#a"}
//
// The changes of counts are combined. An operation with the argument tx is an operation of a
// transaction, which the command commit combines and describes.
//
// LONG stands for a text of 2,048 letters.
func TestRequests(t *testing.T) {
	t.Parallel()
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		var f requestFile
		testdriven.Run(t, file, f.run)
	})
}

// requestFile is the state of a file: its schema and the last operation.
type requestFile struct {
	schema  *core.Schema
	last    op.Operation
	tx      bool        // the last operation is one of a transaction
	pending []op.Action // the actions of the transaction
}

func (f *requestFile) run(c *testdriven.Case) string {
	switch c.Command {
	case "schema":
		s, err := testschema.Source{}.Schema(c.Input)
		require.NoError(c.T, err, c.Pos)
		f.schema = s
		return ""
	case "stored":
		if f.last.PreRead == nil {
			return "nothing is read first"
		}
		actions, err := f.last.PreRead.Plan(parseStored(c, f.last.PreRead.Slots))
		return f.planned(actions, err, len(actions) > 1)
	case "commit":
		f.tx = false
		actions := f.pending
		f.pending = nil
		return f.planned(actions, nil, false)
	}
	p, err := testschema.Plan(f.schema, c.Words()[0])
	require.NoError(c.T, err, c.Pos)
	f.last, err = plan(c, p)
	again, _ := plan(c, p)
	require.Equal(c.T, withoutEntities(f.last.Actions), withoutEntities(again.Actions), "%s: planning is not deterministic", c.Pos)
	f.tx = c.Has("tx")
	var text string
	if f.last.PreRead != nil {
		text = f.text(f.last.PreRead.Reads, err, false)
	} else {
		text = f.planned(f.last.Actions, err, false)
	}
	return strings.ReplaceAll(text, p.Type.String(), p.Name)
}

// withoutEntities returns actions without the copies of the entities that they store, and with
// their expressions instead of their changes.
func withoutEntities(actions []op.Action) []op.Action {
	actions = slices.Clone(actions)
	for i := range actions {
		if actions[i].Verb != op.Get {
			actions[i].Expressions()
		}
		actions[i].Entity, actions[i].Changes, actions[i].Clauses = codec.Ptr{}, nil, nil
	}
	return actions
}

// planned describes the planned actions of an operation, or adds them to the transaction.
func (f *requestFile) planned(actions []op.Action, err error, transaction bool) string {
	if f.tx && err == nil {
		f.pending = append(f.pending, actions...)
		return ""
	}
	if counts := func(a op.Action) bool { return a.Count != nil }; err == nil && slices.ContainsFunc(actions, counts) {
		actions, err = Combine(actions, "")
	}
	return f.text(actions, err, transaction)
}

// text describes actions. A transaction may be followed by a read.
func (f *requestFile) text(actions []op.Action, err error, transaction bool) string {
	text := strings.ReplaceAll(describe(actions, err), longText, "LONG")
	if transaction && f.last.After != nil {
		text += "-- read the item\n"
	}
	return text
}

var longText = strings.Repeat("x", 2048)

// parseStored returns the item of a command, or nil, and its slots.
func parseStored(c *testdriven.Case, slots int) []op.Item {
	items := make([]op.Item, 1+slots)
	for line := range strings.SplitSeq(c.Input, "\n") {
		slot := 0
		if rest, found := strings.CutPrefix(line, "Slot "); found {
			number, object, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(number)
			require.NoError(c.T, err, c.Pos)
			slot, line = 1+n, object
		}
		if line == "" {
			continue
		}
		item, err := testschema.Item(withLongTexts(line))
		require.NoError(c.T, err, c.Pos)
		items[slot] = item
	}
	return items
}

// withLongTexts replaces LONG.
func withLongTexts(text string) string {
	return strings.ReplaceAll(text, "LONG", longText)
}

// idSource is the source of the same write ID for all writes.
type idSource struct{}

func (idSource) Read(b []byte) (int, error) { return copy(b, "idididididid"), nil }

// plan plans the operation of a command.
func plan(c *testdriven.Case, p *core.Plan) (op.Operation, error) {
	ret := map[string]op.Return{"": op.Nothing, "AllOld": trestle.AllOld, "AllNew": trestle.AllNew, "UpdatedOld": trestle.UpdatedOld, "UpdatedNew": trestle.UpdatedNew}[c.Value("return")]
	readFirst, asRead, strong := c.Has("readfirst"), c.Has("asread"), c.Has("strong")
	object, lines, _ := strings.Cut(withLongTexts(c.Input), "\n")
	entity := func(object string) codec.Ptr {
		v, err := testschema.New(p, object)
		require.NoError(c.T, err, c.Pos)
		return codec.PtrOf(reflect.ValueOf(v).Elem())
	}
	at := entity(object)
	var from string
	if rest, found := strings.CutPrefix(lines, "From "); found {
		from, lines, _ = strings.Cut(rest, "\n")
	}
	changes, conds := parseLines(c, p, lines)
	var random io.Reader
	if c.Has("id") {
		random = idSource{}
	}
	put := PutArgs{Plan: p, Entity: at, Conds: conds, Now: noon, Random: random, Return: ret}
	switch c.Command {
	case "create":
		return withoutStamps(Create(put))
	case "put":
		return withoutStamps(Put(put))
	case "overwrite":
		return withoutStamps(Overwrite(put))
	case "move":
		return withoutStamps(Move(put, entity(from)))
	case "delete":
		return Delete(p, at, conds, ret, core.Expiry{})
	case "check":
		return Check(p, at, conds, core.Expiry{})
	case "get":
		return Get(p, at, strong)
	case "update", "upsert":
		if len(conds) > 0 {
			changes = append(changes, expr.OnlyIf(conds))
		}
		return Update(UpdateArgs{
			Plan: p, Example: at, Changes: changes, Upsert: c.Command == "upsert", ReadFirst: readFirst, AsRead: asRead, Now: noon, Random: random, Return: ret,
		})
	}
	c.T.Fatalf("%s: unknown command %s", c.Pos, c.Command)
	return op.Operation{}, nil
}

func withoutStamps(o op.Operation, _ Stamps, err error) (op.Operation, error) { return o, err }

// parseLines returns the changes and conditions of a command.
func parseLines(c *testdriven.Case, p *core.Plan, lines string) (changes []*expr.Change, conds []*expr.Cond) {
	verbs, ops := map[string]expr.Verb{}, map[string]expr.Op{}
	for v := expr.Set; v <= expr.If; v++ {
		verbs[v.String()] = v
	}
	for o := expr.LastOp; o >= expr.Eq; o-- {
		ops[o.String()] = o
	}
	for line := range strings.SplitSeq(lines, "\n") {
		if line == "" {
			continue
		}
		verb, rest, _ := strings.Cut(line, " ")
		name, rest, _ := strings.Cut(rest, " ")
		path, err := testschema.Path(p, name)
		require.NoError(c.T, err, c.Pos)
		if verb == "If" {
			sign, operand, _ := strings.Cut(rest, " ")
			require.Contains(c.T, ops, sign, c.Pos)
			conds = append(conds, expr.NewCond(ops[sign], path, parseOperands(c, p, path, operand)...))
			continue
		}
		require.Contains(c.T, verbs, verb, c.Pos)
		changes = append(changes, expr.NewChange(verbs[verb], path, parseOperands(c, p, path, rest)...))
	}
	return changes, conds
}

// parseOperands returns a pointer to the operand that a JSON text gives, in the type of the path if
// it is known.
func parseOperands(c *testdriven.Case, p *core.Plan, path *core.Path, text string) []any {
	if text == "" {
		return nil
	}
	t := reflect.TypeFor[any]()
	if at, err := path.Bind(p); err == nil && at.Leaf.Node != nil {
		t = at.Leaf.Node.Type
	}
	v := reflect.New(t)
	require.NoError(c.T, json.Unmarshal([]byte(text), v.Interface()), c.Pos)
	return []any{v.Interface()}
}

// describe returns the actions, or the error, as text. Placeholders are replaced. Each action after
// the first one has a headline.
func describe(actions []op.Action, err error) string {
	var b strings.Builder
	if err != nil {
		var v *errs.ValidationError
		if !errors.As(err, &v) {
			return "error: " + err.Error()
		}
		fmt.Fprintln(&b, "error:", cmp.Or(v.Kind, errors.New("not of the caller")))
		for _, problem := range v.Problems {
			fmt.Fprintln(&b, problem)
		}
		return b.String()
	}
	for i, a := range actions {
		if i > 0 {
			fmt.Fprintln(&b, headline(a))
		}
		describeAction(&b, a)
	}
	return b.String()
}

// headline names an action that is not the first one of its operation.
func headline(a op.Action) string {
	verb := map[op.Verb]string{op.Put: "put", op.Update: "update", op.Delete: "delete", op.Check: "check"}[a.Verb]
	switch {
	case a.Guard != nil:
		return "-- " + verb + " the guard of " + a.Guard.Unique
	case a.Counts != "":
		return "-- count in " + a.Counts
	default:
		return "-- " + verb
	}
}

// describeAction writes one action.
func describeAction(b *strings.Builder, a op.Action) {
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintln(b, name, text)
		}
	}
	line("key", testschema.ItemText(a.Key))
	item := a.Item.Map()
	for _, name := range slices.Sorted(maps.Keys(item)) {
		line(name, "= "+testschema.ValueText(item[name]))
	}
	line("read", substituted(a, a.Projection))
	line("update", substituted(a, a.Expressions().Update))
	line("condition", substituted(a, a.Expressions().Condition))
	line("check", checkText(a))
	if a.Strong {
		fmt.Fprintln(b, "strongly consistent")
	}
	if a.Idempotent {
		fmt.Fprintln(b, "idempotent")
	}
	if a.Retryable() && !a.Idempotent {
		fmt.Fprintln(b, "recognized by its ID")
	}
}

// checkText returns the requirements of an action on the stored item.
func checkText(a op.Action) string {
	var words, list []string
	word := func(w string) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	add := func(text ...string) { list = append(list, strings.Join(text, "")) }
	for _, l := range a.Clauses {
		state, ok := l.Pred.(*clause.State)
		switch {
		case l.Rank == clause.Existence && l.Then == clause.Fail && errors.Is(l.Fails, errs.NotFound):
			word("item")
		case l.Rank == clause.Existence && errors.Is(l.Fails, errs.Exists):
			word("no item")
		case errors.Is(l.Fails, errs.Stale) && l.Rank != clause.Counts:
			word("not stale")
		}
		switch {
		case ok && errors.Is(l.Fails, errs.Stale) && l.Rank != clause.Counts:
			add(stateText(state))
		case ok && l.Rank == clause.OtherType:
			add(stateText(state), " (else ", l.Fails.Error(), ")")
		case errors.Is(l.Fails, errs.Taken):
			add("else taken")
		}
	}
	for _, l := range a.Clauses {
		if l.Then != clause.Replan {
			continue
		}
		from := "planned from "
		if l.Read > 0 {
			from = fmt.Sprintf("slot %d planned from ", l.Read-1)
		}
		add(from, predText(a, l.Pred))
	}
	for _, l := range a.Clauses {
		if kind, ok := l.Pred.(clause.Kind); ok {
			add("parent ", kind.At.String())
		}
	}
	for _, l := range a.Clauses {
		if state, ok := l.Pred.(*clause.State); ok && l.Rank == clause.Called && l.Cure != "" {
			add("example has ", state.Attribute)
		}
	}
	slices.Sort(words)
	return strings.Join(append(words, list...), ", ")
}

// stateText returns a state of an attribute.
func stateText(s *clause.State) string {
	values := []string{}
	for _, av := range s.Values {
		values = append(values, testschema.ValueText(av))
	}
	if s.Null { // of a version
		return s.Attribute + " = none, or " + strings.Join(values, ", or ")
	}
	return s.Attribute + " = " + cmp.Or(strings.Join(values, ", or "), "none")
}

// predText returns what an action was planned from.
func predText(a op.Action, p clause.Pred) string {
	switch p := p.(type) {
	case *clause.State:
		return stateText(p)
	case clause.AnItem:
		return p.Key.Name + " = " + testschema.ValueText(a.KeyRow().Attribute(p.Key.Name))
	case clause.NoItem:
		return p.Key.Name + " = none"
	case clause.And:
		return predText(a, p[0])
	case clause.Or:
		return predText(a, p[1])
	case clause.Test:
		return p.At.Attribute + " <> " + testschema.ValueText(p.Values[0])
	default:
		return fmt.Sprintf("%T", p)
	}
}
