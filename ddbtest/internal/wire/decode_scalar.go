package wire

import (
	"math"
	"reflect"
	"strconv"
	"strings"
)

func (d *decoder) textValue(s *shape, v reflect.Value) error {
	if d.token() != tokenString {
		return d.notScalar(s.class)
	}
	text, err := d.string()
	if err != nil {
		return err
	}
	v.SetString(intern(text))
	return nil
}

func (d *decoder) boolValue(s *shape, v reflect.Value) error {
	b, err := d.bool(s.class)
	v.SetBool(b)
	return err
}

// bool reads true or false, which may also be a string.
func (d *decoder) bool(class string) (bool, error) {
	switch d.token() {
	case tokenTrue:
		return true, d.word("true")
	case tokenFalse:
		return false, d.word("false")
	case tokenString:
		text, err := d.string()
		if err != nil {
			return false, err
		}
		if strings.EqualFold(string(text), "true") {
			return true, nil
		}
		if !strings.EqualFold(string(text), "false") {
			return false, errSerialization(unexpectedToken)
		}
		return false, nil
	}
	return false, d.notScalar(class)
}

// integerValue reads a number, and truncates it to an integer.
func (d *decoder) integerValue(s *shape, v reflect.Value) error {
	if d.token() != tokenNumber {
		return d.notScalar(s.class)
	}
	text, integral, err := d.number()
	if err != nil {
		return err
	}
	if integral {
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			v.SetInt(n)
			return nil
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.Abs(f) >= 1<<63 {
		return errSerialization("NUMBER_VALUE cannot be converted to %s", s.class)
	}
	v.SetInt(int64(f))
	return nil
}

func (d *decoder) floatValue(s *shape, v reflect.Value) error {
	if d.token() != tokenNumber {
		return d.notScalar(s.class)
	}
	text, _, err := d.number()
	if err != nil {
		return err
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return errSerialization("DECIMAL_VALUE cannot be converted to %s", s.class)
	}
	v.SetFloat(f)
	return nil
}
