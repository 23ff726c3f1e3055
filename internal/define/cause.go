package define

import "slices"

// blame adds a fault with its cause, which other faults may share.
func (c *compiler) blame(cause string, f located) {
	f.Cause = cause
	c.add(f)
}

// own returns a cause that is specific to the type, such as a misspelled attribute. Other causes
// are in the configuration and can appear in several types.
func (c *compiler) own(cause string) string {
	return c.typ.PkgPath() + " " + c.typ.String() + " " + cause
}

// Merge reports each cause once. It keeps the first fault and adds the places of the others to it.
func Merge(faults []Fault) []Fault {
	var merged []Fault
	first := map[string]int{}
	for _, f := range faults {
		at, again := first[f.Cause]
		switch {
		case f.Cause == "":
		case again:
			merged[at].also(f)
			continue
		default:
			first[f.Cause] = len(merged)
		}
		merged = append(merged, f)
	}
	return merged
}

// also adds the place of another fault with the same cause.
func (f *Fault) also(other Fault) {
	if other.Type == f.Type {
		other.Type = ""
	}
	place := other.place()
	if place != f.place() && !slices.Contains(f.Also, place) {
		f.Also = append(f.Also, place)
	}
	f.Also = append(f.Also, other.Also...)
}
