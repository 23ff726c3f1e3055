package tx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/tx"
)

// The kinds of the random test of transactions with expired items.
type (
	// room counts its guests. It expires, and has a version.
	room struct {
		_       entity.Key `type:"room" pk:"ROOM#<id>" sk:"ROOM"`
		ID      string     `dynamodbav:"id"`
		N       int        `dynamodbav:"n"`
		Guests  int        `dynamodbav:"guests"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Expires int64      `dynamodbav:"expires,omitempty" entity:"ttl"`
	}
	// hall is a room without a version.
	hall struct {
		_       entity.Key `type:"hall" pk:"HALL#<id>" sk:"HALL"`
		ID      string     `dynamodbav:"id"`
		N       int        `dynamodbav:"n"`
		Guests  int        `dynamodbav:"guests"`
		Expires int64      `dynamodbav:"expires,omitempty" entity:"ttl"`
	}
	// guest is counted in a room and in a hall. It has a version and a unique code.
	guest struct {
		_       entity.Key     `type:"guest" pk:"GUEST#<id>" sk:"GUEST"`
		_       entity.Counted `in:"room" as:"guests" pk:"ROOM#<room>" sk:"ROOM"`
		_       entity.Counted `in:"hall" as:"guests" pk:"HALL#<hall>" sk:"HALL"`
		ID      string         `dynamodbav:"id"`
		N       int            `dynamodbav:"n"`
		Code    string         `dynamodbav:"code" entity:"unique"`
		Room    string         `dynamodbav:"room"`
		Hall    string         `dynamodbav:"hall"`
		Version int64          `dynamodbav:"version" entity:"version"`
	}
	// pass expires. It has a unique code and is in an index.
	pass struct {
		_       entity.Key   `type:"pass" pk:"PASS#<id>" sk:"PASS"`
		_       entity.Index `name:"by-hall" on:"GSI1" pk:"PASSES#<hall>" sk:"<id>"`
		ID      string       `dynamodbav:"id"`
		N       int          `dynamodbav:"n"`
		Code    string       `dynamodbav:"code" entity:"unique"`
		Hall    string       `dynamodbav:"hall"`
		Expires int64        `dynamodbav:"expires,omitempty" entity:"ttl"`
	}
	// card is a pass with a version.
	card struct {
		_       entity.Key `type:"card" pk:"CARD#<id>" sk:"CARD"`
		ID      string     `dynamodbav:"id"`
		N       int        `dynamodbav:"n"`
		Code    string     `dynamodbav:"code" entity:"unique"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Expires int64      `dynamodbav:"expires,omitempty" entity:"ttl"`
	}
)

// expirableKinds are the kinds by name.
var expirableKinds = map[string]expirableKind{
	"room":  {name: "room", ttl: true, version: true, counts: true},
	"hall":  {name: "hall", ttl: true, counts: true},
	"guest": {name: "guest", version: true, unique: true, counted: true},
	"pass":  {name: "pass", ttl: true, unique: true},
	"card":  {name: "card", ttl: true, version: true, unique: true},
}

// expirableType makes the operations of a kind.
type expirableType interface {
	op(c *expirableCall) (o entity.Operation, alone func(context.Context) error)
	decode(item map[string]types.AttributeValue) (expirable, error)
}

// expirableOps makes the operations of a type.
type expirableOps[T any] struct {
	repo       *entity.Repo[T]
	of         func(expirable) T
	from       func(T) expirable
	n          *attr.Field[T, int]
	code       *attr.Field[T, string]
	room, hall *attr.Field[T, string]
	expires    *attr.Field[T, int64]
}

func (o *expirableOps[T]) decode(item map[string]types.AttributeValue) (expirable, error) {
	e, err := o.repo.Type().Decode(item)
	return o.from(e), err
}

// example returns an entity that identifies the item of a call.
func (o *expirableOps[T]) example(c *expirableCall) T {
	return o.of(expirable{ID: c.id, Version: c.e.Version})
}

