package core

import (
	"sync"

	"github.com/trestledb/trestle/internal/itemjson"
)

// Buffer is the memory of a response: its body, and the records of its items. Only pages of many
// items are worth it.
type Buffer struct {
	Body  []byte
	Items itemjson.Items
}

var buffers = sync.Pool{New: func() any { return &Buffer{} }}

// maxBuffer is the greatest length of a body whose memory is kept.
const maxBuffer = 8 << 20

// NewBuffer returns a buffer, which may have the memory of a response that was released.
func NewBuffer() *Buffer {
	b, _ := buffers.Get().(*Buffer)
	return b
}

// Rows returns the items as rows. [Rows.Release] lets the buffer be used again.
func (b *Buffer) Rows() Rows {
	rows := JSONRows(b.Items)
	if rows.list != nil {
		rows.list.from = b
	}
	return rows
}

func (b *Buffer) put() {
	b.spoil()
	if cap(b.Body) <= maxBuffer {
		b.Items.Reset()
		buffers.Put(b)
	}
}
