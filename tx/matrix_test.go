package tx_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
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

// matrixVerb is a write of the matrix, on a task and on a link. It makes its operation anew for
// each call. The entities are those that it stamps, or nil.
type matrixVerb struct {
	name   string
	exists bool // the item exists before
	gone   bool // the item does not exist afterwards
	moves  bool
	task   func(b *board) (entity.Operation, *task)
	link   func(b *board) (entity.Operation, *link)
}

func matrixVerbs() []matrixVerb {
	newTask := func() *task { return &task{List: "l", ID: "a", Title: "New", State: "done"} }
	oldTask := func() *task {
		return &task{List: "l", ID: "a", Title: "New", State: "done", Version: 1, Created: firstWrite}
	}
	newLink := func() *link { return &link{ID: "a", State: "done", Expires: expiry} }
	oldLink := func() *link { return &link{ID: "a", State: "done", Expires: expiry, Created: firstWrite} }
	key, linkKey := task{List: "l", ID: "a"}, link{ID: "a"}
	changes := []attr.Change[task]{taskState.Set("done")}
	return []matrixVerb{
		{name: "create", task: func(b *board) (entity.Operation, *task) { e := newTask(); return b.tasks.Op().Create(e), e },
			link: func(b *board) (entity.Operation, *link) { e := newLink(); return b.links.Op().Create(e), e }},
		{name: "put new", task: func(b *board) (entity.Operation, *task) { e := newTask(); return b.tasks.Op().Put(e), e },
			link: func(b *board) (entity.Operation, *link) { e := newLink(); return b.links.Op().Put(e), e }},
		{name: "put", exists: true, task: func(b *board) (entity.Operation, *task) { e := oldTask(); return b.tasks.Op().Put(e), e },
			link: func(b *board) (entity.Operation, *link) { e := oldLink(); return b.links.Op().Put(e), e }},
		{name: "overwrite", exists: true, task: func(b *board) (entity.Operation, *task) { e := oldTask(); return b.tasks.Op().Overwrite(e), e },
			link: func(b *board) (entity.Operation, *link) { e := oldLink(); return b.links.Op().Overwrite(e), e }},
		{name: "update", exists: true, task: func(b *board) (entity.Operation, *task) {
			return b.tasks.Op().Update(key, taskTitle.Set("New"), changes...), nil
		},
			link: func(b *board) (entity.Operation, *link) {
				return b.links.Op().Update(linkKey, linkState.Set("done")), nil
			}},
		{name: "update, versioned", exists: true, task: func(b *board) (entity.Operation, *task) {
			return b.tasks.Op().Update(task{List: "l", ID: "a", Version: 1, Title: "Old", State: "open", Created: firstWrite, Updated: firstWrite}, taskTitle.Set("New"), changes...), nil
		}, link: func(b *board) (entity.Operation, *link) {
			return b.links.Op().Update(linkKey, linkState.Set("done"), attr.If(linkState.Eq("open"))), nil
		}},
		{name: "upsert new", task: func(b *board) (entity.Operation, *task) {
			return b.tasks.Op().Upsert(key, taskTitle.Set("New"), changes...), nil
		},
			link: func(b *board) (entity.Operation, *link) {
				return b.links.Op().Upsert(linkKey, linkState.Set("done"), linkExpires.Set(expiry)), nil
			}},
		{name: "upsert", exists: true, task: func(b *board) (entity.Operation, *task) {
			return b.tasks.Op().Upsert(key, taskTitle.Set("New"), changes...), nil
		},
			link: func(b *board) (entity.Operation, *link) {
				return b.links.Op().Upsert(linkKey, linkState.Set("done")), nil
			}},
		{name: "delete", exists: true, gone: true, task: func(b *board) (entity.Operation, *task) { return b.tasks.Op().Delete(key), nil },
			link: func(b *board) (entity.Operation, *link) { return b.links.Op().Delete(linkKey), nil }},
		{name: "delete, versioned", exists: true, gone: true, task: func(b *board) (entity.Operation, *task) {
			return b.tasks.Op().Delete(task{List: "l", ID: "a", Version: 1}), nil
		},
			link: func(b *board) (entity.Operation, *link) {
				return b.links.Op().Delete(linkKey, linkState.Eq("open")), nil
			}},
		{name: "move", exists: true, moves: true, task: func(b *board) (entity.Operation, *task) {
			to := &task{List: "l", ID: "b", Title: "New", State: "done", Created: firstWrite}
			return tx.Move(b.tasks, task{List: "l", ID: "a", Version: 1}, to), to
		}, link: func(b *board) (entity.Operation, *link) {
			to := &link{ID: "b", State: "done", Expires: expiry, Created: firstWrite}
			return tx.Move(b.links, linkKey, to), to
		}},
	}
}

