package document

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
)

// changes is what a save stores.
type changes struct {
	*store
	doc      reflect.Value // the copy that is stored, with its new revisions
	read     []*part       // the parts that the document has
	revision string        // of the save
	base     *snapshot     // nil: the document is new
	puts     []found
	deletes  []stored
	blobs    []*blob     // of new large values
	garbage  []Reference // of former large values
	places   places      // of all chunks that the document may have
	touched  bool        // the root has changed too
	expires  core.AV     // the time to live of all items; nil: they have none
}

// place sets the fields of the partition key that are zero in an entity to those of the root.
func (s *store) place(p *part, entity, root reflect.Value) error {
	own, from := p.plan.Table.Partition[0].Members, s.root.plan.Table.Partition[0].Members
	for i, f := range own {
		if !f.IsZero(codec.PtrOf(entity.Elem())) {
			continue
		}
		v, err := from[i].Key(codec.PtrOf(root.Elem()))
		if err == nil && !v.IsAbsent() {
			err = f.SetKey(v, codec.PtrOf(entity.Elem()))
		}
		if err != nil {
			return errs.Wrap(f.Name, err)
		}
	}
	return nil
}

// changes compares a document with its snapshot. It reports the mistakes of all parts at once.
func (s *store) changes(doc reflect.Value) (*changes, error) {
	c := &changes{store: s, doc: s.clone(doc), read: s.parts, base: s.snapshotOf(doc)}
	if c.base != nil && c.base.layout != s.layout {
		return nil, errs.New("", "the document was read as one of another schema", "read it with this repository")
	}
	var err error
	if c.revision, err = s.newRevision(c.base); err != nil {
		return nil, err
	}
	if c.base != nil {
		c.read = c.base.read
	}
	var wrong errs.Problems
	root := c.doc.Field(s.root.index).Addr()
	rootKey, err := op.Item(nil), s.bind(s.root, root)
	if err == nil {
		rootKey, err = s.root.key(root)
	}
	if err != nil {
		wrong.AddAt(s.root.name, err)
		return nil, wrong.Err()
	}
	if c.base != nil && c.base.items[s.sortKey(rootKey)].part != s.root {
		wrong.Add(s.root.name, "it has another key than the root that was read", "read the document with that key, or save it without a State as a new one")
	}
	c.places = s.placesOf(rootKey, c.base)
	c.restore(root)
	wrong.AddAt(s.root.name, c.setExpires(root))
	seen := map[string]bool{}
	for _, p := range s.parts {
		if !slices.Contains(c.read, p) && len(p.items(c.doc)) > 0 {
			wrong.Add(p.name, "it has items, and was not read", "read the document with this part")
		}
		for i, e := range p.items(c.doc) {
			wrong.AddAt(p.at(i), c.compare(p, e, root, seen))
		}
	}
	if c.base != nil {
		for _, sort := range slices.Sorted(maps.Keys(c.base.items)) {
			if i := c.base.items[sort]; !seen[sort] && !i.part.isRoot {
				c.deletes, c.garbage = append(c.deletes, i), append(c.garbage, i.large...)
			}
		}
	}
	return c, wrong.Err()
}

// at names an item of a part in errors.
func (p *part) at(i int) string {
	if p.many {
		return p.name + "[" + strconv.Itoa(i) + "]"
	}
	return p.name
}

// restore gives the root the version and the state that were read.
func (c *changes) restore(root reflect.Value) {
	state := c.root.rootOf(root)
	*state = Root{}
	if c.base != nil {
		*state = *c.root.rootOf(c.base.root)
	}
	version := root.Elem().FieldByIndex(c.root.plan.Version.Index)
	version.SetZero()
	if c.base != nil {
		version.Set(c.base.root.Elem().FieldByIndex(c.root.plan.Version.Index))
	}
}

// compare adds an entity to the puts if it has changed.
func (c *changes) compare(p *part, e, root reflect.Value, seen map[string]bool) error {
	if err := c.place(p, e, root); err != nil {
		return err
	}
	if !p.isRoot && !core.InMilliseconds(c.expires) { // otherwise the root is a mistake
		if err := p.setExpires(e, c.expires); err != nil {
			return err
		}
	}
	if err := c.bind(p, e); err != nil {
		return err
	}
	key, err := p.key(e)
	if err != nil {
		return err
	}
	sort, before := c.sortKey(key), stored{}
	if seen[sort] {
		return errTwice
	}
	seen[sort] = true
	if c.base != nil {
		before = c.base.items[sort]
	}
	if !p.isRoot {
		if !sameText(c.schema, key, root, c.root) {
			return errPath
		}
		*p.revisionOf(e) = before.revision
	}
	fresh, err := c.compareLarge(p, e, before)
	if err != nil {
		return err
	}
	item, err := c.item(p, e)
	if err != nil {
		return err
	}
	changed := before.part == nil || item.sum != before.sum
	if p.isRoot {
		c.touched = changed
		return nil
	}
	if changed || fresh {
		c.puts = append(c.puts, found{p, e})
	}
	return nil
}

// sameText reports whether the partition key is that of the root.
func sameText(s *core.Schema, key map[string]core.AV, root reflect.Value, of *part) bool {
	own, err := of.key(root)
	a, _ := core.KeyText(s.Partition.Type, key[s.Partition.Name])
	b, _ := core.KeyText(s.Partition.Type, own[s.Partition.Name])
	return err == nil && a == b
}

