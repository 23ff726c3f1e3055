package repo

import (
	"context"
	"iter"
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/codec"
)

// BatchOptions are the options of batch writes.
type BatchOptions = batch.Options

// BatchProgress is the progress of a batch write.
type BatchProgress = batch.Progress

// PutMany puts entities, which are an iter.Seq of pointers.
func (r *Repo) PutMany(ctx context.Context, entities any, o BatchOptions) error {
	return r.writeMany(ctx, "put many", Put, entities, func(v reflect.Value) any { return v.Interface() }, o)
}

// DeleteMany deletes the items of examples, which are an iter.Seq of entities.
func (r *Repo) DeleteMany(ctx context.Context, examples any, o BatchOptions) error {
	return r.writeMany(ctx, "delete many", Delete, examples, func(v reflect.Value) any {
		own := reflect.New(v.Type())
		own.Elem().Set(v)
		return own.Interface()
	}, o)
}

// writeMany sends an operation for each argument. entity returns the entity or the example of an
// argument.
func (r *Repo) writeMany(ctx context.Context, name string, verb Verb, arguments any, entity func(reflect.Value) any, o BatchOptions) error {
	at := r.parts()
	if err := at.ready(); err != nil {
		return at.invalid(name, trestle.NotApplied, err)
	}
	config := &at.view.Exec
	b := batch.Batch{Name: name, Table: config.Table, Entity: at.typ.Plan, Config: config, Options: o}
	return b.Write(ctx, func(yield func(any, batch.Operation) bool) {
		if seq := reflect.ValueOf(arguments); !seq.IsNil() {
			for v := range seq.Seq() {
				if !yield(v.Interface(), batched{Op: r.Op(verb, entity(v), nil)}) {
					return
				}
			}
		}
	})
}

// WriteMany sends operations. The first value of each pair represents the operation in errors. The
// second may be nil.
func WriteMany(ctx context.Context, operations iter.Seq2[any, *Op], o BatchOptions) error {
	b := batch.Batch{Name: "write many", Options: o}
	return b.Write(ctx, func(yield func(any, batch.Operation) bool) {
		for argument, own := range operations {
			if !yield(argument, batched{own, own.prepare(ctx)}) {
				return
			}
		}
	})
}

// batched is an operation of a batch.
type batched struct {
	*Op
	err error // of its preparation
}

// Plan plans the operation. It may be planned several times.
func (b batched) Plan() (batch.Write, error) {
	switch {
	case b.Op == nil:
		return batch.Write{}, Repo{}.invalid(Verb(0).String(), trestle.NotApplied, errNoOperation)
	case b.verb == Get:
		return batch.Write{}, b.invalid(errBatchGet)
	case b.err != nil:
		return batch.Write{}, b.err
	}
	p, err := b.plan(b.options())
	if err != nil {
		return batch.Write{}, err
	}
	p.After = nil // the batch returns no item
	w := batch.Write{Operation: p.Operation, Config: &b.repo.view.Exec}
	if verbs[b.verb].stores {
		w.Stamp = func() error { return p.stamps.Apply(codec.PtrTo(b.entity)) }
	}
	return w, nil
}
