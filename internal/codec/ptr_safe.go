//go:build trestle_safe

package codec

import (
	"reflect"
	"time"
)

// Ptr is the address of a Go value of the type that a Struct, Field or Node was compiled for. It
// keeps the value alive.
type Ptr struct{ v reflect.Value }

// PtrTo returns the address that v, a non-nil pointer, holds.
func PtrTo(v any) Ptr { return Ptr{reflect.ValueOf(v).Elem()} }

// PtrOf returns the address of an addressable value.
func PtrOf(v reflect.Value) Ptr { return Ptr{v} }

func (p Ptr) value(reflect.Type) reflect.Value { return p.v }

// setZero skips an embedded struct of an unexported type: reflection can set its fields, but not
// the whole struct.
func (p Ptr) setZero(reflect.Type) {
	if p.v.CanSet() {
		p.v.SetZero()
	}
}

func (p Ptr) pointer(reflect.Type) any { return p.v.Addr().Interface() }

func (p Ptr) field(_ uintptr, index []int) Ptr { return Ptr{p.v.FieldByIndex(index)} }

func (p Ptr) isNil() bool { return p.v.IsNil() }

func (p Ptr) deref() Ptr { return Ptr{p.v.Elem()} }

func (p Ptr) alloc(elem reflect.Type) Ptr {
	p.v.Set(reflect.New(elem))
	return Ptr{p.v.Elem()}
}

func (p Ptr) sliceLen() int { return p.v.Len() }

func (p Ptr) sliceIndex(i int, _ uintptr) Ptr { return Ptr{p.v.Index(i)} }

func (p Ptr) arrayIndex(i int, _ uintptr) Ptr { return Ptr{p.v.Index(i)} }

func (p Ptr) bool() bool        { return p.v.Bool() }
func (p Ptr) setBool(b bool)    { p.v.SetBool(b) }
func (p Ptr) text() string      { return p.v.String() }
func (p Ptr) setText(s string)  { p.v.SetString(s) }
func (p Ptr) bytes() []byte     { return p.v.Bytes() }
func (p Ptr) setBytes(b []byte) { p.v.SetBytes(b) }

func (p Ptr) time() time.Time {
	t, _ := p.v.Convert(timeType).Interface().(time.Time)
	return t
}

func (p Ptr) setTime(t time.Time) { p.v.Set(reflect.ValueOf(t).Convert(p.v.Type())) }

func (p Ptr) texts() []string {
	s, _ := p.v.Convert(textsType).Interface().([]string)
	return s
}

func (p Ptr) setTexts(s []string) { p.v.Set(reflect.ValueOf(s).Convert(p.v.Type())) }

func (p Ptr) textMap() map[string]string {
	m, _ := p.v.Convert(textMapType).Interface().(map[string]string)
	return m
}

func (p Ptr) setTextMap(m map[string]string) { p.v.Set(reflect.ValueOf(m).Convert(p.v.Type())) }

func (p Ptr) int(uint8) int64             { return p.v.Int() }
func (p Ptr) setInt(_ uint8, n int64)     { p.v.SetInt(n) }
func (p Ptr) uint(uint8) uint64           { return p.v.Uint() }
func (p Ptr) setUint(_ uint8, n uint64)   { p.v.SetUint(n) }
func (p Ptr) float(uint8) float64         { return p.v.Float() }
func (p Ptr) setFloat(_ uint8, f float64) { p.v.SetFloat(f) }
