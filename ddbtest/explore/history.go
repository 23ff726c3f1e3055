package explore

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
)

// History records the operations of clients, for a checker of linearizability such as porcupine:
// when each was called and when it returned, in the order of the run. The search then also tries
// every order of calls and returns. An invariant of [World.Finally] checks the history:
//
//	var operations []porcupine.Operation
//	for _, o := range h.Operations() {
//		operations = append(operations, porcupine.Operation{
//			ClientId: o.ClientID, Input: o.Input, Call: o.Call, Output: o.Output, Return: o.Return,
//		})
//	}
//	if !porcupine.CheckOperations(model, operations) { … }
//
// The model must accept every outcome of an operation that has not returned, because its client
// crashed: its Output is nil. So let operations return something that is never nil, such as a
// struct with the error.
type History struct {
	run *run

	mu         sync.Mutex
	now        int64
	operations []*Operation
}

// Operation is one operation of a client. The fields have the same meaning as those of porcupine's
// Operation.
type Operation struct {
	ClientID int // the client's position among the declared ones
	Input    any
	Call     int64
	Output   any   // nil if the client crashed before the operation returned
	Return   int64 // [math.MaxInt64] if the operation has not returned
}

// Returned reports whether the operation has returned.
func (o *Operation) Returned() bool { return o.Return != math.MaxInt64 }

// History returns the history of this run.
func (w *World) History() *History {
	if w.run.history == nil {
		w.run.history = &History{run: w.run}
	}
	return w.run.history
}

// historyTable is the table of the spans by which calls and returns depend on each other.
const historyTable = "history "

// beginOperation is the request of an operation of a history that waits for its call.
var beginOperation = &request{name: "call", spans: []span{{table: historyTable, write: true}}}

// Call records an operation of a client. The context is the one that the client's function got, or
// is derived from it. The function executes the operation and returns its output.
func (h *History) Call(ctx context.Context, input any, f func() (output any)) (output any) {
	p, ok := ctx.Value(processKey{}).(*process)
	if !ok || p.run != h.run {
		h.run.fail(nil, "History.Call: the context is not that of a client of this run")
		return nil
	}
	if r := p.wait(ctx, &call{process: p, request: beginOperation, label: fmt.Sprintf("calls %v", input)}); r.err != nil {
		return f() // the client canceled its own context
	}
	o := &Operation{ClientID: slices.Index(h.run.processes, p), Input: input, Return: math.MaxInt64}
	h.mu.Lock()
	h.now++
	o.Call = h.now
	h.operations = append(h.operations, o)
	h.mu.Unlock()

	output = f()

	h.run.note(fmt.Sprintf("%s returns %v", p.name, output))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now++
	o.Output, o.Return = output, h.now
	return output
}

// Operations returns the operations so far, in the order of their calls.
func (h *History) Operations() []Operation {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]Operation, len(h.operations))
	for i, o := range h.operations {
		list[i] = *o
	}
	return list
}

// returned describes which operations have returned: an operation that is called now comes after
// them.
func (h *History) returned() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []byte
	for client := range h.run.processes {
		for _, o := range h.operations { // those of one client are in the order of their calls
			switch {
			case o.ClientID != client:
			case o.Returned():
				list = append(list, 'r')
			default:
				list = append(list, 'c')
			}
		}
		list = append(list, ' ')
	}
	return list
}
