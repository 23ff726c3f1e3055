package document

import (
	"cmp"
	"context"
	"reflect"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
)

// Type is a document of a schema. It sends no requests; [Type.In] binds it to a table.
type Type[D any] struct{ d *definition }

// Define declares the struct type D as a document of the schema. It never fails: the methods Err
// and Open of the schema report all mistakes, together with those of the entity types. The types of
// the parts may be defined before or after.
func Define[D any](s *entity.Schema) *Type[D] {
	return &Type[D]{declare(s, reflect.TypeFor[D]())}
}

// In returns the repository of the document on a table. It is cheap.
//
//go:noinline
func (t *Type[D]) In(table *entity.Table, c Config) *Repo[D] {
	if t == nil {
		return &Repo[D]{newStore(table, nil, c)}
	}
	return &Repo[D]{newStore(table, t.d, c)}
}

// Config has the settings of a [Repo]. The zero value is useful.
type Config struct {
	// WriteTime is how long a save may take. [Repo.Clean] and [Repo.Delete] give up saves that are
	// older than twice this time, so the clocks of programs must differ by less than it. A save
	// that takes longer, and then crashes, may leave chunks that nobody finds. The default is 15
	// minutes; it also replaces a time of zero or less.
	WriteTime time.Duration
	// Concurrency limits the number of requests that put or delete chunks at the same time. The
	// default is 4.
	Concurrency int
	// MaxActions is the maximum number of actions of a transaction, from 3 to 100, without those
	// for guards and counts. A save with more changes is applied by a log. The default is 100; it
	// also replaces other numbers.
	MaxActions int
}

func (c Config) withDefaults() Config {
	c.WriteTime = cmp.Or(max(c.WriteTime, 0), 15*time.Minute)
	if c.MaxActions < 3 || c.MaxActions > trestle.MaxTransactionActions {
		c.MaxActions = trestle.MaxTransactionActions
	}
	return c
}

// Repo reads and writes documents D. It is safe for concurrent use. [Type.In] returns it.
//
// An example selects a document: it is a D whose root has the fields of its table key set.
//
// Every error is a [*trestle.OpError] or wraps one. Mistakes of the caller are [trestle.ErrInvalid]
// or [trestle.ErrLimit], before a request is sent. The observer is notified of each read and write
// that a method sends.
type Repo[D any] struct{ s *store }

// Read returns a document as it was at one moment: its root and all parts, or those of the option
// [Parts]. Values that are not read stay zero, and [Repo.Save] does not change them. The error is
// [trestle.ErrNotFound] if there is no document, or if it has expired.
//
// It sends one query for the key range of the parts, or several if items of other types are between
// them, and batch reads of the chunks of large values. The reads are eventually consistent unless
// [Strong] is given: Read may return an earlier state, but never a mixture of two. It compares the
// revisions of all items with checksums in the root. If they differ, because the document was saved
// meanwhile, it reads again, strongly consistent, at most eight times in all; then it returns
// [trestle.ErrStale]. If they differ three times although nobody saves the document, the error is
// [ErrIncomplete].
//
// It costs half a read unit per 4 KB of the items together, and of each chunk, and twice as much
// with Strong. While a save beyond a transaction is applied, it also reads the chunks of its log.
//
//go:noinline
func (r *Repo[D]) Read(ctx context.Context, example D, options ...ReadOption) (D, error) {
	var doc D
	err := storeOf(r.store()).read(ctx, &example, &doc, options)
	return doc, err
}

