package codec

import "reflect"

// setZero sets the value of type t at p to its zero value. It skips an embedded struct of an
// unexported type: reflection can set its fields, but not the whole struct.
func (p Ptr) setZero(t reflect.Type) {
	if v := p.value(t); v.CanSet() {
		v.SetZero()
	}
}

func (p Ptr) float(bits uint8) float64 {
	if bits == 32 {
		return float64(*as[float32](p))
	}
	return *as[float64](p)
}

func (p Ptr) setFloat(bits uint8, f float64) {
	if bits == 32 {
		*as[float32](p) = float32(f)
	} else {
		*as[float64](p) = f
	}
}
