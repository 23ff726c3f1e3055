package write

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Difference is an attribute of a stored item that decoding and putting the item would change.
type Difference struct {
	Attribute string // empty: the item as a whole
	Reason    string
}

// The reasons of differences.
const (
	reasonUnreadable = "cannot be decoded"
	reasonUnwritable = "lacks a part of its key, or has a value that a put rejects"
	reasonOtherZone  = "has a time in another zone than UTC, which conditions do not compare as a time"
	reasonOtherForm  = "is stored in another form than a put would store it"
	reasonRounded    = "has more digits than the field's type holds, so a put rounds it"
	reasonEmpty      = "has a value that its field omits, so a put drops it"
	reasonNoField    = "has no field, so a put drops it (a field with the role rest keeps it)"
	reasonNoFields   = "has parts without a field, so a put drops them"
	reasonNoType     = "is missing, so a put adds it"
	reasonStaleKey   = "is not the key that the item's fields render to"
	reasonMissingKey = "is missing, although the item's fields render to a key"
)

// Differences lists what decoding and putting a stored item would change. Other programs and older
// types can write other forms. An absent attribute, NULL, and the zero value of a field without
// omitempty make no difference. Differences also lists a time to live that DynamoDB ignores; expiry
// is that of the type at the current time.
func Differences(p *core.Plan, item op.Item, expiry core.Expiry) []Difference {
	var list []Difference
	if !expiry.IsZero() {
		if reason := ignoredTTL(item[p.TTL.Name], expiry); reason != "" {
			list = append(list, Difference{p.TTL.Name, reason})
			item = withTTL(p, item, expiry)
		}
	}
	at := p.NewEntity()
	if err := p.Decode(item, at); err != nil {
		return append(list, Difference{Reason: reasonUnreadable})
	}
	fresh, err := Item(p, at)
	if err != nil {
		return append(list, Difference{Reason: reasonUnwritable})
	}
	names := maps.Clone(item)
	maps.Copy(names, fresh)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if reason := difference(p, name, item[name], fresh[name]); reason != "" && !inEarlierShard(p, name, item[name], at) {
			list = append(list, Difference{name, reason})
		}
	}
	return list
}

// inEarlierShard reports whether a stored attribute is the key of an entity for an earlier number
// of shards.
func inEarlierShard(p *core.Plan, name string, stored types.AttributeValue, entity codec.Ptr) bool {
	a := p.KeyAttr(name)
	if a == nil || a.Shard == nil || a.Shard.Random() || stored == nil {
		return false
	}
	keys, err := shardedKeys(p, a, entity)
	return err == nil && slices.ContainsFunc(keys, func(av types.AttributeValue) bool { return core.SameValue(stored, av) })
}

// difference returns why a put would change a top-level attribute, or "".
func difference(p *core.Plan, name string, stored, fresh types.AttributeValue) string {
	if key := p.KeyAttr(name); key != nil && key.Field == nil {
		return keyDifference(stored, fresh)
	}
	f := p.Shape.ByName(name)
	switch {
	case f != nil && !f.KeyOnly:
		return fieldDifference(f, stored, fresh)
	case name == p.Schema.TypeAttr && stored == nil:
		return reasonNoType
	case name == p.Schema.WriteID, isAbsent(stored) && isAbsent(fresh):
		return ""
	case fresh == nil:
		return reasonNoField
	default: // a field with the role rest has it
		return valueDifference(nil, stored, fresh)
	}
}

// keyDifference returns why a put would change a rendered key, or "".
func keyDifference(stored, fresh types.AttributeValue) string {
	switch {
	case stored == nil:
		return reasonMissingKey
	case fresh == nil || !core.SameValue(stored, fresh):
		return reasonStaleKey
	default:
		return ""
	}
}

// fieldDifference returns why a put would change the attribute of a field, or "".
func fieldDifference(f *codec.Field, stored, fresh types.AttributeValue) string {
	switch {
	case isAbsent(stored) && (isAbsent(fresh) || core.SameValue(f.ZeroForm(), fresh)), isAbsent(fresh) && !f.Has(codec.OmitEmpty) && isZeroOf(f, stored):
		return ""
	case isAbsent(fresh):
		return reasonEmpty
	default:
		return valueDifference(f.Node, stored, fresh)
	}
}

