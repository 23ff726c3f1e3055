package cursor

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// Position is where a read goes on: behind an item of one of its partitions.
type Position struct {
	Partition int                             // its number in the plan
	After     map[string]types.AttributeValue // the item's key attributes; nil: from the partition's beginning
}

// appendPosition writes a position: the time, the partition, and the values of the key attributes in their order.
func appendPosition(b []byte, at time.Time, p Position, attributes []core.Attribute) ([]byte, bool) {
	b = binary.AppendVarint(b, at.Unix())
	b = binary.AppendUvarint(b, uint64(p.Partition))
	if len(p.After) == 0 {
		return append(b, 0), true
	}
	b = append(b, 1)
	for _, a := range attributes {
		value, ok := core.KeyText(a.Type, p.After[a.Name])
		if !ok {
			return nil, false
		}
		b = appendText(b, value)
	}
	return b, len(p.After) == len(attributes)
}

// parsePosition reads what appendPosition wrote, and nothing else.
func parsePosition(b []byte, attributes []core.Attribute) (Position, time.Time, bool) {
	r := reader{b}
	at, partition, there := r.varint(), r.uvarint(), r.byte()
	p := Position{Partition: int(partition)} //nolint:gosec // bounded below
	if partition > maxPartition || there > 1 {
		return Position{}, time.Time{}, false
	}
	if there == 1 {
		p.After = make(map[string]types.AttributeValue, len(attributes))
		for _, a := range attributes {
			p.After[a.Name] = core.KeyValue(a.Type, r.text())
		}
	}
	if r.b == nil || len(r.b) != 0 {
		return Position{}, time.Time{}, false
	}
	return p, time.Unix(at, 0), true
}

// maxPartition is far above what any plan has.
const maxPartition = 1 << 20

func appendText(b []byte, text string) []byte {
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...)
}

// reader reads a token's inside. After a fault it has nil left.
type reader struct{ b []byte }

func (r *reader) take(n int) {
	if n <= 0 || r.b == nil {
		r.b = nil
		return
	}
	r.b = slices.Clip(r.b[n:])
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	r.take(n)
	return v
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	r.take(n)
	return v
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.b = nil
		return 0
	}
	v := r.b[0]
	r.take(1)
	return v
}

func (r *reader) text() string {
	n := r.uvarint()
	if r.b == nil || n > uint64(len(r.b)) {
		r.b = nil
		return ""
	}
	text := string(r.b[:n])
	r.b = r.b[n:]
	return text
}
