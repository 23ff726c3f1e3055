package generations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/query"
)

// entities is the session of a call.
type entities[D, P any] struct {
	*Repo[D, P]
	example D                   // of the caller
	item    D                   // the pointer item as it was read or written last
	kept    D                   // the item that Replace returns
	changes []attr.Change[D]    // of the caller
	stored  iter.Seq2[P, error] // the parts to store
	found   []P                 // the parts that were read
	yield   func(P, error) bool // gets the parts of a stream
}

// open returns the session of a call. The Repo may be nil or zero.
func open[D, P any](r *Repo[D, P], example D) *entities[D, P] {
	if r == nil || r.pointer == nil {
		r = &Repo[D, P]{settings: settings{err: errNoRepo}}
	}
	e := &entities[D, P]{Repo: r, example: example}
	hooks.SetTenant(r.pointers, &e.example)
	return e
}

// wanted returns the generation of the caller's example.
//
//go:noinline
func (e *entities[D, P]) wanted() string {
	if e.settings.err != nil {
		return ""
	}
	return e.pointer(&e.example).Generation
}

func replaceParts[D, P any](ctx context.Context, r *Repo[D, P], w write, example D, parts iter.Seq2[P, error], changes []attr.Change[D]) (D, error) {
	e := open(r, example)
	e.stored, e.changes = parts, changes
	err := replace(ctx, e, w, e.wanted())
	return e.kept, err
}

func readParts[D, P any](ctx context.Context, r *Repo[D, P], strong bool, example D) (D, []P, error) {
	e := open(r, example)
	if err := readAll(ctx, e, strong); err != nil {
		var zero D
		return zero, nil, err
	}
	return e.item, e.found, nil
}

// allParts yields the parts of the current generation of a pointer item that was read.
func allParts[D, P any](ctx context.Context, r *Repo[D, P], strong bool, item D) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		e := open(r, item)
		e.item, e.yield = item, yield
		if err := streamAll(ctx, e, strong); err != nil {
			var zero P
			yield(zero, err)
		}
	}
}

func deleteParts[D, P any](ctx context.Context, r *Repo[D, P], example D) error {
	e := open(r, example)
	return deleteAll(ctx, e, e.wanted())
}

//go:noinline
func (e *entities[D, P]) config() *settings { return &e.settings }

//go:noinline
func (e *entities[D, P]) state() Pointer { return *e.pointer(&e.item) }

//go:noinline
func (e *entities[D, P]) keep() { e.kept = e.item }

//go:noinline
func (e *entities[D, P]) prepare(ctx context.Context, upsert bool) error {
	if e.stored == nil {
		return errNoParts
	}
	now := e.settings.now()
	id, err := e.settings.newID(now)
	if err != nil {
		return err
	}
	other, err := e.settings.newID(now)
	if err != nil {
		return err
	}
	if err := differ(e.collection(id), e.collection(other)); err != nil {
		return err
	}
	switch _, err := e.read(ctx, true); {
	case errors.Is(err, trestle.ErrNotFound) && upsert:
	case err != nil:
		return err
	default: // the stored item has all fields, the example perhaps only those of the key
		stored := query.Of(e.parts.Reader(), e.placed(e.item, id)).Collection()
		if err := differ(e.collection(id), stored); err == nil {
			return errFields
		}
	}
	// The update that makes the generation current is planned once before the parts are written.
	from := e.state().register(id, other)
	changes := append(e.changes[:len(e.changes):len(e.changes)], e.handles.changes(from, from.flip(id, 1))...)
	_, err = e.pointers.Op().Update(e.item, changes[0], changes[1:]...).Explain()
	return err
}

//go:noinline
func (e *entities[D, P]) read(ctx context.Context, strong bool) (changed bool, err error) {
	from := e.pointers.Reader()
	if strong {
		from = e.pointers.Strong()
	}
	before := e.item
	switch item, err := from.Get(ctx, e.example); {
	case errors.Is(err, trestle.ErrNotFound):
		e.item = e.example
		*e.pointer(&e.item) = Pointer{}
		return true, err
	case err != nil:
		return false, err
	default:
		e.item = item
		return !reflect.DeepEqual(before, item), nil
	}
}

//go:noinline
func (e *entities[D, P]) write(ctx context.Context, w write, to Pointer) error {
	send, example, changes := e.pointers.Update, e.item, e.handles.changes(e.state(), to)
	switch w {
	case deleteItem:
		return e.pointers.Delete(ctx, e.item, e.handles.areAll(to)...)
	case updateExample:
		example = e.example
	case upsertExample:
		send, example = e.pointers.Upsert, e.example
	case updateChanges:
		changes = append(changes, e.changes...)
	case update:
	}
	item, err := send(ctx, example, changes[0], changes[1:]...)
	if err == nil {
		e.item = item
	}
	return err
}

// collection returns the item collection of a generation.
//
//go:noinline
func (e *entities[D, P]) collection(id string) query.Collection {
	return e.query(id, false).Collection()
}

// query returns the query of the parts of a generation.
//
//go:noinline
func (e *entities[D, P]) query(id string, strong bool) query.Query[P] {
	var from entity.Source[P] = e.parts.Reader()
	if strong {
		from = e.parts.Strong()
	}
	return query.Of(from, e.placed(e.example, id))
}

// placed returns a part with the fields that place sets.
//
//go:noinline
func (e *entities[D, P]) placed(of D, id string) (part P) {
	e.place(&part, of, id)
	return part
}

//go:noinline
func (e *entities[D, P]) put(ctx context.Context, id string) (int, error) {
	seen, wrong := newKeySet(e.collection(id))
	if wrong != nil {
		return 0, wrong
	}
	failed := false // then the rest of the parts need not be put
	progress := func(p entity.BatchProgress) { failed = p.Failed > 0 }
	err := e.parts.PutMany(ctx, func(yield func(*P) bool) {
		for part, err := range e.stored {
			if failed {
				return
			}
			if err != nil {
				wrong = fmt.Errorf("the sequence of the parts: %w", err)
				return
			}
			e.place(&part, e.example, id)
			hooks.SetTenant(e.parts, &part)
			key, err := e.parts.Type().KeyOf(part)
			if wrong = seen.add(key, err); wrong != nil || !yield(&part) {
				return
			}
		}
	}, entity.Concurrency(e.settings.concurrency), entity.Progress(progress))
	switch {
	case wrong != nil:
		return 0, wrong
	case err == nil && seen.len() == 0:
		return 0, cmp.Or(ctx.Err(), errNoParts)
	default:
		return seen.len(), err
	}
}

//go:noinline
func (e *entities[D, P]) collect(ctx context.Context, id string, strong bool) (n int, err error) {
	e.found, err = e.query(id, strong).Collect(ctx)
	return len(e.found), err
}

//go:noinline
func (e *entities[D, P]) stream(ctx context.Context, id string, strong bool) (n int, all bool, err error) {
	for part, err := range e.query(id, strong).All(ctx) {
		if err != nil || !e.yield(part, nil) {
			return n, false, err
		}
		n++
	}
	return n, true, nil
}

//go:noinline
func (e *entities[D, P]) remove(ctx context.Context, id string) (int, error) {
	deleted, err := e.collection(id).Delete(ctx, entity.Concurrency(e.settings.concurrency))
	return deleted.Items, err
}