// vehicle is how an operation is sent.
type vehicle struct {
	name  string
	token bool
	send  func(ctx context.Context, o entity.Operation) error
}

func vehicles() []vehicle {
	token := 0
	next := func() string { token++; return fmt.Sprint("token ", token) }
	return []vehicle{
		{"alone", false, func(ctx context.Context, o entity.Operation) error { return doAlone(ctx, o, "") }},
		{"with a token", true, func(ctx context.Context, o entity.Operation) error { return doAlone(ctx, o, next()) }},
		{"transaction", false, func(ctx context.Context, o entity.Operation) error { return tx.Write(ctx, o) }},
		{"transaction with a token", true, func(ctx context.Context, o entity.Operation) error { return tx.WriteOnce(ctx, next(), o) }},
		{"batch", false, func(ctx context.Context, o entity.Operation) error {
			return entity.WriteMany(ctx, slices.Values([]entity.Operation{o}))
		}},
	}
}

func doAlone(ctx context.Context, o entity.Operation, token string) (err error) {
	switch o := o.(type) {
	case *entity.Op[task]:
		if token != "" {
			o = o.Once(token)
		}
		_, err = o.Do(ctx)
	case *entity.Op[link]:
		if token != "" {
			o = o.Once(token)
		}
		_, err = o.Do(ctx)
	}
	return err
}

// matrix is the result of a test with two dimensions. Every cell must be filled.
type matrix struct {
	columns []string
	rows    []string
	cells   map[[2]string]string
}

func newMatrix(columns ...string) *matrix {
	return &matrix{columns: columns, cells: map[[2]string]string{}}
}

func (m *matrix) set(row, column, cell string) {
	if !slices.Contains(m.rows, row) {
		m.rows = append(m.rows, row)
	}
	m.cells[[2]string{row, column}] = cell
}

func (m *matrix) check(t *testing.T) {
	t.Helper()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "path\t"+strings.Join(m.columns, "\t"))
	for _, row := range m.rows {
		fmt.Fprint(w, row)
		for _, column := range m.columns {
			cell := m.cells[[2]string{row, column}]
			require.NotEmpty(t, cell, "%s, %s", row, column)
			fmt.Fprint(w, "\t"+cell)
		}
		fmt.Fprintln(w)
	}
	require.NoError(t, w.Flush())
	t.Log("\n" + b.String())
}

// Every path sets every feature: the type, the version, the timestamps, the time to live, the index
// key, the guard and the count. It stamps the entity of the caller.
func TestEveryPathSetsEveryFeature(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		b := newBoard(t, e.Client(t))
		m := newMatrix("type", "version", "created", "updated", "ttl", "index", "guard", "count", "stamped")
		sent := vehicles()
		for _, v := range matrixVerbs() {
			for _, by := range sent {
				b.reset(t, v.exists)
				o, stamped := v.task(b)
				require.NoError(t, by.send(t.Context(), o), "task: %s, %s", v.name, by.name)
				b.checkTask(t, m, v, "task: "+v.name+", "+by.name, stamped)

				b.reset(t, v.exists)
				l, stampedLink := v.link(b)
				require.NoError(t, by.send(t.Context(), l), "link: %s, %s", v.name, by.name)
				b.checkLink(t, m, v, "link: "+v.name+", "+by.name, stampedLink)
			}
		}
		b.checkMany(t, m)
		m.check(t)
	})
}

const (
	yes  = "yes"
	none = "–"
)

func (b *board) checkTask(t *testing.T, m *matrix, v matrixVerb, row string, stamped *task) {
	t.Helper()
	id, version, created := "a", "1", secondWrite
	if v.exists {
		version, created = "2", firstWrite
	}
	if v.moves {
		id = "b"
		require.Nil(t, b.stored(t, "LIST#l", "TASK#a"), row)
	}
	item := b.stored(t, "LIST#l", "TASK#"+id)
	counted := text(b.stored(t, "LIST#l", "LIST")["tasks"])
	for _, column := range m.columns {
		m.set(row, column, yes)
	}
	m.set(row, "ttl", none)
	if v.gone {
		require.Nil(t, item, row)
		require.Empty(t, b.guards(t), row)
		require.Equal(t, "0", counted, row)
		for _, column := range []string{"type", "version", "created", "updated", "index", "stamped"} {
			m.set(row, column, none)
		}
		return
	}
	require.Equal(t, "task", text(item["_type"]), row)
	require.Equal(t, version, text(item["version"]), row)
	require.Equal(t, created.Format(time.RFC3339Nano), text(item["created"]), row)
	require.Equal(t, secondWrite.Format(time.RFC3339Nano), text(item["updated"]), row)
	require.Equal(t, "STATE#done", text(item["GSI1PK"]), row)
	require.Equal(t, "l#"+id, text(item["GSI1SK"]), row)
	require.Equal(t, map[string]string{"new": "TASK#" + id}, b.guards(t), row)
	require.Equal(t, "1", counted, row)
	if stamped == nil {
		m.set(row, "stamped", none)
		return
	}
	require.Equal(t, version, fmt.Sprint(stamped.Version), row)
	require.Equal(t, created, stamped.Created, row)
	require.Equal(t, secondWrite, stamped.Updated, row)
}

