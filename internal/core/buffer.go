package core

import (
	"sync"

	"github.com/trestledb/trestle/internal/itemjson"
)

// Buffer is the memory of a response: its body, the body without the items, and the records of the
// items.
type Buffer struct {
	Body  []byte
	Rest  []byte
	Items itemjson.Items

	lists int // the rows that use the memory
}

var buffers = sync.Pool{New: func() any { return &Buffer{} }}

// maxBuffer is the greatest length of a body whose memory is kept.
const maxBuffer = 8 << 20

// NewBuffer returns a buffer, which may have the memory of a response that was released.
func NewBuffer() *Buffer {
	b, _ := buffers.Get().(*Buffer)
	return b
}

// RowsOf returns items of the body as rows. The buffer can be used again after [Rows.Release] of
// all rows.
func (b *Buffer) RowsOf(items itemjson.Items) Rows {
	rows := JSONRows(items)
	if rows.list != nil {
		rows.list.from = b
		b.lists++
	}
	return rows
}

// release notes that some rows no longer use the memory.
func (b *Buffer) release(items itemjson.Items) {
	b.Items = items
	if b.lists--; b.lists > 0 {
		return
	}
	b.spoil()
	if cap(b.Body) <= maxBuffer {
		b.Items.Reset()
		buffers.Put(b)
	}
}
