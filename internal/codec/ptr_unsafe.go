//go:build !trestle_safe

package codec

import (
	"reflect"
	"time"
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

// value returns the value of type t at p.
func (p Ptr) value(t reflect.Type) reflect.Value { return reflect.NewAt(t, p.at).Elem() }

// setZero sets the value of type t at p to its zero value.
func (p Ptr) setZero(t reflect.Type) { p.value(t).SetZero() }

// pointer returns a *T to the value at p, where t is T. Callers call methods on it.
func (p Ptr) pointer(t reflect.Type) any { return reflect.NewAt(t, p.at).Interface() }

// field returns the address of a field of the struct at p. No pointers are on the path.
func (p Ptr) field(offset uintptr, _ []int) Ptr { return Ptr{unsafe.Add(p.at, offset)} }

// isNil reports whether the pointer, map, slice or interface at p is nil. Each of them is nil if
// its first word is.
func (p Ptr) isNil() bool { return *(*unsafe.Pointer)(p.at) == nil }

// deref follows the non-nil pointer at p.
func (p Ptr) deref() Ptr { return Ptr{*(*unsafe.Pointer)(p.at)} }

// alloc sets the pointer at p to a new zero value of elem and follows it.
func (p Ptr) alloc(elem reflect.Type) Ptr {
	fresh := reflect.New(elem).UnsafePointer()
	*(*unsafe.Pointer)(p.at) = fresh
	return Ptr{fresh}
}

// sliceLen returns the length of the slice at p.
func (p Ptr) sliceLen() int { return len(*(*[]struct{})(p.at)) }

// sliceIndex returns the address of element i of the slice at p.
func (p Ptr) sliceIndex(i int, size uintptr) Ptr {
	return Ptr{unsafe.Add(unsafe.Pointer(unsafe.SliceData(*(*[]byte)(p.at))), uintptr(i)*size)}
}

// arrayIndex returns the address of element i of the array at p.
func (p Ptr) arrayIndex(i int, size uintptr) Ptr { return Ptr{unsafe.Add(p.at, uintptr(i)*size)} }

func (p Ptr) bool() bool          { return *(*bool)(p.at) }
func (p Ptr) setBool(b bool)      { *(*bool)(p.at) = b }
func (p Ptr) text() string        { return *(*string)(p.at) }
func (p Ptr) setText(s string)    { *(*string)(p.at) = s }
func (p Ptr) bytes() []byte       { return *(*[]byte)(p.at) }
func (p Ptr) setBytes(b []byte)   { *(*[]byte)(p.at) = b }
func (p Ptr) time() time.Time     { return *(*time.Time)(p.at) }
func (p Ptr) setTime(t time.Time) { *(*time.Time)(p.at) = t }

// The most common slices and maps of strings. The types at p are convertible to these.

func (p Ptr) texts() []string                { return *(*[]string)(p.at) }
func (p Ptr) setTexts(s []string)            { *(*[]string)(p.at) = s }
func (p Ptr) textMap() map[string]string     { return *(*map[string]string)(p.at) }
func (p Ptr) setTextMap(m map[string]string) { *(*map[string]string)(p.at) = m }

func (p Ptr) int(bits uint8) int64 {
	switch bits {
	case 8:
		return int64(*(*int8)(p.at))
	case 16:
		return int64(*(*int16)(p.at))
	case 32:
		return int64(*(*int32)(p.at))
	default:
		return *(*int64)(p.at)
	}
}

func (p Ptr) setInt(bits uint8, n int64) {
	switch bits {
	case 8:
		*(*int8)(p.at) = int8(n)
	case 16:
		*(*int16)(p.at) = int16(n)
	case 32:
		*(*int32)(p.at) = int32(n)
	default:
		*(*int64)(p.at) = n
	}
}

func (p Ptr) uint(bits uint8) uint64 {
	switch bits {
	case 8:
		return uint64(*(*uint8)(p.at))
	case 16:
		return uint64(*(*uint16)(p.at))
	case 32:
		return uint64(*(*uint32)(p.at))
	default:
		return *(*uint64)(p.at)
	}
}

func (p Ptr) setUint(bits uint8, n uint64) {
	switch bits {
	case 8:
		*(*uint8)(p.at) = uint8(n)
	case 16:
		*(*uint16)(p.at) = uint16(n)
	case 32:
		*(*uint32)(p.at) = uint32(n)
	default:
		*(*uint64)(p.at) = n
	}
}

func (p Ptr) float(bits uint8) float64 {
	if bits == 32 {
		return float64(*(*float32)(p.at))
	}
	return *(*float64)(p.at)
}

func (p Ptr) setFloat(bits uint8, f float64) {
	if bits == 32 {
		*(*float32)(p.at) = float32(f)
		return
	}
	*(*float64)(p.at) = f
}
