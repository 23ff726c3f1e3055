package explore

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

type stateKey [32]byte

func hash(b []byte) [32]byte { return sha256.Sum256(b) }

// key identifies the state of the run: the database, and all on which the further behavior of
// clients and faults depends. Clients with the same history continue alike.
func (r *run) key() stateKey {
	h := sha256.New()
	var b [8]byte
	number := func(n uint64) {
		binary.BigEndian.PutUint64(b[:], n)
		h.Write(b[:])
	}
	text := func(s string) {
		number(uint64(len(s)))
		h.Write([]byte(s))
	}
	content := r.db.Hash()
	h.Write(content[:])
	number(uint64(r.elapsed()))
	if r.rested {
		number(1)
	}
	number(uint64(r.wakes))
	for _, p := range r.processes {
		number(uint64(p.phase))
		h.Write(p.chain[:])
		number(uint64(len(p.waiting)))
		for _, c := range p.waiting {
			number(uint64(c.number))
			text(c.request.canonical)
		}
	}
	number(uint64(len(r.late)))
	for _, name := range lateNames(r.late) {
		text(name)
	}
	for _, n := range r.used {
		number(uint64(n))
	}
	for _, token := range slices.Sorted(slices.Values(r.applied)) {
		text(token)
	}
	if r.search.ordered {
		text(strings.Join(r.trace, " ")) // no two states are alike
	}
	if r.allowed(StaleRead) {
		r.hashVersions(h.Write)
	}
	if r.search.limit.switches >= 0 {
		number(uint64(r.switches))
		if r.last != nil {
			text(r.last.name)
		}
	}
	return stateKey(h.Sum(nil))
}

func lateNames(late []*call) []string {
	names := make([]string, len(late))
	for i, c := range late {
		names[i] = fmt.Sprint(c.process.name, ".", c.number, " ", c.abandoned, " ", c.request.canonical)
	}
	slices.Sort(names)
	return names
}

// hashVersions adds the set of contents that stale reads may see.
func (r *run) hashVersions(write func([]byte) (int, error)) {
	var all []string
	for _, v := range r.versions {
		content := v.db.Hash()
		all = append(all, string(content[:]))
	}
	slices.Sort(all)
	for _, content := range slices.Compact(all) {
		_, _ = write([]byte(content))
	}
}
