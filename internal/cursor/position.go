package cursor

import (
	"encoding/binary"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// Position is where a read continues in one of its streams: after an item.
type Position struct {
	Stream int // number of a partition or of a segment
	// After holds the key attributes of the item. If nil, the stream is read from its start.
	After map[string]types.AttributeValue
	// Merged means that the read merges a group of streams. The position is that of all of them,
	// except for those that have positions of their own, and for those in Ended.
	Merged bool
	Ended  []int // the streams that have ended, by their index in the group, in ascending order
}

// The forms of a position.
const (
	atBeginning = iota
	behindItem
	mergedAtBeginning
	mergedBehindItem
)

// form returns the form of a position.
func (p *Position) form() byte {
	form := byte(atBeginning)
	if len(p.After) > 0 {
		form = behindItem
	}
	if p.Merged {
		form += mergedAtBeginning
	}
	return form
}

// maxStream is far above the number of streams of any read.
const maxStream = 1 << 20

// encodePositions encodes the time and the positions. A position holds the values of the key
// attributes in their order.
func encodePositions(at time.Time, positions []Position, attributes []core.Attribute) ([]byte, bool) {
	b := binary.AppendVarint(nil, at.UnixMilli())
	b = binary.AppendUvarint(b, uint64(len(positions)))
	for _, p := range positions {
		b = binary.AppendUvarint(b, uint64(p.Stream)) //nolint:gosec // never negative
		b = append(b, p.form())
		if p.Merged {
			b = appendSet(b, p.Ended)
		}
		if len(p.After) == 0 {
			continue
		}
		for _, a := range attributes {
			text, ok := core.KeyText(a.Type, p.After[a.Name])
			if !ok {
				return nil, false
			}
			b = binary.AppendUvarint(b, uint64(len(text)))
			b = append(b, text...)
		}
		if len(p.After) != len(attributes) {
			return nil, false
		}
	}
	return b, true
}

// parsePositions is the inverse of encodePositions. It accepts no other bytes.
func parsePositions(b []byte, attributes []core.Attribute) ([]Position, time.Time, bool) {
	r := reader{rest: b, ok: true}
	at, n := r.varint(), r.uvarint()
	if n > maxStream {
		return nil, time.Time{}, false
	}
	var positions []Position
	for range n {
		stream := r.uvarint()
		r.ok = r.ok && stream <= maxStream
		p := Position{Stream: int(min(stream, maxStream))} //nolint:gosec // bounded
		form := r.byte()
		r.ok = r.ok && form <= mergedBehindItem
		if p.Merged = form >= mergedAtBeginning; p.Merged {
			p.Ended = r.set()
		}
		if form == behindItem || form == mergedBehindItem {
			p.After = make(map[string]types.AttributeValue, len(attributes))
			for _, a := range attributes {
				p.After[a.Name] = core.KeyValue(a.Type, r.text())
			}
		}
		if !r.ok {
			return nil, time.Time{}, false
		}
		positions = append(positions, p)
	}
	return positions, time.UnixMilli(at), r.ok && len(r.rest) == 0
}

// reader parses the content of a token. After an error, ok is false and the methods return zero
// values.
type reader struct {
	rest []byte
	ok   bool
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.rest)
	r.skip(n, len(binary.AppendVarint(nil, v)))
	return v
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.skip(n, len(binary.AppendUvarint(nil, v)))
	return v
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.ok = false
		return 0
	}
	v := r.rest[0]
	r.skip(1, 1)
	return v
}

func (r *reader) text() string {
	n := r.uvarint()
	if n > uint64(len(r.rest)) {
		r.ok = false
		return ""
	}
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}

// skip moves behind a value of n bytes, whose shortest form has the given size.
func (r *reader) skip(n, shortest int) {
	if n != shortest {
		r.ok, r.rest = false, nil
		return
	}
	r.rest = r.rest[n:]
}
