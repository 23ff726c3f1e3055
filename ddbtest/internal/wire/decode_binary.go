package wire

import (
	"bytes"
	"encoding/base64"
)

const (
	base64Length    = "Base64 encoded length is expected a multiple of 4 bytes but found: %d"
	base64Character = "Invalid Base64 character: '%c'"
	base64End       = "Invalid last non-pad Base64 character dectected" // the service's spelling
)

var binaries = base64.StdEncoding.Strict()

// binaryContent reads a base64 string.
func (d *decoder) binaryContent() (string, error) {
	switch d.token() {
	case tokenString:
	case tokenObject:
		return "", errSerialization(unexpectedStructure)
	case tokenArray:
		return "", errSerialization(unexpectedClass, "class java.nio.ByteBuffer")
	default:
		if _, err := d.scalarName(); err != nil {
			return "", err
		}
		return "", errSerialization(notBase64)
	}
	text, err := d.string()
	if err != nil {
		return "", err
	}
	if len(text)%4 != 0 {
		return "", errSerialization(base64Length, len(text))
	}
	if i := bytes.IndexFunc(text, notOfBase64); i >= 0 {
		return "", errSerialization(base64Character, bytes.Runes(text[i:])[0])
	}
	if d.binary, err = binaries.AppendDecode(d.binary[:0], text); err != nil {
		return "", errSerialization(base64End)
	}
	return string(d.binary), nil
}

func notOfBase64(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '+', r == '/', r == '=':
		return false
	}
	return true
}
