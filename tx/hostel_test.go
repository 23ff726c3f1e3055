package tx_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// The types of the hostel have all companions and roles that a plan can depend on.
type (
	// hostelRoom counts its guests.
	hostelRoom struct {
		_      entity.Key `type:"room" pk:"T#<tenant>#ROOM#<id>" sk:"ROOM"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
		Note   string     `dynamodbav:"note"`
		Guests int        `dynamodbav:"guests"`
	}
	// hostelGuest has a unique value, a count and a version.
	hostelGuest struct {
		_       entity.Key     `type:"guest" pk:"T#<tenant>#GUEST#<id>" sk:"GUEST"`
		_       entity.Counted `in:"room" as:"guests" pk:"T#<tenant>#ROOM#<room>" sk:"ROOM"`
		Tenant  string         `dynamodbav:"tenant" entity:"tenant"`
		ID      string         `dynamodbav:"id"`
		Room    string         `dynamodbav:"room"`
		Mail    string         `dynamodbav:"mail" entity:"unique"`
		Note    string         `dynamodbav:"note"`
		Version int64          `dynamodbav:"version" entity:"version"`
	}
	// hostelPass has a unique value and expires. Its time of change is a part of each write.
	hostelPass struct {
		_       entity.Key `type:"pass" pk:"T#<tenant>#PASS#<id>" sk:"PASS"`
		Tenant  string     `dynamodbav:"tenant" entity:"tenant"`
		ID      string     `dynamodbav:"id"`
		Number  int        `dynamodbav:"number" entity:"unique"`
		Note    string     `dynamodbav:"note"`
		Updated time.Time  `dynamodbav:"updated" entity:"updated"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
	}
	// bag may be in the shard of an earlier number of shards.
	bag struct {
		_      entity.Key `type:"bag" pk:"T#<tenant>#BAG#<shard:id>" sk:"<id>" shards:"3,2"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
		Tag    string     `dynamodbav:"tag" entity:"unique"`
		Note   string     `dynamodbav:"note"`
	}
	// bill has nothing but a number.
	bill struct {
		_      entity.Key `type:"bill" pk:"T#<tenant>#BILL#<id>" sk:"BILL"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
		Sum    int        `dynamodbav:"sum"`
		Note   string     `dynamodbav:"note"`
	}
)

var (
	roomNote        = attr.Must(func(r *hostelRoom) *string { return &r.Note })
	guestNote       = attr.Must(func(g *hostelGuest) *string { return &g.Note })
	guestMail       = attr.Must(func(g *hostelGuest) *string { return &g.Mail })
	hostelGuestRoom = attr.Must(func(g *hostelGuest) *string { return &g.Room })
	passNote        = attr.Must(func(p *hostelPass) *string { return &p.Note })
	passNum         = attr.Must(func(p *hostelPass) *int { return &p.Number })
	bagNote         = attr.Must(func(b *bag) *string { return &b.Note })
	bagTag          = attr.Must(func(b *bag) *string { return &b.Tag })
	billSum         = attr.Must(func(b *bill) *int { return &b.Sum })
	billNote        = attr.Must(func(b *bill) *string { return &b.Note })
)

// hostel is a table as one process has it.
type hostel struct {
	rooms  *entity.Repo[hostelRoom]
	guests *entity.Repo[hostelGuest]
	passes *entity.Repo[hostelPass]
	bags   *entity.Repo[bag]
	bills  *entity.Repo[bill]
	votes  *shard.Counters
	beds   *shard.Bounded
	table  *entity.Table
}

func openHostel(t testing.TB, client *dynamodb.Client, db *ddbtest.DB, tenant bool) *hostel {
	t.Helper()
	s := entity.NewSchema(entity.Config{Clock: db.Now})
	rooms, guests, passes, bags, bills := entity.Define[hostelRoom](s), entity.Define[hostelGuest](s), entity.Define[hostelPass](s), entity.Define[bag](s), entity.Define[bill](s)
	table, err := s.Open(client, "hostel")
	require.NoError(t, err)
	own := table
	if tenant {
		own = table.Tenant("a")
	}
	return &hostel{
		rooms: rooms.In(own), guests: guests.In(own), passes: passes.In(own), bags: bags.In(own), bills: bills.In(own), table: table,
		votes: shard.NewCounters(own, "votes", shard.Config{Mode: shard.ExactWindow, Shards: 2}),
		beds:  shard.NewBounded(own, "beds", shard.BoundedConfig{Shards: 2}),
	}
}

