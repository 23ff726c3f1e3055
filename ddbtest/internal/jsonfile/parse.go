package jsonfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxDepth limits the nesting of values, so that no file exhausts the stack.
const maxDepth = 1000

// parser reads values one after the other.
type parser struct {
	data    []byte
	decoder *json.Decoder
	line    int   // of the offset
	offset  int64 // up to which lines are counted
}

// Parse parses a file with one or several values. A syntax error ends it: Parse adds it to the
// faults, and returns the values before it.
func Parse(data []byte, f *Faults) []*Value {
	p := &parser{data: data, decoder: json.NewDecoder(bytes.NewReader(data)), line: 1}
	p.decoder.UseNumber()
	var values []*Value
	for {
		v, err := p.value(nil, 0, f)
		if errors.Is(err, io.EOF) {
			return values
		}
		if err != nil {
			f.AddLine(p.lineAt(p.decoder.InputOffset()), "%v", err)
			return values
		}
		values = append(values, v)
	}
}

var (
	errSyntax = errors.New("this is not JSON: the file is damaged or incomplete, or has another format")
	errDeep   = fmt.Errorf("values are nested deeper than %d levels", maxDepth)
)

// value reads one value. Its error is io.EOF only at the end of the file.
func (p *parser) value(parent *Value, depth int, f *Faults) (*Value, error) {
	token, err := p.decoder.Token()
	if errors.Is(err, io.EOF) && parent == nil {
		return nil, io.EOF
	}
	if err != nil {
		return nil, errSyntax
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	v := &Value{Line: p.lineAt(p.decoder.InputOffset()), parent: parent}
	switch token := token.(type) {
	case json.Delim:
		v.Kind = Array
		if token == '{' {
			v.Kind = Object
		}
		return v, p.list(v, depth, f)
	case string:
		v.Kind, v.Text = Text, token
	case json.Number:
		v.Kind, v.Text = Number, token.String()
	case bool:
		v.Kind, v.Text = Bool, strconv.FormatBool(token)
	default:
		v.Kind = Null
	}
	return v, nil
}

// list reads the members of an object or the elements of an array.
func (p *parser) list(v *Value, depth int, f *Faults) error {
	seen := map[string]bool{}
	for p.decoder.More() {
		name := ""
		if v.Kind == Object {
			token, err := p.decoder.Token()
			if err != nil {
				return errSyntax
			}
			name, _ = token.(string)
		}
		e, err := p.value(v, depth+1, f)
		if err != nil {
			return err
		}
		e.Name, e.index = name, len(v.List)
		if v.Kind == Object && seen[name] {
			f.Add(e, "the name occurs twice in the object: remove one")
		}
		seen[name] = true
		v.List = append(v.List, e)
	}
	if _, err := p.decoder.Token(); err != nil { // the end of the list
		return errSyntax
	}
	return nil
}

// lineAt returns the line of an offset, which never decreases.
func (p *parser) lineAt(offset int64) int {
	offset = min(offset, int64(len(p.data)))
	if offset > p.offset {
		p.line += bytes.Count(p.data[p.offset:offset], []byte("\n"))
		p.offset = offset
	}
	return p.line
}