// Save stores a document: of one that was read, the items that have changed, were added or removed,
// and its root. All is applied or nothing. If another writer saved or deleted the document since it
// was read, the error is [trestle.ErrStale]. If [Repo.Clean] or [Repo.Delete] gave up the save,
// because it took more than twice the WriteTime, the error is [trestle.ErrCondition]. If nothing
// has changed, Save sends nothing.
//
// A document without a State is new: if there is one with its key, the error is
// [trestle.ErrExists]. A deletion that a crash has interrupted is finished first.
//
// An expired document is none: a new one replaces it, and a save of the expired one is ErrStale. If
// the root has the role ttl, Save sets the time of all items to that of the root, which gets its
// lifetime if it has none. A changed time rewrites all items and chunks, which costs as much as
// storing the document again, and the deletion of the former chunks. The error is
// [trestle.ErrInvalid], before a request is sent, if a part or a large value was not read.
//
// Save sets fields of the partition key that are zero in a part to those of the root, and an empty
// tenant to that of the table. The version, timestamps and times to live of d are set only on
// success, and then it can be changed and saved again.
//
// Up to 100 actions and 4 MB are one transaction, or one put if only the root has changed. A larger
// save first stores its changes in chunks, the log. One transaction stores the root with a
// reference to the log: from then on, the save is applied. Then the changes are applied to the
// items, in transactions that check this reference, and the reference and the log are removed.
// Readers apply a log that they find, and the next writer finishes it. Types with unique values or
// counts cannot be a part of a larger save: the error is ErrLimit.
//
// The chunks of a large value are stored before the transaction, and those of its former value are
// deleted after it. An intent item lists both, so that [Repo.Clean] finds what a crash leaves.
//
// A save that is certainly not applied deletes its chunks and its intent before it returns. It
// leaves both for Clean if its context has ended, because it then sends nothing more, if the
// clean-up fails, or if the outcome of the save is unknown. If the put of a chunk has an unknown
// outcome, Save deletes the chunks and leaves the intent, because the chunk may arrive late. If the
// reply to the put of an intent is lost, Save stores another one and deletes the first one at its
// end; if that arrives only later, it stays for Clean.
//
// After a lost reply, Save reads the root, which shows whether the save was applied, unless it was
// saved again meanwhile, or the read fails, or the save is not applied yet: then the error is
// [trestle.ErrUnknown], and d is as before the call. Call Save with the same d again. It is not
// applied twice: if it succeeds, the document is saved. If it fails with [trestle.ErrStale], or
// with [trestle.ErrExists] for a new document, this save or that of another writer was applied:
// Read the document with [Strong] to see which. [Repo.Clean] deletes the chunks of an attempt that
// was not applied. An error whose Outcome is [trestle.Applied] means that the document is saved,
// but that a log is not applied or old chunks are not deleted yet.
//
// It costs two write units per KB of the root and of each item that is put or deleted, or one per
// KB of the root if nothing else has changed. With large values, it costs one per KB of each new
// chunk and each deleted chunk in addition, and four per KB of the intent, which has about 130
// bytes for each large value. To clean up after a save that is not applied costs one per KB of each
// new chunk, and two per KB of the intent. A larger save also costs an intent; two write units per
// KB of its log, which is compressed, stored and deleted again; a read unit per 4 KB of the log;
// two write units per KB of the root for each transaction that applies the log; and one per KB of
// the root at the end. Index entries, guards and counts cost as in other writes.
//
//go:noinline
func (r *Repo[D]) Save(ctx context.Context, d *D) error {
	return storeOf(r.store()).save(ctx, d)
}

// Delete deletes a document with all its parts. It first marks the root, so readers find the whole
// document or [trestle.ErrNotFound]. Then it deletes the chunks, the parts, and the root. If it
// fails with an error whose Outcome is [trestle.Applied], nobody reads the document any more: call
// Delete again to delete the rest. If there is no document, or if it has expired, the error is
// ErrNotFound. If the example was read and has a State, its version and revision must be the stored
// ones, or the error is [trestle.ErrStale]. It is also ErrStale if another program saved or deleted
// the document meanwhile.
//
// Delete also gives up the saves of the document that are not applied, and deletes their chunks. A
// save that began less than twice the WriteTime ago may still run and store more chunks. So Delete
// leaves its intent, an item of some 100 bytes and 130 for each large value: the save deletes it
// with what it has stored or, if it has crashed, [Repo.Clean] does. A save of a new document goes
// on.
//
// It costs two write units per KB of each item except the root, and one per KB of each chunk. The
// items are deleted in transactions of at most 24, each of which costs two per KB of the root in
// addition; to mark and to delete the root costs one per KB each. It reads all items and, three
// times in all, the root, strongly consistent: a read unit per 4 KB; and at least one for intents.
// Guards and counts cost as in other writes.
//
//go:noinline
func (r *Repo[D]) Delete(ctx context.Context, example D) error {
	return storeOf(r.store()).delete(ctx, &example)
}

// Clean finishes a save beyond a transaction and a deletion whose program crashed, and deletes
// chunks and intents that crashed writers left. Saves that began less than twice the WriteTime ago
// and are not applied are left alone. It is only needed after a crash, and after a save or a
// deletion that failed because of the network, of throttling, or of an ended context. It also
// cleans up after the first save of a document that was never stored, because its program crashed,
// and after the saves of a document that was deleted. Repeating it does no harm.
//
// If a change of the template of the root's key moves documents, Clean finds only what was left
// since: call it before maintain.Reindex.
//
// It costs a strongly consistent read of the intents and of the root. Each intent that it settles
// costs two write units per KB, and each chunk that it deletes costs one per KB.
//
//go:noinline
func (r *Repo[D]) Clean(ctx context.Context, example D) error {
	return storeOf(r.store()).clean(ctx, &example)
}

// Report returns the sizes and costs of a document in memory, before and after the split. It sends
// nothing.
//
//go:noinline
func (r *Repo[D]) Report(d *D) (Report, error) {
	return storeOf(r.store()).report(d)
}

// store returns the Repo without its type parameter; nil for a nil Repo.
//
//go:noinline
func (r *Repo[D]) store() *store {
	if r == nil {
		return nil
	}
	return r.s
}
