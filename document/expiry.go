package document

import (
	"maps"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// expires returns the time to live of an entity, as it is stored; nil for none.
func (p *part) expires(entity reflect.Value) core.AV {
	f := p.plan.TTL
	if f == nil || f.IsZero(codec.PtrOf(entity.Elem())) {
		return nil
	}
	av, _ := f.Encode(codec.PtrOf(entity.Elem())) // a put reports the error
	return av
}

// setExpires sets the time to live of an entity.
func (p *part) setExpires(entity reflect.Value, av core.AV) error {
	f := p.plan.TTL
	switch {
	case f == nil:
		return nil
	case av != nil:
		return errs.Wrap(f.Name, f.Decode(av, codec.PtrOf(entity.Elem())))
	case !f.IsZero(codec.PtrOf(entity.Elem())):
		entity.Elem().FieldByIndex(f.Index).SetZero()
	}
	return nil
}

// now returns which times to live have passed.
func (s *store) now() core.Expiry { return core.ExpiryAt(s.config.Now()) }

// setExpires sets the time to live of the document: that of the root. A root without one gets its
// lifetime.
func (c *changes) setExpires(root reflect.Value) error {
	if c.root.plan.TTL == nil {
		return nil
	}
	if err := write.SetExpiry(c.root.plan, codec.PtrOf(root.Elem()), c.config.Now()); err != nil {
		return err
	}
	c.expires = c.root.expires(root)
	if c.base != nil && len(c.read) < len(c.parts) && !core.SameValue(c.expires, c.root.expires(c.base.root)) {
		return errs.Wrap(c.root.plan.TTL.Name, errRewrites)
	}
	return nil
}

// renews reports whether a save changes the time to live of a stored item.
func (c *changes) renews(before stored) bool {
	return before.part != nil && !core.SameValue(c.expires, before.part.expires(before.entity))
}

// addExpiry adds a time to live to an item of the library's own; nil for none.
func (s *store) addExpiry(item op.Item, av core.AV) {
	if av != nil {
		item[s.schema.TTL] = av
	}
}

// intentExpires returns the time to live of the intent: when all chunks that it lists have expired,
// and the save is given up. It is nil if one of them does not expire.
func (c *changes) intentExpires() core.AV {
	times := []core.AV{c.expires}
	if c.base != nil {
		times = append(times, c.root.expires(c.base.root))
	}
	last := c.config.Now().Add(2*c.settings.WriteTime + time.Second).Unix()
	for _, av := range times {
		seconds, ok := secondsOf(av)
		if !ok {
			return nil
		}
		last = max(last, seconds)
	}
	return number(strconv.FormatInt(last, 10))
}

// secondsOf returns a time to live in seconds since 1970. It returns false for none.
func secondsOf(av core.AV) (int64, bool) {
	n, ok := av.(*types.AttributeValueMemberN)
	if !ok {
		return 0, false
	}
	seconds, err := strconv.ParseInt(n.Value, 10, 64)
	return seconds, err == nil && seconds > 0
}

// birthSize is the length of the birth in a revision, which has 65 random bits.
const birthSize = 13

// newRevision returns the name of a save. If the document expires, the name begins with its birth:
// a random text of the document's first save, and a dot.
func (s *store) newRevision(base *snapshot) (string, error) {
	name, err := s.config.Random.Text()
	if err != nil {
		return "", err
	}
	prefix := ""
	if base != nil {
		prefix = birthOf(base.revision(s.layout))
	} else if s.root.plan.TTL != nil {
		first, err := s.config.Random.Text()
		if err != nil {
			return "", err
		}
		prefix = first[:birthSize] + "."
	}
	return prefix + name, nil
}

// birthOf returns the birth of a revision, or "" if it has none.
func birthOf(revision string) string {
	birth, _, has := strings.Cut(revision, ".")
	if !has {
		return ""
	}
	return birth + "."
}

// isOther reports whether an item is of an earlier document with the same key, which has expired.
func (r *Root) isOther(i found) bool {
	revision := *i.part.revisionOf(i.entity)
	return r.Revision != "" && revision != "" && birthOf(revision) != birthOf(r.Revision)
}

// dropOthers removes the items that are not of the document, or have expired.
func (r *Root) dropOthers(items map[string]found, now core.Expiry) {
	maps.DeleteFunc(items, func(_ string, i found) bool {
		return r.isOther(i) || now.Contains(i.part.expires(i.entity))
	})
}

// dropExpiring removes the items of earlier documents that DynamoDB deletes. Their guards may
// belong to other items already.
func (r *Root) dropExpiring(items map[string]found) {
	maps.DeleteFunc(items, func(_ string, i found) bool {
		return r.isOther(i) && i.part.expires(i.entity) != nil
	})
}
