package entity_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/tx"
)

// putGuest and overwriteGuest are the names of the operations that may begin anew over an expired
// guest.
const putGuest, overwriteGuest = "put a guest", "overwrite a guest"

// raceOp is an operation of a race. It marks each item that it writes with its number, in the
// attribute note.
type raceOp struct {
	name    string
	writes  map[string]avMap // the attributes that it sets or removes, by the partition key of the item
	deletes []string         // the partition keys of the items that it deletes
	run     func(context.Context) error

	began, ended int64
	err          error
}

// race is one race: several writers change the items of a club at the same time.
type race struct {
	*club
	rnd *rand.Rand
	ops []*raceOp

	sameValue bool // each writer creates an item with the same value
	late      bool // requests may arrive late

	clock            atomic.Int64
	running          atomic.Int64
	ended, sumOfRuns atomic.Int64
}

// values that items of a race compete for.
func (r *race) pick(values ...string) string { return values[r.rnd.IntN(len(values))] }

func (r *race) memberID() string { return r.pick("a", "b", "c", "d") }
func (r *race) guestID() string  { return r.pick("p", "q") }
func (r *race) expiry() time.Time {
	return r.club.clock.now().Add([]time.Duration{time.Hour, 2 * time.Hour, -time.Hour}[r.rnd.IntN(3)])
}

func (r *race) member(id, note string) member {
	return member{
		ID: id, Email: r.pick("", "x@example.com", "X@example.com", "y@example.com"), Login: r.pick("", "one", "two"),
		Club: r.pick("chess", "go"), Row: r.rnd.IntN(2), Seat: r.pick("", "A"), Note: note,
	}
}

func (r *race) guest(id, note string) guest {
	return guest{ID: id, Phone: r.rnd.Int64N(3), Note: note, Expires: r.expiry()}
}

// stored returns the attributes of an entity that the race compares. The item of a guest also has a
// version.
func (r *race) encoded(t testing.TB, entity any) avMap {
	t.Helper()
	var item avMap
	var err error
	switch e := entity.(type) {
	case *member:
		item, err = r.members.Type().Encode(e)
	case *guest:
		item, err = r.guests.Type().Encode(e)
	}
	require.NoError(t, err)
	for _, name := range []string{"email", "login", "club", "row", "seat", "phone", "expires"} {
		if _, found := item[name]; !found {
			item[name] = nil
		}
	}
	delete(item, "version")
	return item
}

// memberChanges returns random changes of a member and the attributes after them.
func (r *race) memberChanges(note string) (changes []attr.Change[member], sets avMap) {
	sets = avMap{"note": avS(note)}
	changes = append(changes, memNote.Set(note))
	for _, n := range r.rnd.Perm(4)[:1+r.rnd.IntN(2)] {
		switch n {
		case 0:
			email := r.pick("x@example.com", "Y@example.com", "z@example.com")
			changes, sets["email"] = append(changes, memEmail.Set(email)), avS(email)
		case 1:
			login := r.pick("one", "two", "")
			if login == "" {
				changes, sets["login"] = append(changes, memLogin.Remove()), nil
				break
			}
			changes, sets["login"] = append(changes, memLogin.Set(login)), avS(login)
		case 2:
			club := r.pick("chess", "go")
			changes, sets["club"] = append(changes, memClub.Set(club)), avS(club)
		case 3:
			changes = append(changes, attr.Add(memN, 1))
		}
	}
	return changes, sets
}

func (r *race) guestChanges(note string) (changes []attr.Change[guest], sets avMap) {
	sets = avMap{"note": avS(note)}
	changes = append(changes, guestNote.Set(note))
	switch r.rnd.IntN(4) {
	case 0:
		phone := 1 + r.rnd.Int64N(2)
		changes, sets["phone"] = append(changes, guestPhone.Set(phone)), avN(strconv.FormatInt(phone, 10))
	case 1:
		changes, sets["phone"] = append(changes, guestPhone.Set(0)), nil
	case 2:
		expiry := r.expiry()
		changes, sets["expires"] = append(changes, guestExpires.Set(expiry)), unix(expiry)
	}
	return changes, sets
}

