package chart

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// formatLines returns the output of the custom formats in templates for sample values, by name and
// kind.
func formatLines(s *core.Schema) []string {
	lines := map[string]bool{}
	for _, p := range s.Plans {
		for _, a := range keysOf(p) {
			for _, f := range a.Template.Fields() {
				name, _, _ := strings.Cut(f.Format, ",")
				if format, named := s.Formats[name]; named && name != "" {
					lines["format "+word(name)+" "+f.Kind.String()+core.SampleText(format, f.Kind)] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

var formatName = regexp.MustCompile(`<[^:>]*:([^,>]*)`)

// reformatted returns the formats in a template whose sample output has changed.
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