// sending is an operation, and how it is sent alone; nil: only in a transaction.
type sending struct {
	operation entity.Operation
	alone     func(ctx context.Context, token string) error
}

func sendingOf[T any](o *entity.Op[T]) sending {
	return sending{o, func(ctx context.Context, token string) error {
		if token != "" {
			o = o.Once(token)
		}
		_, err := o.Do(ctx)
		return err
	}}
}

// intent is what a caller wants to write. make returns the operation anew for each call, because a
// repetition may be made by another process. The note tells the intents apart.
type intent struct {
	name string
	on   string // the item
	make func(h *hostel) sending
}

// intentOf returns a random intent, by the state at that time.
func intentOf(r *rand.Rand, h *hostel, note string, now time.Time) intent {
	ctx := context.Background()
	id, other := fmt.Sprint(r.IntN(2)), fmt.Sprint(2+r.IntN(2))
	text := func() string { return fmt.Sprint("v", r.IntN(3)) }
	switch kind := r.IntN(7); kind {
	case 0:
		g := hostelGuest{Tenant: "a", ID: id, Room: fmt.Sprint(r.IntN(2)), Mail: text(), Note: note}
		if stored, err := h.guests.Strong().Get(ctx, g); err == nil && r.IntN(4) > 0 {
			g.Version = stored.Version
		}
		key, versioned := hostelGuest{Tenant: "a", ID: id}, hostelGuest{Tenant: "a", ID: id, Version: g.Version}
		return oneSending(r, "guest", id, map[string]func(h *hostel) sending{
			"create":    func(h *hostel) sending { e := g; e.Version = 0; return sendingOf(h.guests.Op().Create(&e)) },
			"put":       func(h *hostel) sending { e := g; return sendingOf(h.guests.Op().Put(&e)) },
			"overwrite": func(h *hostel) sending { e := g; return sendingOf(h.guests.Op().Overwrite(&e)) },
			"update":    func(h *hostel) sending { return sendingOf(h.guests.Op().Update(key, guestNote.Set(note))) },
			"update unique": func(h *hostel) sending {
				return sendingOf(h.guests.Op().Update(key, guestNote.Set(note), guestMail.Set(g.Mail)))
			},
			"update count": func(h *hostel) sending {
				return sendingOf(h.guests.Op().Update(versioned, guestNote.Set(note), hostelGuestRoom.Set(g.Room)))
			},
			"update, condition": func(h *hostel) sending {
				return sendingOf(h.guests.Op().Update(key, guestNote.Set(note), guestMail.Set(g.Mail), attr.If(hostelGuestRoom.Eq(g.Room))))
			},
			"upsert": func(h *hostel) sending {
				return sendingOf(h.guests.Op().Upsert(key, guestNote.Set(note), guestMail.Set(g.Mail), hostelGuestRoom.Set(g.Room)))
			},
			"delete":            func(h *hostel) sending { return sendingOf(h.guests.Op().Delete(key)) },
			"delete, version":   func(h *hostel) sending { return sendingOf(h.guests.Op().Delete(versioned)) },
			"delete, condition": func(h *hostel) sending { return sendingOf(h.guests.Op().Delete(key, hostelGuestRoom.Eq(g.Room))) },
			"check":             func(h *hostel) sending { return sendingOf(h.guests.Op().Check(key, hostelGuestRoom.Eq(g.Room))) },
			"move": func(h *hostel) sending {
				e := g
				e.ID, e.Version = other, 0
				return sendingOf(tx.Move(h.guests, versioned, &e))
			},
		})
	case 1:
		p := hostelPass{Tenant: "a", ID: id, Number: r.IntN(3), Note: note, Expires: now.Add(time.Duration(r.IntN(3)-1) * time.Hour)}
		key := hostelPass{Tenant: "a", ID: id}
		return oneSending(r, "pass", id, map[string]func(h *hostel) sending{
			"create":    func(h *hostel) sending { e := p; return sendingOf(h.passes.Op().Create(&e)) },
			"put":       func(h *hostel) sending { e := p; return sendingOf(h.passes.Op().Put(&e)) },
			"overwrite": func(h *hostel) sending { e := p; return sendingOf(h.passes.Op().Overwrite(&e)) },
			"update":    func(h *hostel) sending { return sendingOf(h.passes.Op().Update(key, passNote.Set(note))) },
			"update unique": func(h *hostel) sending {
				return sendingOf(h.passes.Op().Update(key, passNote.Set(note), passNum.Set(p.Number)))
			},
			"upsert": func(h *hostel) sending {
				return sendingOf(h.passes.Op().Upsert(key, passNote.Set(note), passNum.Set(p.Number)))
			},
			"delete":            func(h *hostel) sending { return sendingOf(h.passes.Op().Delete(key)) },
			"delete, condition": func(h *hostel) sending { return sendingOf(h.passes.Op().Delete(key, passNum.Ge(0))) },
			"move": func(h *hostel) sending {
				e := p
				e.ID = other
				return sendingOf(tx.Move(h.passes, key, &e))
			},
		})
	case 2:
		b := bag{Tenant: "a", ID: id, Tag: text(), Note: note}
		key := bag{Tenant: "a", ID: id}
		return oneSending(r, "bag", id, map[string]func(h *hostel) sending{
			"create": func(h *hostel) sending { e := b; return sendingOf(h.bags.Op().Create(&e)) },
			"put":    func(h *hostel) sending { e := b; return sendingOf(h.bags.Op().Put(&e)) },
			"update": func(h *hostel) sending { return sendingOf(h.bags.Op().Update(key, bagNote.Set(note))) },
			"update unique": func(h *hostel) sending {
				return sendingOf(h.bags.Op().Update(key, bagNote.Set(note), bagTag.Set(b.Tag)))
			},
			"upsert": func(h *hostel) sending {
				return sendingOf(h.bags.Op().Upsert(key, bagNote.Set(note), bagTag.Set(b.Tag)))
			},
			"delete":            func(h *hostel) sending { return sendingOf(h.bags.Op().Delete(key)) },
			"delete, condition": func(h *hostel) sending { return sendingOf(h.bags.Op().Delete(key, bagTag.Eq(b.Tag))) },
			"check":             func(h *hostel) sending { return sendingOf(h.bags.Op().Check(key)) },
			"move": func(h *hostel) sending {
				e := b
				e.ID = other
				return sendingOf(tx.Move(h.bags, key, &e))
			},
		})
	case 3:
		rm := hostelRoom{Tenant: "a", ID: id, Note: note}
		if stored, err := h.rooms.Strong().Get(ctx, rm); err == nil {
			rm.Guests = stored.Guests
		}
		key := hostelRoom{Tenant: "a", ID: id}
		return oneSending(r, "room", id, map[string]func(h *hostel) sending{
			"create": func(h *hostel) sending { e := rm; e.Guests = 0; return sendingOf(h.rooms.Op().Create(&e)) },
			"put":    func(h *hostel) sending { e := rm; return sendingOf(h.rooms.Op().Put(&e)) },
			"update": func(h *hostel) sending { return sendingOf(h.rooms.Op().Update(key, roomNote.Set(note))) },
			"upsert": func(h *hostel) sending { return sendingOf(h.rooms.Op().Upsert(key, roomNote.Set(note))) },
			"check":  func(h *hostel) sending { return sendingOf(h.rooms.Op().Check(key)) },
		})
	case 4, 5:
		n := r.IntN(3)
		key := bill{Tenant: "a", ID: id}
		return oneSending(r, "bill", id, map[string]func(h *hostel) sending{
			"add": func(h *hostel) sending {
				return sendingOf(h.bills.Op().Upsert(key, billNote.Set(note), attr.Add(billSum, 1)))
			},
			"update": func(h *hostel) sending {
				return sendingOf(h.bills.Op().Update(key, billNote.Set(note), attr.If(billSum.Lt(n))))
			},
			"delete": func(h *hostel) sending { return sendingOf(h.bills.Op().Delete(key, billSum.Ge(n))) },
		})
	default:
		return oneSending(r, "counter", id, map[string]func(h *hostel) sending{
			"add":    func(h *hostel) sending { return sending{operation: h.votes.Op(id, 1, shard.Once(note))} },
			"take":   func(h *hostel) sending { return sending{operation: h.beds.Op(id, 1, shard.Once(note))} },
			"return": func(h *hostel) sending { return sending{operation: h.beds.ReturnOp(id, "taken")} },
		})
	}
}

func oneSending(r *rand.Rand, kind, id string, list map[string]func(h *hostel) sending) intent {
	names := slices.Sorted(maps.Keys(list))
	name := names[r.IntN(len(names))]
	return intent{name: kind + ": " + name, on: kind + id, make: list[name]}
}