func (b *board) checkLink(t *testing.T, m *matrix, v matrixVerb, row string, stamped *link) {
	t.Helper()
	id, created := "a", secondWrite
	if v.exists {
		created = firstWrite
	}
	if v.moves {
		id = "b"
		require.Nil(t, b.stored(t, "LINK#a", "LINK"), row)
	}
	item := b.stored(t, "LINK#"+id, "LINK")
	for _, column := range m.columns {
		m.set(row, column, yes)
	}
	for _, column := range []string{"version", "guard", "count"} {
		m.set(row, column, none)
	}
	if v.gone {
		require.Nil(t, item, row)
		for _, column := range []string{"type", "created", "updated", "ttl", "index", "stamped"} {
			m.set(row, column, none)
		}
		return
	}
	require.Equal(t, "link", text(item["_type"]), row)
	require.Equal(t, created.Format(time.RFC3339Nano), text(item["created"]), row)
	require.Equal(t, secondWrite.Format(time.RFC3339Nano), text(item["updated"]), row)
	require.Equal(t, fmt.Sprint(expiry.Unix()), text(item["expires"]), row)
	require.Equal(t, "LINKS#done", text(item["GSI1PK"]), row)
	require.Equal(t, id, text(item["GSI1SK"]), row)
	if stamped == nil {
		m.set(row, "stamped", none)
		return
	}
	require.Equal(t, created, stamped.Created, row)
	require.Equal(t, secondWrite, stamped.Updated, row)
}

// checkMany checks the methods on many items.
func (b *board) checkMany(t *testing.T, m *matrix) {
	t.Helper()
	ctx := t.Context()
	verbs := matrixVerbs()
	at := func(name string) matrixVerb {
		return verbs[slices.IndexFunc(verbs, func(v matrixVerb) bool { return v.name == name })]
	}
	newTask, newLink := &task{List: "l", ID: "a", Title: "New", State: "done"}, &link{ID: "a", State: "done", Expires: expiry}
	b.reset(t, false)
	require.NoError(t, b.tasks.PutMany(ctx, slices.Values([]*task{newTask})))
	b.checkTask(t, m, at("put new"), "task: put many", newTask)
	b.reset(t, false)
	require.NoError(t, b.links.PutMany(ctx, slices.Values([]*link{newLink})))
	b.checkLink(t, m, at("put new"), "link: put many", newLink)
	b.reset(t, true)
	require.NoError(t, b.tasks.DeleteMany(ctx, slices.Values([]task{{List: "l", ID: "a"}})))
	b.checkTask(t, m, at("delete"), "task: delete many", nil)
	b.reset(t, true)
	require.NoError(t, b.links.DeleteMany(ctx, slices.Values([]link{{ID: "a"}})))
	b.checkLink(t, m, at("delete"), "link: delete many", nil)
	b.reset(t, true)
	_, err := query.Of(b.tasks, task{List: "l"}).Collection().Prefix("TASK#").Delete(ctx)
	require.NoError(t, err)
	require.Nil(t, b.stored(t, "LIST#l", "TASK#a"))
	require.Empty(t, b.guards(t))
	b.reset(t, true)
	_, err = query.Of(b.links, link{ID: "a"}).Collection().Delete(ctx)
	require.NoError(t, err)
	b.checkLink(t, m, at("delete"), "link: delete collection", nil)
}

// matrixFaults are the faults of one request.
func matrixFaults() map[string][]ddbtest.RuleOption {
	return map[string][]ddbtest.RuleOption{
		"reset before":   {ddbtest.Reset},
		"reset after":    {ddbtest.AfterCommit(ddbtest.Reset)},
		"500 before":     {ddbtest.InternalError},
		"500 after":      {ddbtest.AfterCommit(ddbtest.InternalError)},
		"503 after":      {ddbtest.AfterCommit(ddbtest.Unavailable)},
		"truncated":      {ddbtest.Truncate},
		"throttled":      {ddbtest.Throttle()},
		"conflict":       {ddbtest.Conflict},
		"late duplicate": {ddbtest.LateDuplicate},
		"refused":        {ddbtest.Refused},
	}
}

