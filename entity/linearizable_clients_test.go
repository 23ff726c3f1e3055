package entity_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

var (
	registerLast  = attr.Must(func(r *register) *int64 { return &r.Last })
	registerCount = attr.Must(func(r *register) *int64 { return &r.Count })
)

// registers is a table of registers, and the history of the calls of several clients.
//
// There are two kinds of registers, so that the documented exceptions of TestLateAttempts do not
// occur. The clients create a lasting register and never
// delete it. A mortal register exists before the clients start. They delete it, and never create it
// again. So no create can store a deleted item again, and no version is used twice. The type is
// versioned, so all writes check the version or increment it, except for deletes.
type registers struct {
	repo            *entity.Repo[register]
	reads           registerReader
	lasting, mortal []string
	current         atomic.Int64 // the index of the mortal register in use

	numbers, clock          atomic.Int64
	calls, running, overlap atomic.Int64 // overlap sums the running calls at the start of each call
	recognized              atomic.Int64 // successes that only the write ID proves

	mu      sync.Mutex
	history []porcupine.Operation
}

// registerReader reads registers: a strong reader, or the repository.
type registerReader interface {
	GetOp(register) *entity.Op[register]
}

// newRegisters creates a table and its mortal registers.
func newRegisters(t testing.TB, client trestle.Client, c entity.Config, options ...entity.CallOption) *registers {
	t.Helper()
	s := entity.NewSchema(c)
	typ := entity.Define[register](s)
	table, err := s.Open(client, "registers")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	h := &registers{repo: typ.In(table).With(options...)}
	h.reads = h.repo.Strong()
	for i := range 3 {
		h.lasting = append(h.lasting, fmt.Sprintf("lasting %d", i))
	}
	for i := range 6 {
		h.mortal = append(h.mortal, fmt.Sprintf("mortal %d", i))
		h.do(t, registerCall{verb: regCreate, id: h.mortal[i], number: h.numbers.Add(1)})
	}
	return h
}

// operation returns the operation of a call, and the entity that it stores.
func (h *registers) operation(c registerCall) (*entity.Op[register], *register) {
	ops, example := h.repo.Op(), register{ID: c.id, Version: c.version}
	stored := &register{ID: c.id, Version: c.version, Last: c.number, Count: c.number}
	switch c.verb {
	case regCreate:
		return ops.Create(stored), stored
	case regPut:
		return ops.Put(stored), stored
	case regOverwrite:
		return ops.Overwrite(stored), stored
	case regSet:
		return ops.Update(example, registerLast.Set(c.number)), nil
	case regAdd:
		return ops.Update(example, attr.Add(registerCount, 1), registerLast.Set(c.number)), nil
	case regDelete:
		return ops.Delete(example), nil
	default:
		return h.reads.GetOp(example), nil
	}
}

// do makes a call and adds it to the history. It returns what the client then knows of the
// register.
func (h *registers) do(t testing.TB, c registerCall) registerState {
	t.Helper()
	o, stored := h.operation(c)
	h.calls.Add(1)
	h.overlap.Add(h.running.Add(1))
	defer h.running.Add(-1)
	began := h.clock.Add(1)
	res, err := o.Do(context.WithoutCancel(t.Context()))
	ended := h.clock.Add(1)

	got := stateOf(res.Item)
	switch {
	case c.verb == regGet && (err == nil || errors.Is(err, trestle.ErrNotFound)):
		h.add(c, registerReply{result: wasRead, state: got}, began, ended)
		return got
	case c.verb == regGet:
		return registerState{version: c.version} // a read that failed has no place in the history
	case err == nil:
		return h.applied(c, res, stored, began, ended)
	case trestle.OutcomeOf(err) == trestle.Unknown:
		h.add(c, registerReply{result: isUnknown}, began, noReturn)
	case errors.Is(err, trestle.ErrStale), errors.Is(err, trestle.ErrExists), errors.Is(err, trestle.ErrNotFound):
		existing, _ := entity.ItemFromError[register](err)
		h.add(c, registerReply{result: hasFailed, state: stateOf(existing)}, began, ended)
		return stateOf(existing)
	case trestle.OutcomeOf(err) != trestle.NotApplied, errors.Is(err, trestle.ErrInvalid), errors.Is(err, trestle.ErrCondition):
		t.Errorf("%s: %v", c, err)
	}
	return registerState{version: c.version}
}

