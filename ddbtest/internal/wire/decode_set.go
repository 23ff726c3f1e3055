package wire

import (
	"encoding/base64"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

const (
	invalidValues     = "One or more parameter values were invalid: "
	emptyStringSet    = invalidValues + "An string set  may not be empty"
	emptyNumberSet    = invalidValues + "An number set  may not be empty"
	emptyBinarySet    = invalidValues + "Binary sets should not be empty"
	nullInSet         = invalidValues + "An string set may not have a null string as a member"
	nullInBinarySet   = invalidValues + "Binary sets may not contain null or empty values"
	duplicateStrings  = invalidValues + "Input collection [%s] contains duplicates."
	duplicateNumbers  = "Input collection contains duplicates"
	duplicateBinaries = invalidValues + "Input collection [%s]of type BS contains duplicates."
)

func (d *decoder) stringSet() (value.StringSet, error) {
	members, err := readMembers(d, d.stringContent, nullInSet)
	if err != nil {
		return nil, err
	}
	set, ok := value.NewStringSet(members)
	switch {
	case len(members) == 0:
		d.addInvalid(emptyStringSet)
	case !ok:
		d.addInvalid(duplicateStrings, shorten(strings.Join(members, ", ")))
	}
	return set, nil
}

func (d *decoder) numberSet() (value.NumberSet, error) {
	before := d.invalidCount
	members, err := readMembers(d, d.numberContent, nullInSet)
	if err != nil {
		return nil, err
	}
	set, ok := value.NewNumberSet(members)
	switch {
	case len(members) == 0:
		d.addInvalid(emptyNumberSet)
	case !ok && d.invalidCount == before:
		d.addInvalid(duplicateNumbers)
	}
	return set, nil
}

func (d *decoder) binarySet() (value.BinarySet, error) {
	members, err := readMembers(d, d.binaryContent, nullInBinarySet)
	if err != nil {
		return nil, err
	}
	set, ok := value.NewBinarySet(members)
	switch {
	case len(members) == 0:
		d.addInvalid(emptyBinarySet)
	case !ok:
		texts := make([]string, len(members))
		for i, member := range members {
			texts[i] = base64.StdEncoding.EncodeToString([]byte(member))
		}
		d.addInvalid(duplicateBinaries, shorten(strings.Join(texts, ", ")))
	}
	return set, nil
}

// readMembers reads an array with read. null is the error message for a null element.
func readMembers[M string | decimal.Decimal](d *decoder, read func() (M, error), null string) ([]M, error) {
	var members []M
	err := d.array(func(int) error {
		none, err := d.null()
		if err != nil {
			return err
		}
		if none {
			d.addInvalid("%s", null)
			return nil
		}
		member, err := read()
		members = append(members, member)
		return err
	})
	return members, err
}