// changes returns the changes of an update.
func (o *expirableOps[T]) changes(c *expirableCall) (list []attr.Change[T]) {
	if c.n != nil {
		list = append(list, o.n.Set(*c.n))
	}
	for _, s := range []struct {
		f *attr.Field[T, string]
		v *string
	}{{o.code, c.code}, {o.room, c.room}, {o.hall, c.hall}} {
		if s.f != nil && s.v != nil {
			list = append(list, s.f.Set(*s.v))
		}
	}
	if c.expires != nil {
		list = append(list, o.expires.Set(*c.expires))
	}
	if c.cond != nil {
		list = append(list, attr.If[T](o.n.Eq(*c.cond)))
	}
	return list
}

func (o *expirableOps[T]) op(c *expirableCall) (entity.Operation, func(context.Context) error) {
	e := c.e
	e.ID = c.id
	var conds []attr.Cond[T]
	if c.cond != nil {
		conds = append(conds, o.n.Eq(*c.cond))
	}
	put, ops := o.of(e), o.repo.Op()
	var p *entity.Op[T]
	switch c.verb {
	case "create":
		p = ops.Create(&put)
	case "put":
		p = ops.Put(&put, conds...)
	case "overwrite":
		p = ops.Overwrite(&put)
	case "update":
		list := o.changes(c)
		p = ops.Update(o.example(c), list[0], list[1:]...)
	case "upsert":
		list := o.changes(c)
		p = ops.Upsert(o.example(c), list[0], list[1:]...)
	case "delete":
		p = ops.Delete(o.example(c), conds...)
	case "move":
		e.ID, e.Version = c.to, 0
		to := o.of(e)
		p = tx.Move(o.repo, o.example(c), &to, conds...)
	default:
		p = ops.Check(o.example(c), conds...)
	}
	return p, func(ctx context.Context) error {
		_, err := p.Do(ctx)
		return err
	}
}

// expirableWorld is a table, and the state that it should have.
type expirableWorld struct {
	*expirableModel
	client    *dynamodb.Client
	table     *entity.Table
	types     map[string]expirableType
	tokens    int
	clean     bool // expired items are deleted at once
	time      time.Time
	transport interposer
}

// interposer is a transport of a client. It calls a function before a write, and changes the
// reasons of a canceled transaction.
type interposer struct {
	testfaults.Transport
	before  func()                   // nil: nothing is called
	reasons func(list []reason) bool // reports whether it changes them; nil: nothing is called
}

// reason is the reason why a transaction was canceled because of an action.
type reason map[string]json.RawMessage

func (i *interposer) install(o *dynamodb.Options) {
	i.Install(o)
	o.HTTPClient = i
}

// Do implements dynamodb.HTTPClient.
func (i *interposer) Do(r *http.Request) (*http.Response, error) {
	if before := i.before; before != nil && strings.HasSuffix(r.Header.Get("X-Amz-Target"), "TransactWriteItems") {
		i.before = nil
		before()
	}
	res, err := i.Transport.Do(r)
	if err == nil && i.reasons != nil && res.StatusCode == http.StatusBadRequest {
		err = i.changeReasons(res)
	}
	return res, err
}

