package generations

import (
	"cmp"
	"context"
	"iter"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Config has the settings of a [Repo]. All programs that use the pointer items must have the same
// WriteTime: one with a shorter time would give up generations that others still write.
type Config struct {
	// WriteTime limits how long a Replace registers and writes its parts. Generations are forgotten
	// after twice this time: see the package documentation. The default is 15 minutes; it also
	// replaces a time of zero or less.
	WriteTime time.Duration
	// Concurrency limits the number of requests that put or delete parts at the same time: see
	// [entity.Concurrency]. The default is 4.
	Concurrency int
}

// Repo replaces and reads the parts P of pointer items D. It is safe for concurrent use. [New]
// returns it.
//
// An example selects a pointer item, as for [entity.Repo]: it is a D with the fields of the table
// key set.
//
// Every error is a [*trestle.OpError] or wraps one. Its Outcome tells whether the new generation is
// current. The observer is notified of each read and write that a method sends.
type Repo[D, P any] struct {
	settings settings
	pointers *entity.Repo[D]
	parts    *entity.Repo[P]
	place    func(part *P, of D, generation string)
	pointer  func(*D) *Pointer
	handles  handles[D]
}

// New returns the Repo of two repositories. They may be of different tables, but both of one tenant
// or both of none (see [entity.Table.Tenant]).
//
// The function place sets the fields of a part's partition key: those that identify the pointer
// item, and the generation. It only uses the fields of the key of the pointer item, because others
// may be unset. Every part is passed to it before it is stored, so parts of an earlier generation,
// or of another pointer item, can be stored again. A zero part that was passed to place is the
// example that selects the parts of a generation.
//
// New never fails. If an argument is invalid, each method returns [trestle.ErrInvalid]: see the
// rules for the entities in the package documentation.
func New[D, P any, H Holder[D]](pointers *entity.Repo[D], parts *entity.Repo[P], place func(part *P, of D, generation string), c Config) *Repo[D, P] {
	r := &Repo[D, P]{pointers: pointers, parts: parts, place: place, pointer: func(d *D) *Pointer { return H(d).pointer() }}
	r.settings = newSettings(pointers, parts, cmp.Or(max(c.WriteTime, 0), 15*time.Minute), c.Concurrency)
	switch {
	case r.settings.err != nil:
	case place == nil:
		r.settings.err = invalid("the function that places parts is nil", "set the fields of the partition key of the part in it")
	case !embedded(r.pointer):
		r.settings.err = invalid("the entity of the pointer item embeds a pointer", "embed a Pointer")
	default:
		r.handles, r.settings.err = newHandles(r.pointer)
	}
	return r
}

// Replace stores parts under a new generation, makes it the current one, and deletes the replaced
// generation. It returns the pointer item. The changes are applied together with the new
// generation. [attr.If] adds conditions; if one fails, nothing is replaced, and the error is
// [trestle.ErrCondition].
//
// The pointer item must exist, or the error is [trestle.ErrNotFound]. If the example has a
// generation, because the item was read before, it must still be the current one, or the error is
// [trestle.ErrStale]. The same holds for its version, which is checked before the first part is
// stored; if other writes or counts change the item often, pass an example without a version. If
// another generation becomes current while Replace writes the parts, the error is ErrStale too: of
// several calls at the same time, the first one that finishes succeeds. Other fields of the example
// are not stored, except as for [entity.Repo.Update].
//
// Replace takes parts from the sequence as it puts them, so the sequence can be larger than memory;
// Replace keeps the sort keys. The results of a query are such a sequence, and [Slice] makes one.
// If the sequence yields an error, nothing is replaced, and Replace returns an error that wraps it.
// The parts are copied, and not changed. Without parts, if two parts have the same sort key, or if
// a part has another partition key than its generation, the error is [trestle.ErrInvalid].
//
// After a lost reply Replace reads the pointer item, which shows whether the write was applied. The
// error is [trestle.ErrUnknown] only if that read fails too, or if the pointer item was replaced
// again or deleted meanwhile. After any other error nothing is replaced ([trestle.NotApplied]), and
// Replace deletes the parts; if that fails or ctx has ended, a later Replace or [Repo.Clean]
// deletes them. If only the deletion of old generations fails, Replace returns the new pointer item
// and an error whose Outcome is [trestle.Applied]. A later Replace or [Repo.Clean] deletes the
// rest.
//
// It costs one strongly consistent read of the pointer item, two to four updates of it, the write
// units of the puts of the parts, and for the old parts the strongly consistent read units and the
// write units of [query.Collection.Delete]. Each other obsolete generation costs another read.
//
//go:noinline
func (r *Repo[D, P]) Replace(ctx context.Context, example D, parts iter.Seq2[P, error], changes ...attr.Change[D]) (D, error) {
	return replaceParts(ctx, r, updateExample, example, parts, changes)
}

// Upsert is [Repo.Replace], but creates the pointer item if there is none. The item is created
// before the parts are stored, from the key of the example, as [entity.Repo.Upsert] does, and the
// changes are applied, and their conditions checked, with the generation. If Upsert fails in
// between, the item stays, with a generation without parts.
//
//go:noinline
func (r *Repo[D, P]) Upsert(ctx context.Context, example D, parts iter.Seq2[P, error], changes ...attr.Change[D]) (D, error) {
	return replaceParts(ctx, r, upsertExample, example, parts, changes)
}

// Read returns the pointer item and all parts of its current generation, in the order of the sort
// key. The error is [trestle.ErrNotFound] if there is no pointer item, or if it has no current
// generation.
//
// The reads are eventually consistent: Read returns a whole generation, but perhaps not the newest
// one. It compares the number of parts with the one in the pointer item. If they differ, because
// the generation was replaced meanwhile or because a read lags, Read reads again, strongly
// consistent, at most eight times in all; then it returns [trestle.ErrStale]. If parts of the
// current generation are missing or were added, the error is [ErrIncomplete].
//
// It costs half a read unit per 4 KB of the pointer item and of the parts together, and again for
// each repetition, at twice the units. See [Repo.Strong].
//
//go:noinline
func (r *Repo[D, P]) Read(ctx context.Context, example D) (D, []P, error) {
	return readParts(ctx, r, false, example)
}

// All yields the parts of the current generation of a pointer item that was read, in the order of
// the sort key, without holding all of them in memory. If the item has no generation with parts, it
// yields an error that is [trestle.ErrNotFound].
//
// Use the parts only if the sequence ends without an error. The generation may be replaced while it
// is read; then parts are missing, and the last value is [trestle.ErrStale]. If parts of the
// current generation are missing, a strongly consistent All yields [ErrIncomplete], and an
// eventually consistent one ErrStale, because the reads may lag.
//
// It costs half a read unit per 4 KB of the parts together, and, if parts are missing, one strongly
// consistent read of the pointer item. See [Repo.Strong].
//
//go:noinline
func (r *Repo[D, P]) All(ctx context.Context, item D) iter.Seq2[P, error] {
	return allParts(ctx, r, false, item)
}

// Strong returns a reader with strongly consistent reads, at twice the cost.
//
//go:noinline
func (r *Repo[D, P]) Strong() *Reader[D, P] { return (*Reader[D, P])(r) }

// Clean deletes the parts of all generations that are not current, except those that a Replace may
// still be writing. It is only needed if programs crash and no Replace follows. The error is
// [trestle.ErrNotFound] if there is no pointer item. After any other error, call Clean again.
//
// It costs one strongly consistent read of the pointer item, at least one of each obsolete
// generation, the deletion of their parts, and at most two updates.
//
//go:noinline
func (r *Repo[D, P]) Clean(ctx context.Context, example D) (Cleaned, error) {
	return clean(ctx, open(r, example))
}

// Delete deletes the pointer item and the parts of all its generations. Before the first part is
// deleted, an empty generation becomes current, so readers find all parts or [trestle.ErrNotFound].
// A Replace that runs at the same time fails with ErrNotFound or [trestle.ErrStale], and deletes
// its parts. If a Replace begins after Delete began, Delete fails with ErrStale.
//
// If the example has a generation, it must be the current one, or the error is ErrStale; the same
// holds for its version. If there is no pointer item, the error is ErrNotFound. If Delete fails
// with an error whose Outcome is [trestle.Applied], the parts can no longer be read. To delete the
// rest, read the pointer item; if its Parts is 0, call Delete again with it. Otherwise another
// program has stored a new generation.
//
// After Delete nothing lists the generations. So parts stay in the table if a Replace that began
// before Delete crashes, or is canceled, before it has deleted its parts, or if one of its requests
// arrives late. Delete pointer items only when no program replaces their parts any more.
//
// It costs one strongly consistent read and two writes of the pointer item, and the deletion of the
// parts.
//
//go:noinline
func (r *Repo[D, P]) Delete(ctx context.Context, example D) error {
	return deleteParts(ctx, r, example)
}

// Reader reads like a [Repo], with strongly consistent reads. [Repo.Strong] returns it.
type Reader[D, P any] Repo[D, P]

// Read is [Repo.Read] of the newest generation.
//
//go:noinline
func (r *Reader[D, P]) Read(ctx context.Context, example D) (D, []P, error) {
	return readParts(ctx, (*Repo[D, P])(r), true, example)
}

// All is [Repo.All] with strongly consistent reads.
//
//go:noinline
func (r *Reader[D, P]) All(ctx context.Context, item D) iter.Seq2[P, error] {
	return allParts(ctx, (*Repo[D, P])(r), true, item)
}

// Slice returns a sequence of the elements of a slice, for [Repo.Replace].
func Slice[P any](parts []P) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		for _, p := range parts {
			if !yield(p, nil) {
				return
			}
		}
	}
}
