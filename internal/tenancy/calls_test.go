package tenancy_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// caller makes random calls for one tenant.
type caller struct {
	r       *rand.Rand
	s       service
	me      string
	other   string
	naive   bool // the tenant is always given, because the service has no handle
	foreign bool // an argument of the last call was of the other tenant
	results []string
	cursors map[string]string // the last cursor of each query
	theirs  map[string]string // those of the other tenant
	cursor  bool              // the last call used one of theirs
}

// tenant returns the tenant of an argument: none, the caller's, or sometimes the other one.
func (c *caller) tenant() string {
	switch {
	case c.r.IntN(10) == 0:
		c.foreign = true
		return c.other
	case c.naive || c.r.IntN(2) == 0:
		return c.me
	default:
		return ""
	}
}

// id returns an ID that looks like a part of a key. None looks like a whole key, because the
// recorder takes such values of expressions for keys.
func (c *caller) id() string {
	ids := []string{"1", "2", "1", "2", "3", "1#2", "1|2", "$U", "$Ux", "#", "#T#" + c.other, "#T#" + c.other + "#A", "*", "?", "a$", "\x00", " "}
	return ids[c.r.IntN(len(ids))]
}

func (c *caller) album() album { return album{Tenant: c.tenant(), ID: c.id(), Title: c.id()} }

func (c *caller) albumKey() album { return album{Tenant: c.tenant(), ID: c.id()} }

func (c *caller) photo() *photo {
	return &photo{Tenant: c.tenant(), Album: c.id(), ID: c.id(), Name: c.id(), Place: c.id()}
}

func (c *caller) photoKey() photo { return photo{Tenant: c.tenant(), Album: c.id(), ID: c.id()} }

// got records the tenants of results.
func (c *caller) got(tenants ...string) {
	for _, t := range tenants {
		if t != "" {
			c.results = append(c.results, t)
		}
	}
}

func (c *caller) gotAlbums(list []*album) {
	for _, a := range list {
		if a != nil {
			c.got(a.Tenant)
		}
	}
}

func (c *caller) gotPhotos(list []photo, err error) error {
	for _, p := range list {
		c.got(p.Tenant)
	}
	return err
}

func (c *caller) gotAny(list []any) {
	for _, v := range list {
		switch v := v.(type) {
		case album:
			c.got(v.Tenant)
		case photo:
			c.got(v.Tenant)
		}
	}
}

// page reads a page at the last cursor of a query, or at one of the other tenant.
func page1[R any](ctx context.Context, c *caller, name string, read func(context.Context, string) (query.Page[R], error)) ([]R, error) {
	at := c.cursors[name]
	if their := c.theirs[name]; their != "" && c.r.IntN(3) == 0 {
		at, c.cursor = their, true
	}
	p, err := read(ctx, at)
	if err == nil && !c.foreign && !c.cursor {
		c.cursors[name] = p.Next
	}
	return p.Items, err
}

// token returns one of few keys, which both tenants use.
func (c *caller) token() shard.AddOption { return shard.Once(strconv.Itoa(c.r.IntN(40))) }