// applied adds a write that succeeded.
func (h *registers) applied(c registerCall, res entity.Result[register], stored *register, began, ended int64) registerState {
	// DynamoDB reports no capacity for a failed condition, so the reply to the write was lost.
	recognized := res.Attempts > 1 && res.Capacity.Write == 0
	if recognized {
		h.recognized.Add(1)
	}
	got := stateOf(res.Item)
	switch {
	case c.verb == regDelete:
		h.add(c, registerReply{result: wasApplied}, began, ended)
		return registerState{}
	case stored != nil:
		h.add(c, registerReply{result: wasApplied, version: stored.Version}, began, ended)
		return stateOf(*stored)
	case recognized: // the item may include later writes, so it is a read of its own
		h.add(c, registerReply{result: wasApplied, version: c.version + 1}, began, ended)
		h.add(registerCall{number: c.number, id: c.id}, registerReply{result: wasRead, state: got}, began, ended)
	default:
		h.add(c, registerReply{result: hasReturned, state: got}, began, ended)
	}
	return got
}

func (h *registers) add(c registerCall, r registerReply, began, ended int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.history = append(h.history, porcupine.Operation{Input: c, Output: r, Call: began, Return: ended})
}

// run lets clients make calls at the same time, calls settle, and then reads all registers.
func (h *registers) run(t testing.TB, seed uint64, calls int, settle func()) {
	t.Helper()
	const clients = 8
	var done sync.WaitGroup
	for client := range clients {
		done.Go(func() {
			r, known := rand.New(rand.NewPCG(seed, uint64(client))), map[string]registerState{}
			for range calls {
				c := h.random(r, known)
				known[c.id] = h.do(t, c)
				if known[c.id].version == 0 {
					h.replace(c.id)
				}
			}
		})
	}
	done.Wait()
	settle()
	for _, id := range append(h.lasting, h.mortal...) {
		h.do(t, registerCall{verb: regGet, id: id, number: h.numbers.Add(1)})
	}
}

// replace makes the clients use the next mortal register, if they use the given one.
func (h *registers) replace(id string) {
	if i := h.current.Load(); int(i) < len(h.mortal) && h.mortal[i] == id {
		h.current.CompareAndSwap(i, i+1)
	}
}

var (
	lastingVerbs = []registerVerb{regGet, regCreate, regPut, regPut, regPut, regOverwrite, regSet, regSet, regAdd, regAdd}
	mortalVerbs  = []registerVerb{regGet, regPut, regPut, regPut, regSet, regSet, regAdd, regAdd, regDelete}
)

// random returns a random call of a client that knows some states.
func (h *registers) random(r *rand.Rand, known map[string]registerState) registerCall {
	c := registerCall{id: h.lasting[r.IntN(len(h.lasting))], number: h.numbers.Add(1)}
	verbs := lastingVerbs
	if i := h.current.Load(); int(i) < len(h.mortal) && r.IntN(4) == 0 {
		c.id, verbs = h.mortal[i], mortalVerbs
	}
	c.verb = verbs[r.IntN(len(verbs))]
	switch version := known[c.id].version; {
	case c.verb == regGet, c.verb == regCreate, c.verb == regOverwrite:
	case c.verb == regPut && slices.Contains(h.mortal, c.id):
		c.version = max(version, 1) // a put of version 0 would create it
	case c.verb == regPut || r.IntN(4) > 0:
		c.version = version
	}
	return c
}