func (i *interposer) changeReasons(res *http.Response) error {
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	out := map[string]json.RawMessage{}
	var list []reason
	if err = json.Unmarshal(body, &out); err == nil && out["CancellationReasons"] != nil {
		err = json.Unmarshal(out["CancellationReasons"], &list)
	}
	if err == nil && list != nil && i.reasons(list) {
		if out["CancellationReasons"], err = json.Marshal(list); err == nil {
			body, err = json.Marshal(out)
		}
		res.Header.Del("X-Amz-Crc32")
		res.ContentLength = int64(len(body))
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return err
}

func newExpirableWorld(t *testing.T, e engines.Engine, clean bool, options ...entity.CallOption) *expirableWorld {
	t.Helper()
	w := &expirableWorld{clean: clean, time: time.Now().Add(time.Hour).Truncate(time.Second)}
	w.expirableModel = &expirableModel{kinds: expirableKinds, items: map[string]expirable{}, now: w.time.Unix()}
	w.client = e.Client(t, w.transport.install)
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return w.time }})
	rooms, halls, guests := entity.Define[room](s), entity.Define[hall](s), entity.Define[guest](s)
	passes, cards := entity.Define[pass](s), entity.Define[card](s)
	table, err := s.Open(w.client, "hotel")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	w.table = table
	w.types = map[string]expirableType{
		"room": &expirableOps[room]{
			repo: rooms.In(table).With(options...),
			of: func(e expirable) room {
				return room{ID: e.ID, N: e.N, Guests: e.Guests, Version: e.Version, Expires: e.Expires}
			},
			from: func(r room) expirable {
				return expirable{ID: r.ID, N: r.N, Guests: r.Guests, Version: r.Version, Expires: r.Expires}
			},
			n:       attr.Must(func(r *room) *int { return &r.N }),
			expires: attr.Must(func(r *room) *int64 { return &r.Expires }),
		},
		"hall": &expirableOps[hall]{
			repo:    halls.In(table).With(options...),
			of:      func(e expirable) hall { return hall{ID: e.ID, N: e.N, Guests: e.Guests, Expires: e.Expires} },
			from:    func(h hall) expirable { return expirable{ID: h.ID, N: h.N, Guests: h.Guests, Expires: h.Expires} },
			n:       attr.Must(func(h *hall) *int { return &h.N }),
			expires: attr.Must(func(h *hall) *int64 { return &h.Expires }),
		},
		"guest": &expirableOps[guest]{
			repo: guests.In(table).With(options...),
			of: func(e expirable) guest {
				return guest{ID: e.ID, N: e.N, Code: e.Code, Room: e.Room, Hall: e.Hall, Version: e.Version}
			},
			from: func(g guest) expirable {
				return expirable{ID: g.ID, N: g.N, Code: g.Code, Room: g.Room, Hall: g.Hall, Version: g.Version}
			},
			n:    attr.Must(func(g *guest) *int { return &g.N }),
			code: attr.Must(func(g *guest) *string { return &g.Code }),
			room: attr.Must(func(g *guest) *string { return &g.Room }),
			hall: attr.Must(func(g *guest) *string { return &g.Hall }),
		},
		"pass": &expirableOps[pass]{
			repo: passes.In(table).With(options...),
			of:   func(e expirable) pass { return pass{ID: e.ID, N: e.N, Code: e.Code, Hall: e.Hall, Expires: e.Expires} },
			from: func(p pass) expirable {
				return expirable{ID: p.ID, N: p.N, Code: p.Code, Hall: p.Hall, Expires: p.Expires}
			},
			n:       attr.Must(func(p *pass) *int { return &p.N }),
			code:    attr.Must(func(p *pass) *string { return &p.Code }),
			hall:    attr.Must(func(p *pass) *string { return &p.Hall }),
			expires: attr.Must(func(p *pass) *int64 { return &p.Expires }),
		},
		"card": &expirableOps[card]{
			repo: cards.In(table).With(options...),
			of: func(e expirable) card {
				return card{ID: e.ID, N: e.N, Code: e.Code, Version: e.Version, Expires: e.Expires}
			},
			from: func(c card) expirable {
				return expirable{ID: c.ID, N: c.N, Code: c.Code, Version: c.Version, Expires: c.Expires}
			},
			n:       attr.Must(func(c *card) *int { return &c.N }),
			code:    attr.Must(func(c *card) *string { return &c.Code }),
			expires: attr.Must(func(c *card) *int64 { return &c.Expires }),
		},
	}
	return w
}

// stored returns all items of the table.
func (w *expirableWorld) stored(t *testing.T) (list []map[string]types.AttributeValue) {
	t.Helper()
	pages := dynamodb.NewScanPaginator(w.client, &dynamodb.ScanInput{TableName: aws.String("hotel"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		out, err := pages.NextPage(t.Context())
		require.NoError(t, err)
		list = append(list, out.Items...)
	}
	return list
}

// dead reports whether a stored item or guard has expired.
func (w *expirableWorld) dead(item map[string]types.AttributeValue) bool {
	var at int64
	_, _ = fmt.Sscan(text(item["expires"]), &at)
	return at != 0 && at <= w.now
}

// pass lets time pass. If the world is clean, the items that expire are deleted, as DynamoDB
// deletes them.
func (w *expirableWorld) pass(t *testing.T, d time.Duration) {
	t.Helper()
	w.time = w.time.Add(d)
	w.now = w.time.Unix()
	w.expire()
	w.sweep(t)
}

func (w *expirableWorld) sweep(t *testing.T) {
	t.Helper()
	if !w.clean {
		return
	}
	for _, item := range w.stored(t) {
		if w.dead(item) {
			key := map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
			_, err := w.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("hotel"), Key: key})
			require.NoError(t, err)
		}
	}
}

