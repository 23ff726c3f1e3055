//go:build !trestle_safe

package codec

import (
	"reflect"
	"unsafe"
)

// Ptr is the address of a Go value of the type that a Struct, Field or Node was compiled for. It
// keeps the value alive. The caller must not use it with a plan of another type; nothing checks
// this. With the build tag trestle_safe, Ptr uses reflection only.
type Ptr struct{ at unsafe.Pointer }

// PtrTo returns the address that v, a non-nil pointer, holds.
func PtrTo(v any) Ptr { return Ptr{reflect.ValueOf(v).UnsafePointer()} }

// PtrOf returns the address of an addressable value.
func PtrOf(v reflect.Value) Ptr { return Ptr{v.Addr().UnsafePointer()} }

// as returns the value at p. Its type must have the underlying type of T.
func as[T any](p Ptr) *T { return (*T)(p.at) }

// value returns the value of type t at p.
func (p Ptr) value(t reflect.Type) reflect.Value { return reflect.NewAt(t, p.at).Elem() }

// pointer returns a *T to the value at p, where t is T. Callers call methods on it.
func (p Ptr) pointer(t reflect.Type) any { return reflect.NewAt(t, p.at).Interface() }

// field returns the address of a field of the struct at p. No pointers are on the path.
func (p Ptr) field(offset uintptr, _ []int) Ptr { return Ptr{unsafe.Add(p.at, offset)} }

// isNil reports whether the pointer, map, slice or interface at p is nil. Each of them is nil if
// its first word is.
func (p Ptr) isNil() bool { return *as[unsafe.Pointer](p) == nil }

// deref follows the non-nil pointer at p.
func (p Ptr) deref() Ptr { return Ptr{*as[unsafe.Pointer](p)} }

// alloc sets the pointer at p to a new zero value of elem and follows it.
func (p Ptr) alloc(elem reflect.Type) Ptr {
	fresh := reflect.New(elem).UnsafePointer()
	*as[unsafe.Pointer](p) = fresh
	return Ptr{fresh}
}

// index returns the address of element i of the slice or array at p.
func (p Ptr) index(n *Node, i int) Ptr {
	if n.Kind == KindList || n.Kind == KindBytes {
		p = p.deref() // a slice begins with the pointer to its elements
	}
	return Ptr{unsafe.Add(p.at, uintptr(i)*n.Elem.size)}
}

// bytes returns the bytes of the slice or array at p, without copying them.
func (p Ptr) bytes(n *Node) []byte {
	if n.Kind == KindBytes {
		return *as[[]byte](p)
	}
	return p.value(n.Type).Bytes()
}

// int returns the signed integer at p.
func (p Ptr) int(bits uint8) int64 {
	switch bits {
	case 8:
		return int64(*as[int8](p))
	case 16:
		return int64(*as[int16](p))
	case 32:
		return int64(*as[int32](p))
	default:
		return *as[int64](p)
	}
}

func (p Ptr) setInt(bits uint8, n int64) {
	switch bits {
	case 8:
		*as[int8](p) = int8(n)
	case 16:
		*as[int16](p) = int16(n)
	case 32:
		*as[int32](p) = int32(n)
	default:
		*as[int64](p) = n
	}
}

// uint returns the unsigned integer at p: the lower bits of the signed one.
func (p Ptr) uint(bits uint8) uint64 { return uint64(p.int(bits)) & (1<<bits - 1) }

func (p Ptr) setUint(bits uint8, n uint64) { p.setInt(bits, int64(n)) }

// View returns bytes as a text, without copying them. The text is valid as long as they do not
// change.
func View(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
