package costtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/trestledb/trestle/entity"
)

// GetMany expects a batch read of these items, whole or projected, with one request per hundred
// items.
func GetMany[T any](from entity.Source[T], examples []T) Call {
	gets := make([]Call, len(examples))
	for i, example := range examples {
		gets[i] = Get(from, example)
	}
	return Batch(gets...)
}

// PutMany expects a batch write of these entities, as [Batch] does.
func PutMany[T any](r *entity.Repo[T], entities []*T) Call {
	puts := make([]Call, len(entities))
	for i, e := range entities {
		puts[i] = Put(r, e)
	}
	return Batch(puts...)
}

// DeleteMany expects a batch write that deletes the items of these examples, as [Batch] does.
func DeleteMany[T any](r *entity.Repo[T], examples []T) Call {
	deletes := make([]Call, len(examples))
	for i, example := range examples {
		deletes[i] = Delete(r, example)
	}
	return Batch(deletes...)
}

// Batch expects a batch read or a batch write of the items of several calls, which may be of
// several types: calls of [Get], or calls of writes. Writes that a batch cannot contain, such as
// those with a condition, are expected as requests of their own.
func Batch(calls ...Call) Call {
	var reads batch
	var writes batchWrite
	var wrong []error
	for _, c := range calls {
		wrong = append(wrong, c.err)
		switch k := c.kind.(type) {
		case get:
			reads = append(reads, k)
		case write:
			writes = append(writes, k)
		default:
			wrong = append(wrong, errors.New("a batch takes calls of costtest.Get, or calls of writes"))
		}
	}
	if len(reads) > 0 && len(writes) > 0 {
		wrong = append(wrong, errors.New("a batch reads or writes"))
	}
	if len(writes) > 0 {
		return Call{writes, errors.Join(wrong...)}
	}
	return Call{reads, errors.Join(wrong...)}
}

// batch is a read of many items by their keys. Its cost is the sum of the costs of the items.
type batch []get

func (b batch) match(l *openRequests) error {
	p := pending{}
	for _, g := range b {
		_, at, err := g.target()
		if err != nil {
			return err
		}
		if p.find(at) < 0 { // a repeated item is read once
			p.items = append(p.items, batchItem{g, at})
		}
	}
	items := len(p.items)
	sent := l.take(len(l.list), p.accept)
	switch {
	case p.err != nil:
		return p.err
	case len(p.items) > 0:
		return fmt.Errorf("not sent: a batch read of %d items, of which %d were not requested", items, len(p.items))
	}
	return compare(fmt.Sprintf("a batch read of %d items", items), "read", p.units, p.tolerance, sent)
}

// batchItem is one item of a batch.
type batchItem struct {
	get
	at target
}

// pending has the items of a batch that no request has read yet, and the cost of the others.
type pending struct {
	items            []batchItem
	units, tolerance float64
	err              error
}

func (p *pending) find(at target) int {
	return slices.IndexFunc(p.items, func(other batchItem) bool { return other.at.equal(at) })
}

// accept accepts a request if it reads only pending items.
func (p *pending) accept(r *request) bool {
	if r.op != batchGetItem || len(p.items) == 0 || slices.ContainsFunc(r.targets, func(at target) bool { return p.find(at) < 0 }) {
		return false
	}
	for _, at := range r.targets {
		i := p.find(at)
		x, tolerance, err := p.items[i].explainSize(at.size)
		p.units, p.tolerance, p.err = p.units+x.Units.Read, p.tolerance+tolerance, errors.Join(p.err, err)
		p.items = slices.Delete(p.items, i, i+1)
	}
	return true
}
