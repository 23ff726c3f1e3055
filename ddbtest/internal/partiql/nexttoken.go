package partiql

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// position is the content of a NextToken: where a read continues. A token belongs to its statement.
type position struct {
	Key  value.Map
	Read string // the fingerprint of the statement
}

// nextToken returns the token of a LastEvaluatedKey. It is empty if there is none.
func (p *prepared) nextToken(key value.Map) string {
	if key == nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(wire.Encode(position{key, p.fingerprint()}))
}

// startKey returns the key after which a read continues. It is nil without a token.
func (p *prepared) startKey(token *string) (value.Map, error) {
	if token == nil {
		return nil, nil
	}
	var at position
	text, err := base64.StdEncoding.DecodeString(*token)
	if err == nil {
		err = wire.Decode(text, &at)
	}
	switch {
	case err != nil:
		return nil, awserr.Validation(errInvalidToken)
	case at.Read != p.fingerprint():
		return nil, awserr.Validation(errOtherToken)
	default:
		return at.Key, nil
	}
}

// fingerprint is the same for equal statements with equal parameters.
func (p *prepared) fingerprint() string {
	var e value.Encoding
	p.encode(&e)
	sum := sha256.Sum256(e)
	return hex.EncodeToString(sum[:])
}

// encode appends the statement and its parameters.
func (p *prepared) encode(e *value.Encoding) {
	e.Text(p.text)
	e.Count(len(p.parameters))
	for _, v := range p.parameters {
		e.Value(v)
	}
}
