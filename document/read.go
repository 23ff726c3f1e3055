package document

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
)

// found is an item that was read.
type found struct {
	part   *part
	entity reflect.Value // a pointer
}

// maxReads limits how often a read is repeated while the document is saved.
const maxReads = 8

// maxSame is the number of strongly consistent reads after which a document that nobody saved
// meanwhile is incomplete. While a transaction is applied, a query may read some of its items only.
const maxSame = 3

func (s *store) read(ctx context.Context, example, into any, options []ReadOption) error {
	own, err := s.ofTenant(example)
	var doc reflect.Value
	if err == nil {
		doc, _, err = own.example(example)
	}
	if err == nil {
		o := optionsOf(options)
		var result reflect.Value
		if result, err = own.readDocument(ctx, doc, o); err == nil {
			reflect.ValueOf(into).Elem().Set(result)
		}
	}
	return s.failed(opRead, trestle.NoWrite, err)
}

// readDocument reads a document, again if it was saved meanwhile.
func (s *store) readDocument(ctx context.Context, example reflect.Value, o readOptions) (doc reflect.Value, err error) {
	wanted, err := s.wanted(o)
	if err != nil {
		return doc, err
	}
	a, same := attempt{strong: o.strong}, 0
	for range maxReads {
		var root *Root
		doc, root, err = s.readOnce(ctx, example, wanted, a)
		if !errors.Is(err, errMoved) && (!o.unverified || !isLost(err)) {
			return doc, err
		}
		if same++; !a.strong || a.last != root.Revision {
			same = 1
		}
		if same == maxSame {
			return doc, errIncomplete
		}
		a = attempt{strong: true, last: root.Revision, asIs: o.unverified && same == maxSame-1}
	}
	return doc, err
}

// attempt is how a document is read once.
type attempt struct {
	strong bool
	last   string // the revision in the attempt before
	asIs   bool   // accept the items as they are, if the document was not saved since
}

// readOnce reads a document. The error is errMoved if its items are not those of one save.
func (s *store) readOnce(ctx context.Context, example reflect.Value, wanted []*part, a attempt) (doc reflect.Value, root *Root, err error) {
	items, err := s.heads(ctx, example, wanted, a.strong)
	if err != nil {
		return doc, nil, err
	}
	_, rootKey, err := s.example(example.Addr().Interface())
	if err != nil {
		return doc, nil, err
	}
	now := s.now()
	head, ok := items[s.sortKey(rootKey)]
	if !ok || s.root.rootOf(head.entity).Deleting != "" || now.Contains(s.root.expires(head.entity)) {
		return doc, nil, errs.NotFound
	}
	root = s.root.rootOf(head.entity)
	a.asIs = a.asIs && a.last == root.Revision
	var lost *Reference
	if root.Log != nil {
		err := s.overlay(ctx, root.Log, wanted, items, a.strong)
		switch {
		case a.asIs && isLost(err):
			lost = root.Log
		case err != nil:
			return doc, root, err
		}
	}
	root.dropOthers(items, now)
	harm := s.verify(head, wanted, items)
	if harm != nil && !a.asIs {
		return doc, root, harm
	}
	if err := s.loadLarge(ctx, items, a.strong, a.asIs); err != nil {
		return doc, root, err
	}
	if s.now().Contains(s.root.expires(head.entity)) { // it expired before its last chunk arrived
		return doc, nil, errs.NotFound
	}
	doc, err = s.assemble(wanted, items, lost, harm != nil)
	return doc, root, err
}

// assemble makes a document of its items. A lost log, or other harm, is repaired by a save.
func (s *store) assemble(read []*part, items map[string]found, lost *Reference, harm bool) (reflect.Value, error) {
	doc := reflect.New(s.typ).Elem()
	for _, sort := range slices.Sorted(maps.Keys(items)) {
		items[sort].part.add(doc, items[sort].entity)
	}
	at, err := s.snapshot(doc, read)
	if err == nil {
		at.lost, at.damaged = lost, harm || lost != nil
		s.setSnapshot(doc, at)
	}
	return doc, err
}

// heads reads the items of parts, without the chunks of large values.
func (s *store) heads(ctx context.Context, example reflect.Value, wanted []*part, strong bool) (map[string]found, error) {
	sink := &sink{store: s, wanted: wanted, items: map[string]found{}}
	partition, err := s.partition(example)
	if err != nil {
		return nil, err
	}
	for _, subset := range s.ranges(wanted) {
		q := read.Query{
			Schema: s.schema, Plan: s.root.plan, Strong: strong, Collection: true, Subset: &subset,
			Example: codec.PtrOf(partition.Elem()),
		}
		p := new(read.Plan)
		if err := q.Compile(p); err != nil {
			return nil, err
		}
		p.Name = opRead
		run := fetch.New(s.config, p, sink, fetch.Bounds{}, fetch.InTurn, nil)
		if err := readAll(ctx, run); err != nil {
			return nil, err
		}
	}
	return sink.items, nil
}

func readAll(ctx context.Context, run *fetch.Run) error {
	ctx = run.Start(ctx)
	defer run.Close(ctx)
	for run.Next(ctx) {
	}
	run.Close(ctx)
	return run.Err()
}

// partition returns a root with the fields of the partition key of the root of an example.
func (s *store) partition(example reflect.Value) (reflect.Value, error) {
	own := reflect.New(s.root.plan.Type)
	return own, s.place(s.root, own, example.Field(s.root.index).Addr())
}

// sink receives the items of the wanted parts.
type sink struct {
	store  *store
	wanted []*part
	items  map[string]found
	entity reflect.Value // that is being decoded
}

// Target returns a new entity.
func (k *sink) Target(p *core.Plan) (codec.Ptr, bool) {
	if !slices.Contains(k.wanted, k.store.of[p]) {
		return codec.Ptr{}, false
	}
	k.entity = reflect.New(p.Type)
	return codec.PtrOf(k.entity.Elem()), true
}

// Commit keeps the entity.
func (k *sink) Commit(p *core.Plan) error {
	of := k.store.of[p]
	key, err := of.key(k.entity)
	if err == nil {
		k.items[k.store.sortKey(key)] = found{of, k.entity}
	}
	return err
}

// Unmatched drops items of other types.
func (k *sink) Unmatched(*core.Plan, core.Row) (bool, error) { return false, nil }
