package define

import "slices"

// blame adds a fault with its cause, which other places may show too.
func (c *compiler) blame(cause string, f located) {
	f.Cause = cause
	c.add(f)
}

// own is a cause that lies in the type. Other causes lie in the configuration, and several types may show them.
func (c *compiler) own(cause string) string {
	return c.typ.PkgPath() + " " + c.typ.String() + " " + cause
}

// Merge makes one fault of those that have the same cause: the first one, which then lists where the others are.
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

// also notes where else a fault shows.
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
