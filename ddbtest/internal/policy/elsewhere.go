package policy

import "strings"

// AllowedElsewhere reports whether the document allows the access to the same resource in another
// Region or account, which one of its ARNs names.
func (d *Document) AllowedElsewhere(a *Access) bool {
	own := strings.SplitN(a.Resource, ":", arnParts)
	if len(own) < arnParts {
		return false
	}
	for i := range d.statements {
		for _, p := range d.statements[i].resources {
			named := strings.SplitN(p.text(), ":", arnParts)
			if len(named) < arnParts || named[regionPart] == own[regionPart] && named[accountPart] == own[accountPart] {
				continue
			}
			other := *a
			other.Resource = strings.Join([]string{own[0], own[1], own[2], named[regionPart], named[accountPart], own[arnParts-1]}, ":")
			if d.Decide(&other) == Allowed {
				return true
			}
		}
	}
	return false
}

// The parts of an ARN: arn:partition:service:Region:account:resource.
const (
	regionPart  = 3
	accountPart = 4
	arnParts    = 6
)

// text returns the pattern as it is written, without variables.
func (p pattern) text() string {
	chars := make([]rune, len(p))
	for i, e := range p {
		chars[i] = e.char
	}
	return string(chars)
}