// Every path with every fault has an outcome that agrees with the table. It is applied at most
// once, and never in part.
func TestEveryPathWithEveryFault(t *testing.T) {
	t.Parallel()
	faults := matrixFaults()
	names := []string{"reset before", "reset after", "500 before", "500 after", "503 after", "truncated", "throttled", "conflict", "late duplicate", "refused"}
	require.Len(t, faults, len(names))
	m := newMatrix(names...)
	db := ddbtest.Start(t)
	b := newBoard(t, db.Client())
	b.db, b.states = db, map[bool]*ddbtest.Snapshot{}
	outcomes := map[trestle.Outcome]int{}
	sent := vehicles()
	for _, v := range matrixVerbs() {
		for _, by := range sent {
			for _, name := range names {
				for _, kind := range []string{"task", "link"} {
					row := kind + ": " + v.name + ", " + by.name
					b.reset(t, v.exists)
					o, _ := v.link(b)
					if kind == "task" {
						o, _ = v.task(b)
					}
					requests := []string{"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"}
					if name != "conflict" {
						requests = append(requests, "BatchWriteItem")
					}
					rule := db.Fail(append(faults[name], ddbtest.First(1), ddbtest.Op(requests...))...)
					err := by.send(t.Context(), o)
					db.DeliverLate()
					db.ClearFaults()
					if name == "conflict" && rule.Hits() == 0 {
						require.Equal(t, "batch", by.name)
						m.set(row, name, none) // a BatchWriteItem request has no conflicts
						continue
					}
					require.Equal(t, 1, rule.Hits(), "%s, %s", row, name)
					outcome := trestle.OutcomeOf(err)
					applied := b.applied(t, v, kind)
					switch outcome {
					case trestle.Applied:
						require.NoError(t, err)
						require.True(t, applied, "%s, %s", row, name)
					case trestle.NotApplied:
						require.False(t, applied, "%s, %s: %v", row, name, err)
					default:
						require.ErrorIs(t, err, trestle.ErrUnknown)
					}
					outcomes[outcome]++
					m.set(row, name, outcome.String())
				}
			}
		}
	}
	m.check(t)
	t.Log(outcomes)
	require.Greater(t, outcomes[trestle.Applied], 600)
	require.Greater(t, outcomes[trestle.Unknown], 20)

	// The control: the SDK alone applies an update twice.
	b.reset(t, true)
	db.Fail(ddbtest.AfterCommit(ddbtest.Reset), ddbtest.First(1), ddbtest.Op("UpdateItem"))
	_, err := b.client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName:                aws.String("board"),
		Key:                      map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: "LIST#l"}, "SK": &types.AttributeValueMemberS{Value: "TASK#a"}},
		UpdateExpression:         aws.String("ADD #v :one"),
		ExpressionAttributeNames: map[string]string{"#v": "version"}, ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
	})
	require.NoError(t, err)
	require.Equal(t, "3", text(b.stored(t, "LIST#l", "TASK#a")["version"]))
}

// applied reports whether a write is applied. It requires that the table is consistent, and that
// the write is not applied twice.
func (b *board) applied(t *testing.T, v matrixVerb, kind string) bool {
	t.Helper()
	id := "a"
	if v.moves {
		id = "b"
	}
	if kind == "link" {
		item := b.stored(t, "LINK#"+id, "LINK")
		if v.gone {
			return item == nil
		}
		if v.moves && item != nil {
			require.Nil(t, b.stored(t, "LINK#a", "LINK"))
		}
		if item != nil {
			require.Equal(t, "LINKS#"+text(item["state"]), text(item["GSI1PK"]))
		}
		return text(item["state"]) == "done"
	}
	item, other := b.stored(t, "LIST#l", "TASK#a"), b.stored(t, "LIST#l", "TASK#b")
	require.False(t, item != nil && other != nil, "both keys of a move")
	if other != nil {
		item = other
	}
	counted, guards := text(b.stored(t, "LIST#l", "LIST")["tasks"]), b.guards(t)
	if item == nil {
		require.Equal(t, "0", counted)
		require.Empty(t, guards)
		return v.gone
	}
	require.Equal(t, "1", counted)
	require.Equal(t, map[string]string{strings.ToLower(text(item["title"])): text(item["SK"])}, guards)
	require.Equal(t, "STATE#"+text(item["state"]), text(item["GSI1PK"]))
	changed := text(item["state"]) == "done"
	version := "1"
	if changed && v.exists {
		version = "2"
	}
	require.Equal(t, version, text(item["version"]), "applied more than once")
	return changed && !v.gone
}
