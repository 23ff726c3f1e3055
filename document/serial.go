package document

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
)

// The tags of the binary form of attribute values. It is stored, so it never changes.
const (
	tagS    = 'S'
	tagN    = 'N'
	tagB    = 'B'
	tagTrue = 'T'
	tagFals = 'F'
	tagNull = '0'
	tagM    = 'M'
	tagL    = 'L'
	tagSS   = 's'
	tagNS   = 'n'
	tagBS   = 'b'
)

// appendItem appends the binary form of an item: its attributes in the order of their names.
func appendItem(dst []byte, item op.Item) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(item)))
	for _, name := range slices.Sorted(maps.Keys(item)) {
		dst = appendValue(appendText(dst, name), item[name])
	}
	return dst
}

func appendText[T string | []byte](dst []byte, text T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

func appendTexts[T string | []byte](dst []byte, tag byte, texts []T) []byte {
	dst = binary.AppendUvarint(append(dst, tag), uint64(len(texts)))
	for _, text := range texts {
		dst = appendText(dst, text)
	}
	return dst
}

func appendValue(dst []byte, av types.AttributeValue) []byte {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return appendText(append(dst, tagS), v.Value)
	case *types.AttributeValueMemberN:
		return appendText(append(dst, tagN), v.Value)
	case *types.AttributeValueMemberB:
		return appendText(append(dst, tagB), v.Value)
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			return append(dst, tagTrue)
		}
		return append(dst, tagFals)
	case *types.AttributeValueMemberM:
		return appendItem(append(dst, tagM), v.Value)
	case *types.AttributeValueMemberL:
		dst = binary.AppendUvarint(append(dst, tagL), uint64(len(v.Value)))
		for _, e := range v.Value {
			dst = appendValue(dst, e)
		}
		return dst
	case *types.AttributeValueMemberSS:
		return appendTexts(dst, tagSS, v.Value)
	case *types.AttributeValueMemberNS:
		return appendTexts(dst, tagNS, v.Value)
	case *types.AttributeValueMemberBS:
		return appendTexts(dst, tagBS, v.Value)
	default:
		return append(dst, tagNull)
	}
}

// parser reads the binary form. After an error it reads zeros.
type parser struct {
	rest   []byte
	failed bool
	depth  int
}

// maxDepth is more than the 32 levels of DynamoDB.
const maxDepth = 64

// parseItem reads one item, which is all of data.
func parseItem(data []byte) (op.Item, error) {
	p := &parser{rest: data}
	item := p.item()
	if p.failed || len(p.rest) > 0 {
		return nil, errDamaged
	}
	return item, nil
}

// count reads a number of elements of at least one byte each.
func (p *parser) count() int {
	n, size := binary.Uvarint(p.rest)
	if size <= 0 || n > uint64(len(p.rest)-size) {
		p.failed, p.rest = true, nil
		return 0
	}
	p.rest = p.rest[size:]
	return int(n) //nolint:gosec // it is at most a length
}

func (p *parser) bytes() []byte {
	n := p.count()
	b := p.rest[:n:n]
	p.rest = p.rest[n:]
	return b
}

func (p *parser) item() op.Item {
	n := p.count()
	item := make(op.Item, min(n, 64))
	for range n {
		name := string(p.bytes())
		item[name] = p.value()
	}
	return item
}

func (p *parser) tag() byte {
	if len(p.rest) == 0 || p.depth > maxDepth {
		p.failed, p.rest = true, nil
		return 0
	}
	tag := p.rest[0]
	p.rest = p.rest[1:]
	return tag
}

func (p *parser) value() types.AttributeValue {
	p.depth++
	defer func() { p.depth-- }()
	switch p.tag() {
	case tagS:
		return &types.AttributeValueMemberS{Value: string(p.bytes())}
	case tagN:
		return &types.AttributeValueMemberN{Value: string(p.bytes())}
	case tagB:
		return &types.AttributeValueMemberB{Value: p.bytes()}
	case tagTrue:
		return &types.AttributeValueMemberBOOL{Value: true}
	case tagFals:
		return &types.AttributeValueMemberBOOL{}
	case tagM:
		return &types.AttributeValueMemberM{Value: p.item()}
	case tagL:
		return &types.AttributeValueMemberL{Value: list(p, p.value)}
	case tagSS:
		return &types.AttributeValueMemberSS{Value: list(p, p.text)}
	case tagNS:
		return &types.AttributeValueMemberNS{Value: list(p, p.text)}
	case tagBS:
		return &types.AttributeValueMemberBS{Value: list(p, p.bytes)}
	default:
		return &types.AttributeValueMemberNULL{Value: true}
	}
}

func (p *parser) text() string { return string(p.bytes()) }

func list[E any](p *parser, next func() E) []E {
	n := p.count()
	all := make([]E, 0, min(n, 64))
	for range n {
		all = append(all, next())
	}
	return all
}
