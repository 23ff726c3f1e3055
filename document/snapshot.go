package document

import (
	"crypto/sha256"
	"encoding/base64"
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// snapshot is what a document was when it was read or saved last. It does not change.
type snapshot struct {
	layout  *layout
	root    reflect.Value // a pointer to a copy of the root
	version core.AV
	read    []*part
	items   map[string]stored // by sort key, with the root
	damaged bool              // a save repairs the document, also if nothing has changed
	lost    *Reference        // a log that cannot be read; nil: none
}

// stored is an item of a snapshot.
type stored struct {
	part     *part
	key      op.Item
	revision string
	sum      [sha256.Size]byte // of the item that a put would store
	large    []Reference
	entity   reflect.Value // a pointer to a copy without large values, to delete the item
}

// snapshot returns the snapshot of a document that is stored as it is.
func (s *store) snapshot(doc reflect.Value, read []*part) (*snapshot, error) {
	at := &snapshot{layout: s.layout, read: read, items: map[string]stored{}}
	for _, p := range read {
		for _, e := range p.items(doc) {
			i, err := s.item(p, e)
			if err != nil {
				return nil, err
			}
			at.items[s.sortKey(i.key)] = i
			if p.isRoot {
				at.root = i.entity
				if at.version, err = s.version(e); err != nil {
					return nil, err
				}
			}
		}
	}
	return at, nil
}

// item returns an entity as an item of a snapshot.
func (s *store) item(p *part, entity reflect.Value) (stored, error) {
	item, err := write.Item(p.plan, codec.PtrOf(entity.Elem()))
	if err != nil {
		return stored{}, err
	}
	i := stored{part: p, key: s.schema.KeyOf(core.NewRow(item)), revision: *p.revisionOf(entity), large: p.references(entity)}
	i.sum = sha256.Sum256(appendItem(nil, item))
	i.entity = reflect.New(p.plan.Type)
	i.entity.Elem().Set(entity.Elem())
	for _, l := range p.large {
		i.entity.Elem().FieldByIndex(l.index).SetZero()
	}
	return i, nil
}

// pending returns the log of the snapshot that may not be applied yet.
func (at *snapshot) pending(l *layout) *Reference {
	if at.lost != nil {
		return nil
	}
	return l.root.rootOf(at.root).Log
}

// revision returns the revision of the snapshot.
func (at *snapshot) revision(l *layout) string { return l.root.rootOf(at.root).Revision }

// checksum returns the checksum of the items of a part, by their sort keys and revisions. It is
// empty if there are none.
func checksum(revisions map[string]string) string {
	if len(revisions) == 0 {
		return ""
	}
	lines := make([]string, 0, len(revisions))
	for sort, revision := range revisions {
		lines = append(lines, sort+"\x00"+revision+"\n")
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// verify returns errMoved unless the items are those of one save, and have the time to live of the
// root.
func (s *store) verify(head found, read []*part, items map[string]found) error {
	root, expires := s.root.rootOf(head.entity), s.root.expires(head.entity)
	if root.Revision == "" {
		return nil
	}
	revisions := map[*part]map[string]string{}
	for sort, i := range items {
		if !core.SameValue(expires, i.part.expires(i.entity)) {
			return errMoved
		}
		if revisions[i.part] == nil {
			revisions[i.part] = map[string]string{}
		}
		revisions[i.part][sort] = *i.part.revisionOf(i.entity)
	}
	for _, p := range read {
		if !p.isRoot && checksum(revisions[p]) != root.Parts[p.plan.Name] {
			return errMoved
		}
	}
	return nil
}