// compareLarge makes blobs of the large values of an entity that have changed.
func (c *changes) compareLarge(p *part, e reflect.Value, before stored) (fresh bool, err error) {
	for i := range p.large {
		value, content := p.large[i].of(e)
		old := Reference{}
		for _, r := range before.large {
			if r.ID == content.ref.ID {
				old = r
			}
		}
		changed, err := c.replaceLarge(&p.large[i], value, content, old, c.renews(before))
		if err != nil {
			return false, err
		}
		fresh = fresh || changed
	}
	for _, r := range before.large {
		if !slices.ContainsFunc(p.references(e), func(now Reference) bool { return now.ID == r.ID }) {
			c.garbage = append(c.garbage, r)
		}
	}
	return fresh, nil
}

// replaceLarge replaces the reference of a large value that is not the stored one, or whose time to
// live changes: chunks are never overwritten, so the value gets new ones.
func (c *changes) replaceLarge(l *large, value any, stored *content, old Reference, renews bool) (bool, error) {
	switch {
	case isZero(value) && stored.ref.ID != "" && !stored.loaded && !stored.lost: // another repository has read the item
		if old.ID == "" {
			return false, errs.Wrap(l.name, errUnread)
		}
		if renews {
			return false, errs.Wrap(l.name, errRewrites)
		}
		return false, nil
	case isZero(value):
		had := stored.ref.ID != ""
		*stored = content{}
		return had, nil
	}
	data, err := encodeContent(value)
	if err != nil {
		return false, errs.Wrap(l.name, err)
	}
	if sum := sha256.Sum256(data); !renews && !stored.lost && old.ID != "" && bytes.Equal(sum[:], old.Sum) {
		*stored = content{ref: old, loaded: true}
		return false, nil
	}
	id, err := c.config.Random.Text()
	if err != nil {
		return false, err
	}
	b, err := newBlob(id, data, l.compress)
	if err != nil {
		return false, err
	}
	c.places.leave(old)
	c.places.take(&b.ref)
	c.blobs = append(c.blobs, b)
	*stored = content{ref: b.ref, loaded: true}
	return true, nil
}

// empty reports whether there is nothing to save.
func (c *changes) empty() bool {
	return c.base != nil && !c.base.damaged && !c.touched && len(c.puts)+len(c.deletes) == 0
}

// stamp sets the new revisions and checksums.
func (c *changes) stamp() {
	for _, put := range c.puts {
		*put.part.revisionOf(put.entity) = c.revision
	}
	state := c.root.rootOf(c.doc.Field(c.root.index).Addr())
	parts := maps.Clone(state.Parts)
	if parts == nil {
		parts = map[string]string{}
	}
	for _, p := range c.read {
		revisions := map[string]string{}
		for _, e := range p.items(c.doc) {
			if key, err := p.key(e); err == nil && !p.isRoot { // compare has checked it
				revisions[c.sortKey(key)] = *p.revisionOf(e)
			}
		}
		delete(parts, p.plan.Name)
		if sum := checksum(revisions); sum != "" {
			parts[p.plan.Name] = sum
		}
	}
	*state = Root{Revision: c.revision, Parts: parts}
}

// rootOp returns the write of the root. It requires the revision that was read, because the version
// of a document that is created again begins with 1, and that the log is applied, or that the root
// still has the log that is lost.
func (c *changes) rootOp() *repo.Op {
	root := c.doc.Field(c.root.index).Addr().Interface()
	if c.base == nil {
		return c.repo(c.root).Op(repo.Create, root, nil)
	}
	revision := c.base.revision(c.layout)
	log := c.noLog()
	if c.base.lost != nil {
		log = c.hasLog(c.base.lost)
	}
	return c.repo(c.root).Op(repo.Put, root, []*expr.Cond{c.has(attrRevision, &revision), log})
}

// partOps returns the writes of the other items.
func (c *changes) partOps() (ops []*repo.Op) {
	for _, put := range c.puts {
		ops = append(ops, c.repo(put.part).Op(repo.Put, put.entity.Interface(), nil))
	}
	for _, d := range c.deletes {
		ops = append(ops, c.repo(d.part).Op(repo.Delete, d.entity.Interface(), nil))
	}
	return ops
}

// fits reports whether the changes fit into one transaction, with the root and an intent. A guard
// or a count of a part can be another action; the transaction reports if these are too many.
func (c *changes) fits() (bool, error) {
	size := 0
	for _, e := range append(slices.Clone(c.puts), found{c.root, c.doc.Field(c.root.index).Addr()}) {
		n, err := c.itemSize(e.part, e.entity)
		if err != nil {
			return false, err
		}
		size += n
	}
	const spare = 64 << 10 // for keys, expressions, stamps and the intent
	actions := len(c.puts) + len(c.deletes) + 2
	fits := actions <= c.settings.MaxActions && actions+c.rootCompanions() <= trestle.MaxTransactionActions
	return fits && size+spare <= trestle.MaxTransactionSize, nil
}

// rootCompanions returns how many actions on guards and counts the write of the root may need: the
// former and the new one of each. It is 0 if a part may need some too: a log is then impossible.
func (c *changes) rootCompanions() int {
	puts := slices.ContainsFunc(c.puts, func(f found) bool { return f.part.plan.Companions() })
	if puts || slices.ContainsFunc(c.deletes, func(d stored) bool { return d.part.plan.Companions() }) {
		return 0
	}
	return 2 * c.root.companions()
}
