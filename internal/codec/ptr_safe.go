//go:build trestle_safe

package codec

import "reflect"

// Ptr is the address of a Go value of the type that a Struct, Field or Node was compiled for. It
// keeps the value alive.
type Ptr struct{ v reflect.Value }

// PtrTo returns the address that v, a non-nil pointer, holds.
func PtrTo(v any) Ptr { return Ptr{reflect.ValueOf(v).Elem()} }

// PtrOf returns the address of an addressable value.
func PtrOf(v reflect.Value) Ptr { return Ptr{v} }

func as[T any](p Ptr) *T { return p.v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T) }

func (p Ptr) value(reflect.Type) reflect.Value { return p.v }

func (p Ptr) pointer(reflect.Type) any { return p.v.Addr().Interface() }

func (p Ptr) field(_ uintptr, index []int) Ptr { return Ptr{p.v.FieldByIndex(index)} }

func (p Ptr) isNil() bool { return p.v.IsNil() }

func (p Ptr) deref() Ptr { return Ptr{p.v.Elem()} }

func (p Ptr) alloc(elem reflect.Type) Ptr {
	p.v.Set(reflect.New(elem))
	return Ptr{p.v.Elem()}
}

func (p Ptr) index(_ *Node, i int) Ptr { return Ptr{p.v.Index(i)} }

func (p Ptr) bytes(*Node) []byte { return p.v.Bytes() }

func (p Ptr) int(uint8) int64           { return p.v.Int() }
func (p Ptr) setInt(_ uint8, n int64)   { p.v.SetInt(n) }
func (p Ptr) uint(uint8) uint64         { return p.v.Uint() }
func (p Ptr) setUint(_ uint8, n uint64) { p.v.SetUint(n) }

// View returns bytes as a text.
func View(b []byte) string { return string(b) }