// isAbsent reports whether there is no value: NULL is read as none.
func isAbsent(av types.AttributeValue) bool {
	return av == nil || codec.WireOf(av) == codec.WireNULL
}

// isZeroOf reports whether a value is the form of the field's zero value, which a reader of an item
// without the attribute gets, or a form that is read as empty.
func isZeroOf(f *codec.Field, av types.AttributeValue) bool {
	same := func(form types.AttributeValue) bool { return form != nil && core.SameValue(form, av) }
	zero, err := f.EncodeOperand(reflect.New(f.Node.Type).Interface())
	return err == nil && same(zero) || slices.ContainsFunc(f.EmptyForms(), same)
}

// valueDifference returns why a put would change a value, or "". The node is the value's type, or
// nil if it has none. In lists and maps, NULL differs from the zero value.
func valueDifference(n *codec.Node, stored, fresh types.AttributeValue) string {
	if stored == nil {
		return reasonOtherForm
	}
	if core.SameValue(stored, fresh) {
		return ""
	}
	if n = plainNode(n); n != nil && codec.WireOf(stored) == codec.WireOf(fresh) {
		switch s := stored.(type) {
		case *types.AttributeValueMemberM:
			f := fresh.(*types.AttributeValueMemberM)
			if n.Kind == codec.KindStruct {
				return structDifference(n.Struct, s.Value, f.Value)
			}
			if n.Kind == codec.KindMap && len(s.Value) == len(f.Value) {
				return mapDifference(n.Elem, s.Value, f.Value)
			}
		case *types.AttributeValueMemberL:
			if f := fresh.(*types.AttributeValueMemberL); n.Elem != nil && len(s.Value) == len(f.Value) {
				return listDifference(n.Elem, s.Value, f.Value)
			}
		case *types.AttributeValueMemberN:
			if n.Kind == codec.KindFloat {
				return reasonRounded
			}
		}
	}
	if inAnotherZone(stored, fresh) {
		return reasonOtherZone
	}
	return reasonOtherForm
}

// plainNode returns the node of a value after pointers, or nil if a method encodes the value.
func plainNode(n *codec.Node) *codec.Node {
	for n != nil && n.Enc == 0 && n.Kind == codec.KindPtr {
		n = n.Elem
	}
	if n == nil || n.Enc != 0 {
		return nil
	}
	return n
}

func structDifference(s *codec.Struct, stored, fresh op.Item) string {
	names := maps.Clone(stored)
	maps.Copy(names, fresh)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		reason := ""
		if f := s.ByName(name); f != nil {
			reason = fieldDifference(f, stored[name], fresh[name])
		} else if !isAbsent(stored[name]) {
			reason = reasonNoFields
		}
		if reason != "" {
			return reason
		}
	}
	return ""
}

func mapDifference(elem *codec.Node, stored, fresh op.Item) string {
	for _, name := range slices.Sorted(maps.Keys(fresh)) {
		if reason := valueDifference(elem, stored[name], fresh[name]); reason != "" {
			return reason
		}
	}
	return ""
}

func listDifference(elem *codec.Node, stored, fresh []types.AttributeValue) string {
	for i := range stored {
		if reason := valueDifference(elem, stored[i], fresh[i]); reason != "" {
			return reason
		}
	}
	return ""
}

// inAnotherZone reports whether two texts are the same time in two zones.
func inAnotherZone(stored, fresh types.AttributeValue) bool {
	s, isText := stored.(*types.AttributeValueMemberS)
	f, isTextToo := fresh.(*types.AttributeValueMemberS)
	if !isText || !isTextToo {
		return false
	}
	x, errX := time.Parse(time.RFC3339Nano, s.Value)
	y, errY := time.Parse(time.RFC3339Nano, f.Value)
	_, offset := x.Zone()
	return errX == nil && errY == nil && x.Equal(y) && offset != 0
}
