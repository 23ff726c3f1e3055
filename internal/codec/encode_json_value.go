package codec

import (
	"math"
	"strconv"
	"time"

	"github.com/trestledb/trestle/internal/itemjson"
)

// The functions below append values as encoder encodes them. ok is false for a value that they do
// not append: a rare type, or an error, which encoder then finds. dst is longer then, and the
// caller drops the rest. An omitted value appends nothing.

// appendMember appends the field of the struct at p as a member, or nothing if it is omitted.
func (f *Field) appendMember(dst []byte, p Ptr, depth int) (_ []byte, ok bool) {
	var at Ptr
	if f.hops == nil { // most fields, without a call
		at = p.field(f.offset, f.leaf)
	} else if at, ok = f.find(p); !ok {
		return dst, true
	}
	switch {
	case f.asKey != nil:
		return dst, false
	case f.ttl && f.Node.zero(at), f.OmitZero && f.absent(at):
		return dst, true
	}
	start := len(dst)
	dst = separate(dst)
	if f.textMember != "" { // most fields
		dst, ok = itemjson.AppendInner(append(dst, f.textMember...), *as[string](at))
		return append(dst, endText...), ok
	}
	dst = append(dst, f.member...)
	named := len(dst)
	dst, ok = f.Node.appendJSON(dst, at, f.Options, depth)
	if len(dst) == named {
		dst = dst[:start]
	}
	return dst, ok
}

// appendJSON is encoder.encode.
func (n *Node) appendJSON(dst []byte, p Ptr, o Options, depth int) (_ []byte, ok bool) {
	if (o&(OmitEmpty|NullEmpty) != 0 || n.nilable()) && n.empty(p) {
		return appendNothing(dst, o), !o.Has(OmitEmpty | NullEmpty)
	}
	if n.Kind == KindPtr {
		n, p = n.Elem, p.deref()
		o = n.behindPointer(o)
	}
	return n.appendValue(dst, p, o, depth)
}

// appendNothing appends the value that nothing returns.
func appendNothing(dst []byte, o Options) []byte {
	if o.keepsNil() {
		dst = append(dst, `{"NULL":true}`...)
	}
	return dst
}

// appendValue is encoder.encodeValue.
func (n *Node) appendValue(dst []byte, p Ptr, o Options, depth int) (_ []byte, ok bool) {
	switch {
	case n.Kind == KindTime:
		return n.appendTime(dst, p, o)
	case n.Enc != 0:
		return n.appendEncoded(dst, p, o, depth)
	}
	switch n.Kind {
	case KindString:
		return appendText(dst, *as[string](p))
	case KindInt:
		return append(strconv.AppendInt(startNumber(dst, o), p.int(n.Bits), 10), endText...), true
	case KindUint:
		return append(strconv.AppendUint(startNumber(dst, o), p.uint(n.Bits), 10), endText...), true
	case KindFloat:
		return n.appendFloat(dst, p.float(n.Bits), o)
	case KindBool:
		if *as[bool](p) {
			return append(dst, `{"BOOL":true}`...), true
		}
		return append(dst, `{"BOOL":false}`...), true
	case KindBytes, KindByteArray:
		return append(itemjson.AppendBase64(append(dst, `{"B":`...), p.bytes(n)), '}'), true
	case KindNone:
		return dst, false
	case KindStruct:
		return n.appendStruct(dst, p, depth+1)
	case KindList, KindArray:
		return n.appendList(dst, p, o, depth+1)
	case KindMap:
		if n.texts && o.elem() == plain {
			return n.appendTextMap(dst, p)
		}
	}
	return n.appendEncoded(dst, p, o, depth)
}

// appendEncoded encodes a value that is not appended directly, and appends the attribute value.
func (n *Node) appendEncoded(dst []byte, p Ptr, o Options, depth int) (_ []byte, ok bool) {
	av, err := (&encoder{depth: depth}).encodeValue(n, p, o)
	if err != nil || av == nil {
		return dst, err == nil
	}
	dst, err = itemjson.AppendAttribute(dst, av)
	return dst, err == nil
}

// The JSON around the text of an S, and the end of an N.
const (
	startText = `{"S":"`
	endText   = `"}`
)