// add adds a random operation.
func (r *race) add(t testing.TB) *raceOp {
	t.Helper()
	note := "op" + strconv.Itoa(len(r.ops))
	o := &raceOp{writes: map[string]avMap{}}
	r.ops = append(r.ops, o)
	writes := func(e any) {
		item := r.encoded(t, e)
		o.writes[textOf(item["PK"])] = item
	}
	ops, gops := r.members.Op(), r.guests.Op()
	m, g := r.member(r.memberID(), note), r.guest(r.guestID(), note)
	mkey, gkey := member{ID: m.ID}, guest{ID: g.ID}
	// current returns the guest as a writer reads it, or a new one.
	current := func(ctx context.Context) guest {
		stored, err := r.guests.Strong().Get(ctx, gkey)
		if err != nil {
			return gkey
		}
		return stored
	}
	if r.sameValue {
		m = member{ID: note, Email: r.pick("x@example.com", "X@example.com"), Note: note}
		writes(&m)
		switch r.rnd.IntN(3) {
		case 0:
			o.name, o.run = "create", func(ctx context.Context) error { return r.members.Create(ctx, &m) }
		case 1:
			o.name, o.run = "put", func(ctx context.Context) error { return r.members.Put(ctx, &m) }
		case 2:
			o.writes["M#"+m.ID] = avMap{"note": avS(note), "email": avS(m.Email)}
			o.name, o.run = "upsert", func(ctx context.Context) error {
				_, err := r.members.Upsert(ctx, member{ID: m.ID}, memEmail.Set(m.Email), memNote.Set(note))
				return err
			}
		}
		return o
	}
	switch r.rnd.IntN(16) {
	case 0, 1:
		writes(&m)
		o.name, o.run = "create", func(ctx context.Context) error { return r.members.Create(ctx, &m) }
	case 2, 3:
		writes(&m)
		o.name, o.run = "put", func(ctx context.Context) error { return r.members.Put(ctx, &m) }
	case 4:
		writes(&m)
		o.name, o.run = "overwrite", func(ctx context.Context) error { return r.members.Overwrite(ctx, &m) }
	case 5, 6:
		changes, sets := r.memberChanges(note)
		o.writes["M#"+m.ID] = sets
		example := mkey
		if r.rnd.IntN(2) == 0 {
			example.Email, example.Seat = "other", "other" // the example only identifies the item
		}
		o.name, o.run = "update", func(ctx context.Context) error {
			_, err := r.members.Update(ctx, example, changes[0], changes[1:]...)
			return err
		}
	case 7:
		changes, sets := r.memberChanges(note)
		o.writes["M#"+m.ID] = sets
		o.name, o.run = "upsert", func(ctx context.Context) error {
			_, err := r.members.Upsert(ctx, mkey, changes[0], changes[1:]...)
			return err
		}
	case 8, 9:
		o.deletes = []string{"M#" + m.ID}
		o.name, o.run = "delete", func(ctx context.Context) error { return r.members.Delete(ctx, mkey) }
	case 10:
		from := member{ID: r.memberID()}
		if from.ID == m.ID {
			from.ID = "e"
		}
		writes(&m)
		o.deletes = []string{"M#" + from.ID}
		o.name, o.run = "move", func(ctx context.Context) error {
			_, err := tx.Move(r.members, from, &m).Do(ctx)
			return err
		}
	case 11:
		other := member{ID: r.memberID()}
		if other.ID == m.ID {
			other.ID = "e"
		}
		o.writes["M#"+m.ID], o.writes["M#"+other.ID] = avMap{"note": avS(note), "login": avS("one")}, avMap{"note": avS(note), "login": avS("two")}
		o.name, o.run = "swap", func(ctx context.Context) error {
			return tx.Write(ctx, ops.Update(mkey, memLogin.Set("one"), memNote.Set(note)), ops.Update(other, memLogin.Set("two"), memNote.Set(note)))
		}
	case 12:
		writes(&g)
		if r.rnd.IntN(2) == 0 {
			o.name, o.run = "create a guest", func(ctx context.Context) error { return r.guests.Create(ctx, &g) }
		} else {
			o.name, o.run = overwriteGuest, func(ctx context.Context) error { return r.guests.Overwrite(ctx, &g) }
		}
	case 13:
		writes(&g)
		o.name, o.run = putGuest, func(ctx context.Context) error {
			g.Version = current(ctx).Version
			return r.guests.Put(ctx, &g)
		}
	case 14:
		changes, sets := r.guestChanges(note)
		o.writes["G#"+g.ID] = sets
		checked := r.rnd.IntN(2) == 0
		o.name, o.run = "update a guest", func(ctx context.Context) error {
			example := gkey
			if checked {
				example = current(ctx)
			}
			_, err := r.guests.Update(ctx, example, changes[0], changes[1:]...)
			return err
		}
	default:
		o.deletes = []string{"G#" + g.ID}
		o.name, o.run = "delete a guest, create a member", func(ctx context.Context) error {
			return tx.Write(ctx, gops.Delete(guest{ID: g.ID, Version: current(ctx).Version}), ops.Create(&m))
		}
		writes(&m)
	}
	return o
}

// do runs an operation.
func (r *race) do(ctx context.Context, o *raceOp) {
	r.running.Add(1)
	o.began = r.clock.Add(1)
	o.err = o.run(ctx)
	o.ended = r.clock.Add(1)
	r.ended.Add(1)
	r.sumOfRuns.Add(r.running.Load())
	r.running.Add(-1)
}

// start makes the items before the race, and the operations of 2 to 16 writers. It returns the
// operations by writer.
func (r *race) start(t testing.TB) [][]*raceOp {
	t.Helper()
	r.club.clock.seconds.Store(50 * 365 * 24 * 3600) // the engine's clock must not delete the items
	if r.sameValue = r.rnd.IntN(4) == 0; !r.sameValue {
		for range r.rnd.IntN(8) {
			r.do(context.WithoutCancel(t.Context()), r.add(t))
		}
	}
	writers := make([][]*raceOp, 2+r.rnd.IntN(15))
	for i := range writers {
		for range 1 + r.rnd.IntN(2) {
			writers[i] = append(writers[i], r.add(t))
		}
	}
	return writers
}

// run runs the writers at the same time.
func (r *race) run(ctx context.Context, writers [][]*raceOp) {
	var wg sync.WaitGroup
	for _, ops := range writers {
		wg.Go(func() {
			for _, o := range ops {
				r.do(ctx, o)
			}
		})
	}
	wg.Wait()
}
