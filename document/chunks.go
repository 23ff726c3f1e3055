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

// typed returns an item of the library's own.
func (s *store) typed(key op.Item, of string, attributes op.Item) op.Item {
	item := maps.Clone(key)
	maps.Copy(item, attributes)
	if s.schema.TypeAttr != "" {
		item[s.schema.TypeAttr] = &types.AttributeValueMemberS{Value: of}
	}
	return item
}

// putChunks stores the chunks of blobs, with the time to live of the document. Repeating it changes
// nothing.
func (c *changes) putChunks(ctx context.Context, operation string, blobs []*blob) error {
	return c.writeAll(ctx, operation, func(yield func(op.Action) bool) {
		for _, b := range blobs {
			n := 0
			for data := range slices.Chunk(b.packed, chunkSize) {
				item := c.typed(c.chunkKey(b.ref, n), reserved.ChunkType, op.Item{attrData: &types.AttributeValueMemberB{Value: data}})
				c.addExpiry(item, c.expires)
				if !yield(op.Action{Verb: op.Put, Item: item, Idempotent: true}) {
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

// load reads the contents of references. The error is errMoved if a chunk is missing.
func (s *store) load(ctx context.Context, refs []Reference, strong bool) ([][]byte, error) {
	var keys []fetch.KeyRequest
	for _, r := range refs {
		if r.Chunks < 0 || r.Chunks > maxChunks {
			return nil, errDamaged
		}
		for n := range r.Chunks {
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
	return join(refs, parts)
}

// join joins the chunks of each reference.
func join(refs []Reference, parts [][]byte) (all [][]byte, err error) {
	for _, r := range refs {
		own := parts[:r.Chunks]
		parts = parts[r.Chunks:]
		if slices.ContainsFunc(own, func(b []byte) bool { return b == nil }) {
			return nil, errMoved
		}
		data, err := r.unpack(slices.Concat(own...))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

// loadLarge reads the large values of items.
func (s *store) loadLarge(ctx context.Context, items map[string]found, strong bool) error {
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
	for i, data := range all {
		if err := decodeContent(data, values[i]); err != nil {
			return err
		}
		contents[i].loaded = true
	}
	return nil
}
