package main

import (
	"context"
	"sync"

	"github.com/trestledb/trestle"
)

// meter is an observer that sums the requests and units of all operations.
type meter struct {
	mu       sync.Mutex
	requests int
	used     trestle.Capacity
}

// Start does nothing.
func (m *meter) Start(context.Context, trestle.OperationInfo) context.Context { return nil }

// End adds an operation.
func (m *meter) End(_ context.Context, e trestle.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests += e.Requests
	m.used.Add(e.Capacity)
}

// take returns the sums and resets them.
func (m *meter) take() (requests int, used trestle.Capacity) {
	m.mu.Lock()
	defer m.mu.Unlock()
	requests, used = m.requests, m.used
	m.requests, m.used = 0, trestle.Capacity{}
	return requests, used
}
