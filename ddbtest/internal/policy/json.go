package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// member is one member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

var errNoObject = errors.New("it is not a JSON object")

// object returns the members of an object in their order. Unlike [json.Unmarshal], it rejects a
// name that appears twice.
func object(raw json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errNoObject
	}
	var members []member
	seen := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, errNoObject
		}
		m := member{name: fmt.Sprint(name)}
		if err := d.Decode(&m.value); err != nil {
			return nil, errNoObject
		}
		if seen[m.name] {
			return nil, fmt.Errorf("%s appears twice", m.name)
		}
		seen[m.name] = true
		members = append(members, m)
	}
	if end, err := d.Token(); err != nil || end != json.Delim('}') {
		return nil, errNoObject
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errNoObject
	}
	return members, nil
}

// elements returns the elements of a list, or the value itself if it is not a list. An invalid list
// has none.
func elements(raw json.RawMessage) []json.RawMessage {
	if raw[0] != '[' {
		return []json.RawMessage{raw}
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// stringList parses a string, a bool, or a list of them that is not empty.
func stringList(raw json.RawMessage) ([]string, error) {
	list := elements(raw)
	if len(list) == 0 {
		return nil, errors.New("the list is empty")
	}
	texts := make([]string, len(list))
	for i, raw := range list {
		text, err := stringOrBool(raw)
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	return texts, nil
}

func stringOrBool(raw json.RawMessage) (string, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", errors.New("it is not JSON")
	}
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v), nil
	case string:
		return v, checkCharacters(v)
	default:
		return "", errors.New("it must be a string or a list of strings")
	}
}

// checkCharacters rejects characters that IAM does not allow in a policy.
func checkCharacters(text string) error {
	for _, r := range text {
		if r != '\t' && r != '\n' && r != '\r' && (r < 0x20 || r > 0xFF) {
			return fmt.Errorf("IAM does not allow the character %U in a policy", r)
		}
	}
	return nil
}
