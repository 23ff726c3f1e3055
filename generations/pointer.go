package generations

import "slices"

// Pointer holds the generations of a pointer item. The entity of the pointer item embeds it. The
// program may read the fields; only this package changes the stored attributes.
//
// No generation becomes current twice. A generation that becomes current leaves Pending, and one
// that is in Obsolete never becomes current again.
type Pointer struct {
	// Generation is the current generation. The first Replace begins with one without parts.
	Generation string `dynamodbav:"generation,omitempty"`
	// Parts is the number of parts of the current generation. It is 0 if nothing is stored: before
	// the first Replace has finished, and after a Delete that has not finished.
	Parts int `dynamodbav:"generation_parts,omitempty"`
	// Pending are the generations that calls of Replace are writing, or were writing when they
	// crashed.
	Pending []string `dynamodbav:"generations_pending,omitempty,stringset"`
	// Obsolete are generations whose parts are deleted, or are to be deleted.
	Obsolete []string `dynamodbav:"generations_obsolete,omitempty,stringset"`
}

// pointer makes every struct that embeds a Pointer a [Holder].
func (p *Pointer) pointer() *Pointer { return p }

// Holder is a pointer to an entity that embeds [Pointer].
type Holder[D any] interface {
	*D
	pointer() *Pointer
}

// embedded reports whether a zero D has a Pointer. It has none if it is behind a nil pointer.
func embedded[D any](pointer func(*D) *Pointer) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return pointer(new(D)) != nil
}

// register returns the state with another pending generation. If none is current yet, first is: a
// new one without parts. So also the first generation with parts replaces one that never becomes
// current again.
func (p Pointer) register(id, first string) Pointer {
	p.Pending = with(p.Pending, id)
	if p.Generation == "" {
		p.Generation = first
	}
	return p
}

// flip returns the state after a pending generation became current.
func (p Pointer) flip(id string, parts int) Pointer {
	p.Pending = without(p.Pending, id)
	if p.Parts > 0 {
		p.Obsolete = with(p.Obsolete, p.Generation)
	}
	p.Generation, p.Parts = id, parts
	return p
}

// retire returns the state after pending generations were given up.
func (p Pointer) retire(ids ...string) Pointer {
	p.Pending, p.Obsolete = without(p.Pending, ids...), with(p.Obsolete, ids...)
	return p
}

// clear returns the state after all generations were given up. The current generation is a new one
// without parts.
func (p Pointer) clear(id string) Pointer {
	return p.retire(p.Pending...).flip(id, 0)
}

// forget returns the state without obsolete generations.
func (p Pointer) forget(ids []string) Pointer {
	p.Obsolete = without(p.Obsolete, ids...)
	return p
}

// check returns an error if a generation is wanted and another one is current.
func (p Pointer) check(wanted string) error {
	if wanted != "" && wanted != p.Generation {
		return errReplaced
	}
	return nil
}

// obsolete returns the obsolete generations, the oldest first.
func (p Pointer) obsolete() []string { return slices.Sorted(slices.Values(p.Obsolete)) }

// with returns a copy of list with more elements.
func with(list []string, ids ...string) []string { return append(slices.Clip(list), ids...) }

// without returns a copy of list without some elements.
func without(list []string, ids ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return slices.Contains(ids, id) })
}
