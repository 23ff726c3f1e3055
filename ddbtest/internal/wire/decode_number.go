package wire

import (
	"errors"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
)

const (
	noNumber        = "The parameter cannot be converted to a numeric value"
	numberPrecision = "Attempting to store more than 38 significant digits in a Number"
	numberOverflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	numberUnderflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
)

// numberContent reads a string with a number. It records an invalid number, and returns 0.
func (d *decoder) numberContent() (decimal.Decimal, error) {
	if d.token() != tokenString {
		return decimal.Decimal{}, d.notScalar("String")
	}
	text, err := d.string()
	if err != nil {
		return decimal.Decimal{}, err
	}
	n, err := decimal.Parse(string(text))
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, decimal.ErrPrecision):
		d.addInvalid(numberPrecision)
	case errors.Is(err, decimal.ErrOverflow):
		d.addInvalid(numberOverflow)
	case errors.Is(err, decimal.ErrUnderflow):
		d.addInvalid(numberUnderflow)
	case len(text) == 0:
		d.addInvalid(noNumber)
	default:
		d.addInvalid("%s: %s", noNumber, shorten(string(text)))
	}
	return decimal.Decimal{}, nil
}
