package keys_test

import (
	"fmt"
	"strings"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// naive is the approach that the package replaces: values are inserted into the template unescaped,
// and bounds are prefixes. Every property test also runs it and must find errors.
type naive struct{ template string }

func (n naive) Render(vals ...keys.Value) (string, error) {
	out, rest := "", n.template
	for _, v := range vals {
		before, after, _ := strings.Cut(rest, "<")
		_, rest, _ = strings.Cut(after, ">")
		out += before + naiveText(v)
	}
	return out + rest, nil
}

func naiveText(v keys.Value) string {
	switch v.Kind() {
	case keys.KindText:
		return v.Text()
	case keys.KindInt:
		return fmt.Sprint(v.Int())
	case keys.KindUint:
		return fmt.Sprint(v.Uint())
	case keys.KindFloat:
		return fmt.Sprint(v.Float())
	case keys.KindTime:
		return v.Time().Format("2006-01-02T15:04:05.999999999Z07:00")
	case keys.KindBool:
		return fmt.Sprint(v.Bool())
	}
	return string(v.Bytes())
}

func (n naive) Range(fixed []keys.Value, op keyspace.Op, operands ...keys.Value) (keyspace.Range, error) {
	prefix := func(v keys.Value) string {
		text, rest := "", n.template
		for _, v := range append(fixed[:len(fixed):len(fixed)], v) {
			before, after, _ := strings.Cut(rest, "<")
			_, rest, _ = strings.Cut(after, ">")
			text += before + naiveText(v)
		}
		return text
	}
	lo := prefix(operands[0])
	switch op {
	case keyspace.Lt:
		return keyspace.Range{Op: keyspace.Lt, Lo: lo}, nil
	case keyspace.Le:
		return keyspace.Range{Op: keyspace.Le, Lo: lo}, nil
	case keyspace.Gt:
		return keyspace.Range{Op: keyspace.Gt, Lo: lo}, nil
	case keyspace.Ge:
		return keyspace.Range{Op: keyspace.Ge, Lo: lo}, nil
	case keyspace.Between, keyspace.During:
		return keyspace.Range{Op: keyspace.Between, Lo: lo, Hi: prefix(operands[1])}, nil
	}
	return keyspace.Range{Op: keyspace.BeginsWith, Lo: lo}, nil
}