var calls = map[string]func(ctx context.Context, c *caller) error{
	"create": func(ctx context.Context, c *caller) error {
		a := c.album()
		err := c.s.albums.Create(ctx, &a)
		if err == nil {
			c.got(a.Tenant)
		}
		return err
	},
	"get": func(ctx context.Context, c *caller) error {
		a, err := c.s.albums.Get(ctx, c.albumKey())
		c.got(a.Tenant)
		return err
	},
	"get many": func(ctx context.Context, c *caller) error {
		list, err := c.s.albums.GetMany(ctx, []album{c.albumKey(), c.albumKey()})
		c.gotAlbums(list)
		return err
	},
	"put": func(ctx context.Context, c *caller) error {
		a := c.album()
		return c.s.albums.Put(ctx, &a)
	},
	"overwrite": func(ctx context.Context, c *caller) error {
		a := c.album()
		return c.s.albums.Overwrite(ctx, &a)
	},
	"update": func(ctx context.Context, c *caller) error {
		a, err := c.s.albums.Update(ctx, c.albumKey(), title.Set(c.id()))
		c.got(a.Tenant)
		return err
	},
	"upsert": func(ctx context.Context, c *caller) error {
		_, err := c.s.albums.Upsert(ctx, c.albumKey(), title.Set(c.id()))
		return err
	},
	"delete": func(ctx context.Context, c *caller) error { return c.s.albums.Delete(ctx, c.albumKey()) },
	"put many": func(ctx context.Context, c *caller) error {
		return c.s.photos.PutMany(ctx, slices.Values([]*photo{c.photo(), c.photo()}))
	},
	"delete many": func(ctx context.Context, c *caller) error {
		return c.s.albums.DeleteMany(ctx, slices.Values([]album{c.albumKey(), c.albumKey()}))
	},
	"write many": func(ctx context.Context, c *caller) error {
		a := c.album()
		return entity.WriteMany(ctx, slices.Values([]entity.Operation{c.s.albums.Op().Overwrite(&a), c.s.photos.Op().Delete(c.photoKey())}))
	},
	"create photo": func(ctx context.Context, c *caller) error { return c.s.photos.Create(ctx, c.photo()) },
	"put photo":    func(ctx context.Context, c *caller) error { return c.s.photos.Put(ctx, c.photo()) },
	"rename photo": func(ctx context.Context, c *caller) error {
		p, err := c.s.photos.Update(ctx, c.photoKey(), name.Set(c.id()), place.Set(c.id()))
		c.got(p.Tenant)
		return err
	},
	"like photo": func(ctx context.Context, c *caller) error {
		_, err := c.s.photos.Op().Update(c.photoKey(), attr.Add(likes, 1)).Once(strconv.Itoa(c.r.IntN(1000))).Do(ctx)
		return err
	},
	"delete photo": func(ctx context.Context, c *caller) error { return c.s.photos.Delete(ctx, c.photoKey()) },
	"query": func(ctx context.Context, c *caller) error {
		return c.gotPhotos(query.Of(c.s.photos, photo{Tenant: c.tenant(), Album: c.id()}).Collect(ctx))
	},
	"index": func(ctx context.Context, c *caller) error {
		return c.gotPhotos(query.On(c.s.photos, "by-place", photo{Tenant: c.tenant(), Place: c.id()}).Collect(ctx))
	},
	"page": func(ctx context.Context, c *caller) error {
		items, err := page1(ctx, c, "page", query.Of(c.s.photos, photo{Tenant: c.tenant(), Album: "1"}).Limit(1).Page)
		return c.gotPhotos(items, err)
	},
	"index page": func(ctx context.Context, c *caller) error {
		items, err := page1(ctx, c, "index page", query.On(c.s.photos, "by-place", photo{Tenant: c.tenant(), Place: "1"}).Limit(1).Page)
		return c.gotPhotos(items, err)
	},
	"collection": func(ctx context.Context, c *caller) error {
		items, err := page1(ctx, c, "collection", query.Of(c.s.albums, album{Tenant: c.tenant(), ID: "1"}).Collection().Page)
		c.gotAny(items)
		return err
	},
	"delete collection": func(ctx context.Context, c *caller) error {
		if c.r.IntN(4) > 0 {
			return nil // else nothing is left for the other calls
		}
		_, err := query.Of(c.s.albums, c.albumKeyOf("3")).Collection().Delete(ctx)
		return err
	},
	"load": func(ctx context.Context, c *caller) error {
		var view struct {
			Albums []album
			Photos []photo
		}
		err := query.Load(ctx, query.Of(c.s.albums, c.albumKeyOf("1")).Collection(), &view)
		return c.gotPhotos(view.Photos, err)
	},
	"refs": func(ctx context.Context, c *caller) error {
		list, err := query.GetMany(ctx, query.Ref(c.s.albums, c.albumKey()), query.Ref(c.s.photos, c.photoKey()))
		c.gotAny(list)
		return err
	},
	"write": func(ctx context.Context, c *caller) error {
		a := c.album()
		return tx.WriteOnce(ctx, strconv.Itoa(c.r.IntN(1000)), c.s.albums.Op().Create(&a), c.s.photos.Op().Update(c.photoKey(), attr.Add(likes, 1)))
	},
	"move": func(ctx context.Context, c *caller) error {
		number := func(n int) string { return strconv.Itoa(1 + c.r.IntN(n)) }
		from, to := photo{Tenant: c.tenant(), Album: "1", ID: number(4)}, &photo{Tenant: c.tenant(), Album: "1", ID: number(30)}
		return tx.Write(ctx, tx.Move(c.s.photos, from, to))
	},
	"read": func(ctx context.Context, c *caller) error {
		var a *album
		var p *photo
		err := tx.Read(ctx, tx.Get(c.s.albums, c.albumKey(), &a), tx.Get(c.s.photos, c.photoKey(), &p))
		c.gotAlbums([]*album{a})
		return err
	},
	"vote":  func(ctx context.Context, c *caller) error { return c.s.votes.Add(ctx, c.id(), 1, c.token()) },
	"event": func(ctx context.Context, c *caller) error { return c.s.events.Add(ctx, c.id(), 1, c.token()) },
	"votes": func(ctx context.Context, c *caller) error {
		_, err := c.s.votes.Top(ctx, 3)
		return err
	},
	"events": func(ctx context.Context, c *caller) error {
		_, err := c.s.events.Total(ctx, c.id())
		return err
	},
	"limit": func(ctx context.Context, c *caller) error { return c.s.tickets.SetLimit(ctx, c.id(), 1000) },
	"take":  func(ctx context.Context, c *caller) error { return c.s.tickets.Take(ctx, c.id(), 1, c.token()) },
	"take in a transaction": func(ctx context.Context, c *caller) error {
		return tx.Write(ctx, c.s.tickets.Op(c.id(), 1, c.token()), c.s.albums.Op().Upsert(c.albumKey(), title.Set("taken")))
	},
	"left": func(ctx context.Context, c *caller) error {
		_, err := c.s.tickets.Left(ctx, c.id())
		return err
	},
	"replace": func(ctx context.Context, c *caller) error {
		b, err := c.s.books.Upsert(ctx, book{Tenant: c.tenant(), ID: c.id()}, generations.Slice([]page{{N: 1}, {N: 2}}))
		c.got(b.Tenant)
		return err
	},
	"read generation": func(ctx context.Context, c *caller) error {
		_, parts, err := c.s.books.Read(ctx, book{Tenant: c.tenant(), ID: c.id()})
		for _, p := range parts {
			c.got(p.Tenant)
		}
		return err
	},
	"delete generation": func(ctx context.Context, c *caller) error {
		return c.s.books.Delete(ctx, book{Tenant: c.tenant(), ID: c.id()})
	},
	"explain": func(_ context.Context, c *caller) error {
		_, err := c.s.photos.Op().Delete(c.photoKey()).Explain(trestle.Assumption{})
		return err
	},
}

func (c *caller) albumKeyOf(id string) album { return album{Tenant: c.tenant(), ID: id} }