func appendText(dst []byte, s string) (_ []byte, ok bool) {
	dst, ok = itemjson.AppendInner(append(dst, startText...), s)
	return append(dst, endText...), ok
}

// startNumber appends the start of an N, or of an S with the string option.
func startNumber(dst []byte, o Options) []byte {
	if o.Has(AsString) {
		return append(dst, startText...)
	}
	return append(dst, `{"N":"`...)
}

func (n *Node) appendFloat(dst []byte, f float64, o Options) (_ []byte, ok bool) {
	abs := math.Abs(f)
	if !o.Has(AsString) && f != 0 && (math.IsNaN(f) || abs < minMagnitude || abs >= maxMagnitude) {
		return dst, false
	}
	return append(strconv.AppendFloat(startNumber(dst, o), f, 'f', -1, int(n.Bits)), endText...), true
}

// appendTime is encoder.encodeTime.
func (n *Node) appendTime(dst []byte, p Ptr, o Options) (_ []byte, ok bool) {
	t := as[time.Time](p)
	switch {
	case o.Has(OmitEmpty) && t.IsZero():
		return dst, true
	case n.Enc == ViaAttribute, n.Type != timeType && n.Enc != 0 && !o.Has(UnixTime):
		return n.appendEncoded(dst, p, o, 0)
	case o.Has(UnixTime):
		return append(strconv.AppendInt(append(dst, `{"N":"`...), t.Unix(), 10), endText...), true
	}
	longer, err := t.UTC().AppendText(append(dst, startText...))
	if err != nil { // the text is nil
		return dst, false
	}
	return append(longer, endText...), true
}

func (n *Node) appendStruct(dst []byte, p Ptr, depth int) (_ []byte, ok bool) {
	if depth > MaxNesting {
		return dst, false
	}
	dst = append(dst, `{"M":{`...)
	for _, f := range n.Struct.fields {
		if dst, ok = f.appendMember(dst, p, depth); !ok {
			return dst, false
		}
	}
	return append(dst, `}}`...), true
}

func (n *Node) appendList(dst []byte, p Ptr, o Options, depth int) (_ []byte, ok bool) {
	set := n.set(o)
	switch {
	case depth > MaxNesting:
		return dst, false
	case set == WireSS && n.texts && o.elem() == plain:
		return n.appendTexts(dst, *as[[]string](p), o)
	case set != 0:
		return n.appendEncoded(dst, p, o, depth-1)
	}
	dst = append(dst, `{"L":[`...)
	if n.texts && o.elem() == plain {
		return appendTextList(dst, *as[[]string](p))
	}
	options := o.elem() | keepNil
	for i := range p.value(n.Type).Len() {
		start := len(dst)
		if dst[start-1] != '[' {
			dst = append(dst, ',')
		}
		elem := len(dst)
		if dst, ok = n.Elem.appendJSON(dst, p.index(n, i), options, depth); !ok {
			return dst, false
		}
		if len(dst) == elem { // omitted
			dst = dst[:start]
		}
	}
	return append(dst, `]}`...), true
}

// appendTextList appends the elements of an L of texts, and its end.
func appendTextList(dst []byte, texts []string) (_ []byte, ok bool) {
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = appendText(dst, s); !ok {
			return dst, false
		}
	}
	return append(dst, `]}`...), true
}

// appendTexts appends an SS.
func (n *Node) appendTexts(dst []byte, texts []string, o Options) (_ []byte, ok bool) {
	if len(texts) == 0 {
		return appendNothing(dst, o), true
	}
	dst = append(dst, `{"SS":`...)
	for i, s := range texts {
		separator := byte(',')
		if i == 0 {
			separator = '['
		}
		if dst, ok = itemjson.AppendValidText(append(dst, separator), s); !ok {
			return dst, false
		}
	}
	return append(dst, `]}`...), n.checkDistinct(texts) == nil
}

func (n *Node) appendTextMap(dst []byte, p Ptr) (_ []byte, ok bool) {
	dst = append(dst, `{"M":{`...)
	for name, s := range *as[map[string]string](p) {
		if name == "" || len(name) > maxName {
			return dst, false
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		if dst, ok = itemjson.AppendValidText(dst, name); !ok {
			return dst, false
		}
		if dst, ok = appendText(append(dst, ':'), s); !ok {
			return dst, false
		}
	}
	return append(dst, `}}`...), true
}
