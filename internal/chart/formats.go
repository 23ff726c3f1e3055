package chart

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// samples are values of each kind, the same ever after: what a format writes of them tells it from another format of its name.
var samples = map[keys.Kind][]keys.Value{
	keys.KindText:  {keys.Text("a"), keys.Text("Sample 42"), keys.Text("ÄÖ#é")},
	keys.KindInt:   {keys.Int(1), keys.Int(1234567), keys.Int(-7)},
	keys.KindUint:  {keys.Uint(1), keys.Uint(1234567)},
	keys.KindFloat: {keys.Float(1), keys.Float(1234.5), keys.Float(-0.25)},
	keys.KindTime: {
		keys.Time(time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)), keys.Time(time.Date(2001, 12, 31, 23, 59, 58, 123456789, time.UTC)),
	},
	keys.KindBool:  {keys.Bool(false), keys.Bool(true)},
	keys.KindBytes: {keys.Bytes([]byte("a")), keys.Bytes([]byte{0, 1, 255})},
}

// formatLines are what the table's own formats write of the samples, by name and kind, as far as templates use them.
func formatLines(s *core.Schema) []string {
	lines := map[string]bool{}
	for _, p := range s.Plans {
		for _, a := range keysOf(p) {
			for _, f := range a.Template.Fields() {
				name, _, _ := strings.Cut(f.Format, ",")
				if format, named := s.Formats[name]; named && name != "" {
					lines["format "+word(name)+" "+f.Kind.String()+sampled(format, f.Kind)] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

func sampled(f keys.Format, kind keys.Kind) string {
	var b strings.Builder
	for _, v := range samples[kind] {
		b.WriteByte(' ')
		if text, ok := written(f, v); ok {
			b.WriteString(strconv.Quote(text))
		} else {
			b.WriteString("refused")
		}
	}
	return b.String()
}

// written is what a format writes. A format that a program brings may know no more values than that program has.
func written(f keys.Format, v keys.Value) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	text, err := f.Encode(v)
	return text, err == nil
}

var formatName = regexp.MustCompile(`<[^:>]*:([^,>]*)`)

// reformatted says of the formats in a template which of them write otherwise than they did.
func (c *comparison) reformatted(template string) (changes []string) {
	for _, match := range formatName.FindAllStringSubmatch(template, -1) {
		name := match[1]
		for _, format := range sorted(c.was.formats) {
			was, is := c.was.formats[format], c.is.formats[format]
			if of, _, _ := strings.Cut(format, " "); of == name && is != "" && is != was {
				changes = append(changes, fmt.Sprintf("what %s writes was %s and is %s", name, was, is))
			}
		}
	}
	slices.Sort(changes)
	return slices.Compact(changes)
}