// nullify stores NULL for zeros of random items, as another program does. It changes nothing that a
// reader of the items gets.
func (w *expirableWorld) nullify(t *testing.T, r *rand.Rand) (changed bool) {
	t.Helper()
	for _, item := range w.stored(t) {
		if item["_owner"] != nil || !percent(r, 20) {
			continue
		}
		for _, name := range map[string][]string{
			"room": {"guests", "expires"}, "hall": {"guests", "expires"}, "guest": {"code", "room", "hall"},
			"pass": {"code", "hall", "expires"}, "card": {"code", "expires"},
		}[text(item["_type"])] {
			if at := text(item[name]); at == "" || at == "0" {
				item[name] = &types.AttributeValueMemberNULL{Value: true}
			}
		}
		_, err := w.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("hotel"), Item: item})
		require.NoError(t, err)
		changed = true
	}
	return changed
}

// state returns the items that have not expired, their guards, and the number of expired items.
func (w *expirableWorld) state(t *testing.T) (items map[string]expirable, guards map[string]string, expired int) {
	t.Helper()
	items, guards = map[string]expirable{}, map[string]string{}
	for _, item := range w.stored(t) {
		name, kind := text(item["PK"]), text(item["_type"])
		rest, guard := strings.CutPrefix(name, "$U#unique#")
		switch {
		case w.dead(item):
			expired++
		case guard:
			guards[rest] = text(item["_owner"].(*types.AttributeValueMemberM).Value["PK"])
		default:
			e, err := w.types[kind].decode(item)
			require.NoError(t, err)
			items[kind+e.ID] = e
			if kind == "pass" {
				require.Equal(t, e.Hall != "", item["GSI1PK"] != nil, name)
			}
			if e.Hall != "" && kind == "pass" {
				require.Equal(t, "PASSES#"+e.Hall, text(item["GSI1PK"]), name)
			}
		}
	}
	return items, guards, expired
}

// check compares the table with the model.
func (w *expirableWorld) check(t *testing.T) error {
	t.Helper()
	items, guards, _ := w.state(t)
	want := map[string]string{}
	for key, e := range w.items {
		if kind := key[:len(key)-1]; e.Code != "" && w.kinds[kind].unique {
			want[kind+"#code#"+e.Code] = strings.ToUpper(kind) + "#" + e.ID
		}
	}
	if !maps.Equal(w.items, items) || !maps.Equal(want, guards) {
		return fmt.Errorf("the table has %v and the guards %v, and not %v and %v", items, guards, w.items, want)
	}
	return nil
}

// sentinelOf returns the only sentinel error of an error, or nil.
func sentinelOf(t *testing.T, err error) (found error) {
	t.Helper()
	for _, s := range sentinels {
		if errors.Is(err, s) {
			require.NoError(t, found, "%v is two errors", err)
			found = s
		}
	}
	return found
}

var sentinels = []error{
	trestle.ErrNotFound, trestle.ErrExists, trestle.ErrStale, trestle.ErrTaken, trestle.ErrCondition, trestle.ErrUnknown, trestle.ErrLimit, trestle.ErrInvalid,
}

// failures returns the sentinel error of each operation that failed. sent is false if one of them
// failed before anything was sent.
func failuresOf(t *testing.T, err error) (failed map[int]error, sent bool) {
	t.Helper()
	failed, sent = map[int]error{}, true
	var canceled *tx.CanceledError
	if !errors.As(err, &canceled) {
		if err != nil {
			failed[0] = sentinelOf(t, err)
		}
		return failed, sent
	}
	for _, f := range canceled.Failures {
		failed[f.Operation] = sentinelOf(t, f.Err)
		sent = sent && f.Code != ""
	}
	for _, s := range sentinels {
		listed := slices.ContainsFunc(canceled.Failures, func(f tx.Failure) bool { return errors.Is(f.Err, s) })
		require.Equal(t, listed, errors.Is(err, s))
	}
	return failed, sent
}
