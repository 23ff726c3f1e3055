package document

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// attrData is the attribute of a chunk that has its bytes.
const attrData = "doc_data"

func (s *store) chunkKey(r Reference, n int) op.Item {
	partition, sort := reserved.ChunkKey(r.In, r.First+n, r.ID, n)
	return s.schema.ReservedKey(s.config.Tenant.ID(), partition, sort, "")
}

// putChunks stores the chunks of blobs, with the time to live of the document. Repeating it changes
// nothing.
func (c *changes) putChunks(ctx context.Context, operation string, blobs []*blob) error {
	return c.writeAll(ctx, operation, func(yield func(op.Action) bool) {
		for _, b := range blobs {
			n := 0
			for data := range slices.Chunk(b.packed, chunkSize) {
				item := c.schema.OwnItem(reserved.ChunkType, c.chunkKey(b.ref, n), op.Item{attrData: &types.AttributeValueMemberB{Value: data}})
				c.addExpiry(item, c.expires)
				if !yield(op.Action{Verb: op.Put, Item: op.NewContent(item), Idempotent: true}) {
					return
				}
				n++
			}
		}
	})
}

// deleteChunks deletes the chunks of references.
func (s *store) deleteChunks(ctx context.Context, operation string, refs []Reference) error {
	return s.writeAll(ctx, operation, func(yield func(op.Action) bool) {
		for _, r := range refs {
			for n := range min(r.Chunks, maxChunks) {
				if !yield(op.Action{Verb: op.Delete, Key: s.chunkKey(r, n), Idempotent: true}) {
					return
				}
			}
		}
	})
}

// writeAll sends puts and deletes in batches.
func (s *store) writeAll(ctx context.Context, operation string, actions iter.Seq[op.Action]) error {
	b := batch.Batch{Name: operation, Table: s.config.Table, Entity: s.plan, Config: s.config, Options: batch.Options{Concurrency: s.settings.Concurrency}}
	return b.Write(ctx, func(yield func(any, batch.Operation) bool) {
		for a := range actions {
			a.Plan = s.plan
			if !yield(nil, ownWrite{s, operation, a}) {
				return
			}
		}
	})
}

// ownWrite is a write of a batch.
type ownWrite struct {
	of        *store
	operation string
	action    op.Action
}

// Plan returns the write.
func (w ownWrite) Plan() (batch.Write, error) {
	return batch.Write{Config: w.of.config, Operation: op.Operation{Name: w.operation, Plan: w.of.plan, Actions: []op.Action{w.action}}}, nil
}

// loaded is the content of a reference. The error is errMoved if a chunk is missing, and errDamaged
// if the chunks do not have the checksum.
type loaded struct {
	data []byte
	err  error
}

// load reads the contents of references.
func (s *store) load(ctx context.Context, refs []Reference, strong bool) ([]loaded, error) {
	var keys []fetch.KeyRequest
	for _, r := range refs {
		for n := range r.chunks() {
			keys = append(keys, fetch.KeyRequest{Table: s.config.Table, Schema: s.schema, Key: s.chunkKey(r, n), Strong: strong})
		}
	}
	parts := make([][]byte, len(keys))
	if len(keys) > 0 {
		call := exec.NewCall(s.config, trestle.OperationInfo{Operation: opRead, Table: s.config.Table}, s.plan, trestle.NoWrite)
		_, err := fetch.BatchGet(ctx, &call, keys, fetch.Projection{}, func(i int, row core.Row) error {
			if data, ok := row.Attribute(attrData).(*types.AttributeValueMemberB); ok {
				parts[i] = data.Value
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	all := make([]loaded, len(refs))
	for i, r := range refs {
		all[i] = r.join(parts[:r.chunks()])
		parts = parts[r.chunks():]
	}
	return all, nil
}

// chunks returns the number of chunks, or 0 if it is not a possible one.
func (r *Reference) chunks() int {
	if r.Chunks < 0 || r.Chunks > maxChunks {
		return 0
	}
	return r.Chunks
}

// join joins the chunks of a reference.
func (r *Reference) join(parts [][]byte) loaded {
	if slices.ContainsFunc(parts, func(b []byte) bool { return b == nil }) {
		return loaded{err: errMoved}
	}
	data, err := r.unpack(slices.Concat(parts...))
	return loaded{data, err}
}

// loadLarge reads the large values of items. If they are read as they are, it marks those that are
// lost.
func (s *store) loadLarge(ctx context.Context, items map[string]found, strong, asIs bool) error {
	var refs []Reference
	var values []any
	var contents []*content
	for _, sort := range slices.Sorted(maps.Keys(items)) {
		i := items[sort]
		for n := range i.part.large {
			if value, c := i.part.large[n].of(i.entity); c.ref.ID != "" {
				refs, values, contents = append(refs, c.ref), append(values, value), append(contents, c)
			}
		}
	}
	all, err := s.load(ctx, refs, strong)
	if err != nil {
		return err
	}
	for i, of := range all {
		switch {
		case of.err != nil && !asIs:
			return of.err
		case of.err != nil:
			contents[i].lost = true
			continue
		}
		if err := decodeContent(of.data, values[i]); err != nil {
			return err
		}
		contents[i].loaded = true
	}
	return nil
}
