package expr

import (
	"math"
	"reflect"
)

// convert returns a pointer to a value of type t that equals *arg. It returns arg if arg already
// points to a t, and adds pointers if t is a pointer. An operand of an untyped path is an any, and
// fit converts it without loss. fit returns false if that is impossible.
func convert(arg any, t reflect.Type) (any, bool) {
	v := reflect.ValueOf(arg)
	if v.Type().Elem() == t {
		return arg, true
	}
	v = v.Elem()
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil, false
		}
		v = v.Elem()
	}
	p := reflect.New(t)
	if !assign(p.Elem(), v) {
		return nil, false
	}
	return p.Interface(), true
}

// assign sets dst to v. dst may be a pointer, which assign allocates.
func assign(dst, v reflect.Value) bool {
	switch {
	case v.Type() == dst.Type():
		dst.Set(v)
		return true
	case dst.Kind() == reflect.Pointer:
		p := reflect.New(dst.Type().Elem())
		if !assign(p.Elem(), v) {
			return false
		}
		dst.Set(p)
		return true
	case dst.Kind() == reflect.Interface && v.Type().Implements(dst.Type()):
		dst.Set(v)
		return true
	case v.Kind() == reflect.Pointer && !v.IsNil():
		return assign(dst, v.Elem())
	default:
		return convertKind(dst, v)
	}
}

// convertKind sets dst to v converted to dst's type. It returns false if the value would change.
func convertKind(dst, v reflect.Value) bool {
	switch {
	case dst.CanInt() && v.CanInt() && !dst.OverflowInt(v.Int()):
		dst.SetInt(v.Int())
	case dst.CanUint() && v.CanInt() && v.Int() >= 0 && !dst.OverflowUint(uint64(v.Int())):
		dst.SetUint(uint64(v.Int()))
	case dst.CanUint() && v.CanUint() && !dst.OverflowUint(v.Uint()):
		dst.SetUint(v.Uint())
	case dst.CanInt() && v.CanUint() && v.Uint() <= 1<<63-1 && !dst.OverflowInt(int64(v.Uint())):
		dst.SetInt(int64(v.Uint()))
	case dst.CanFloat() && v.CanFloat():
		dst.SetFloat(v.Float())
		return dst.Float() == v.Float()
	case dst.CanFloat() && v.CanInt():
		dst.SetFloat(float64(v.Int()))
		return v.Int() > -1<<53 && v.Int() < 1<<53 && dst.Float() == float64(v.Int())
	case v.CanFloat() && v.Float() > -1<<53 && v.Float() < 1<<53 && v.Float() == math.Trunc(v.Float()):
		return convertKind(dst, reflect.ValueOf(int64(v.Float())))
	case dst.Kind() == reflect.String && v.Kind() == reflect.String:
		dst.SetString(v.String())
	case dst.Kind() == v.Kind() && v.Kind() != reflect.Interface && v.CanConvert(dst.Type()):
		dst.Set(v.Convert(dst.Type()))
	default:
		return false
	}
	return true
}
