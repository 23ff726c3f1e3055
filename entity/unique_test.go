package entity_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// member has three unique values: one folded, one in a scope, and one of two fields.
type member struct {
	_     entity.Key    `type:"member" pk:"M#<id>" sk:"M"`
	_     entity.Index  `name:"by-club" on:"GSI1" pk:"CLUB#<club>" sk:"<id>"`
	_     entity.Unique `name:"email" key:"<email:lower>"`
	_     entity.Unique `name:"seat" key:"<club>#<row:02>#<seat>"`
	ID    string        `dynamodbav:"id"`
	Email string        `dynamodbav:"email"`
	Login string        `dynamodbav:"login,omitempty" entity:"unique"`
	Club  string        `dynamodbav:"club"`
	Row   int           `dynamodbav:"row"`
	Seat  string        `dynamodbav:"seat,omitempty"`
	Note  string        `dynamodbav:"note,omitempty"`
	N     int           `dynamodbav:"n"`
}

// guest is versioned and expires.
type guest struct {
	_       entity.Key `type:"guest" pk:"G#<id>" sk:"G"`
	ID      string     `dynamodbav:"id"`
	Phone   int64      `dynamodbav:"phone,omitempty" entity:"unique"`
	Note    string     `dynamodbav:"note,omitempty"`
	Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
	Version int64      `dynamodbav:"version" entity:"version"`
}

var (
	memEmail = attr.Must(func(m *member) *string { return &m.Email })
	memLogin = attr.Must(func(m *member) *string { return &m.Login })
	memClub  = attr.Must(func(m *member) *string { return &m.Club })
	memSeat  = attr.Must(func(m *member) *string { return &m.Seat })
	memNote  = attr.Must(func(m *member) *string { return &m.Note })
	memN     = attr.Must(func(m *member) *int { return &m.N })

	guestPhone   = attr.Must(func(g *guest) *int64 { return &g.Phone })
	guestNote    = attr.Must(func(g *guest) *string { return &g.Note })
	guestExpires = attr.Must(func(g *guest) *time.Time { return &g.Expires })
)

// club is a table of members and guests.
type club struct {
	client  *dynamodb.Client
	table   *entity.Table
	clock   *clock
	members *entity.Repo[member]
	guests  *entity.Repo[guest]
}

// clubSchema is the schema of the club.
type clubSchema struct {
	clock   *clock
	schema  *entity.Schema
	members *entity.Type[member]
	guests  *entity.Type[guest]
}

func newClubSchema() clubSchema {
	s := clubSchema{clock: &clock{}}
	s.schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: s.clock.now})
	s.members, s.guests = entity.Define[member](s.schema), entity.Define[guest](s.schema)
	return s
}

// open opens the club with a client that may change the requests of client.
func (s clubSchema) open(t testing.TB, client *dynamodb.Client, changed trestle.Client) *club {
	t.Helper()
	table, err := s.schema.Open(changed, "club")
	require.NoError(t, err)
	return &club{client: client, table: table, clock: s.clock, members: s.members.In(table), guests: s.guests.In(table)}
}

func newClub(t testing.TB, client *dynamodb.Client) *club {
	t.Helper()
	return newClubSchema().open(t, client, client)
}

func eachClub(t *testing.T, f func(t *testing.T, c *club)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		c := newClub(t, e.Client(t))
		require.NoError(t, c.table.Create(t.Context()))
		f(t, c)
	})
}

// guards returns the stored guards: the owner of each by its partition key.
func (c *club) guards(t testing.TB) map[string]string {
	t.Helper()
	found := map[string]string{}
	out, err := c.client.Scan(context.WithoutCancel(t.Context()), &dynamodb.ScanInput{TableName: aws.String("club"), ConsistentRead: aws.Bool(true)})
	require.NoError(t, err)
	for _, item := range out.Items {
		if owner, ok := item["_owner"].(*types.AttributeValueMemberM); ok {
			found[item["PK"].(*types.AttributeValueMemberS).Value] = owner.Value["PK"].(*types.AttributeValueMemberS).Value
		}
	}
	return found
}

const (
	emailGuard = "$U#unique#member#email#"
	loginGuard = "$U#unique#member#login#"
	seatGuard  = "$U#unique#member#seat#"
)

func requireTaken(t testing.TB, err error, fields ...string) {
	t.Helper()
	requireOutcome(t, err, trestle.ErrTaken, trestle.NotApplied)
	var e *trestle.OpError
	require.ErrorAs(t, err, &e)
	require.Equal(t, fields, e.Taken)
	require.Equal(t, fields, trestle.Taken(fmt.Errorf("wrapped: %w", err)))
	require.NotEmpty(t, e.Key)
}

// Every verb keeps the guards of an item: they are created, moved and removed with it.
func TestUniqueValues(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		ann := member{ID: "ann", Email: "Ann@example.com", Login: "ann", Club: "chess", Row: 1, Seat: "A"}
		require.NoError(t, c.members.Create(ctx, &ann))
		require.Equal(t, map[string]string{emailGuard + "ann@example.com": "M#ann", loginGuard + "ann": "M#ann", seatGuard + "chess#01#A": "M#ann"}, c.guards(t))

		again := ann
		requireOutcome(t, c.members.Create(ctx, &again), trestle.ErrExists, trestle.NotApplied)
		requireTaken(t, c.members.Create(ctx, &member{ID: "bob", Email: "ANN@EXAMPLE.COM"}), "email")
		requireTaken(t, c.members.Create(ctx, &member{ID: "bob", Email: "bob@example.com", Login: "ann"}), "login")
		requireTaken(t, c.members.Put(ctx, &member{ID: "bob", Email: "bob@example.com", Club: "chess", Row: 1, Seat: "A"}), "seat")
		require.NoError(t, c.members.Create(ctx, &member{ID: "bob", Email: "bob@example.com", Club: "go", Row: 1, Seat: "A"}), "another club is another scope")

		got, err := c.members.Update(ctx, member{ID: "bob"}, memNote.Set("x"))
		require.NoError(t, err)
		require.Equal(t, "x", got.Note)
		_, err = c.members.Update(ctx, member{ID: "bob"}, memEmail.Set("ann@example.com"))
		requireTaken(t, err, "email")
		got, err = c.members.Update(ctx, member{ID: "bob"}, memEmail.Set("bob@example.org"), memLogin.Set("bob"), attr.Add(memN, 2))
		require.NoError(t, err)
		require.Equal(t, member{ID: "bob", Email: "bob@example.org", Login: "bob", Club: "go", Row: 1, Seat: "A", Note: "x", N: 2}, got, "the new item, although a transaction returns none")
		require.Equal(t, map[string]string{
			emailGuard + "ann@example.com": "M#ann", loginGuard + "ann": "M#ann", seatGuard + "chess#01#A": "M#ann",
			emailGuard + "bob@example.org": "M#bob", loginGuard + "bob": "M#bob", seatGuard + "go#01#A": "M#bob",
		}, c.guards(t))
		_, err = c.members.Update(ctx, member{ID: "bob"}, memLogin.Remove())
		require.NoError(t, err)
		_, err = c.members.Update(ctx, member{ID: "bob"}, memClub.Set("chess"))
		requireTaken(t, err, "seat")
		_, err = c.members.Update(ctx, member{ID: "bob"}, memClub.Set("chess"), memSeat.Set("B"))
		require.NoError(t, err)
		require.Equal(t, map[string]string{
			emailGuard + "ann@example.com": "M#ann", loginGuard + "ann": "M#ann", seatGuard + "chess#01#A": "M#ann",
			emailGuard + "bob@example.org": "M#bob", seatGuard + "chess#01#B": "M#bob",
		}, c.guards(t))

		ann.Email, ann.Login = "ann@example.org", ""
		require.NoError(t, c.members.Put(ctx, &ann))
		_, err = c.members.Upsert(ctx, member{ID: "eve"}, memEmail.Set("ANN@example.com"), memLogin.Set("ann"))
		require.NoError(t, err, "both values are free again")
		require.NoError(t, c.members.Overwrite(ctx, &member{ID: "eve", Email: "eve@example.com"}))
		requireTaken(t, c.members.Overwrite(ctx, &member{ID: "eve", Email: "bob@example.org"}), "email")
		require.NoError(t, c.members.Delete(ctx, member{ID: "bob"}))
		require.NoError(t, c.members.Delete(ctx, member{ID: "bob"}), "a second time")
		requireOutcome(t, c.members.Delete(ctx, member{ID: "bob"}, memN.Eq(1)), trestle.ErrNotFound, trestle.NotApplied)
		requireOutcome(t, c.members.Delete(ctx, member{ID: "ann"}, memN.Eq(1)), trestle.ErrCondition, trestle.NotApplied)
		require.Equal(t, map[string]string{emailGuard + "ann@example.org": "M#ann", seatGuard + "chess#01#A": "M#ann", emailGuard + "eve@example.com": "M#eve"}, c.guards(t))

		moved := ann
		moved.ID = "ann2"
		_, err = tx.Move(c.members, ann, &moved).Do(ctx)
		require.NoError(t, err)
		require.Equal(t, map[string]string{emailGuard + "ann@example.org": "M#ann2", seatGuard + "chess#01#A": "M#ann2", emailGuard + "eve@example.com": "M#eve"}, c.guards(t))

		var seen []string
		for m, err := range query.Scan(c.members).All(ctx) {
			require.NoError(t, err)
			seen = append(seen, m.ID)
		}
		require.ElementsMatch(t, []string{"ann2", "eve"}, seen, "readers skip guards")
	})
}

// Two items exchange a unique value in one transaction. Two operations cannot both take one.
func TestUniqueValuesInTransactions(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		a, b := member{ID: "a", Email: "a@example.com", Login: "one"}, member{ID: "b", Email: "b@example.com", Login: "two"}
		require.NoError(t, tx.Write(ctx, c.members.Op().Create(&a), c.members.Op().Create(&b)))
		ops := c.members.Op()
		require.NoError(t, tx.Write(ctx, ops.Update(member{ID: "a"}, memLogin.Set("two")), ops.Update(member{ID: "b"}, memLogin.Set("one"))))
		require.Equal(t, map[string]string{
			emailGuard + "a@example.com": "M#a", emailGuard + "b@example.com": "M#b", loginGuard + "two": "M#a", loginGuard + "one": "M#b",
		}, c.guards(t))
		require.NoError(t, tx.Write(ctx, ops.Delete(member{ID: "a"}), ops.Update(member{ID: "b"}, memLogin.Set("two"))))
		require.Equal(t, map[string]string{emailGuard + "b@example.com": "M#b", loginGuard + "two": "M#b"}, c.guards(t))

		err := tx.Write(ctx, ops.Create(&member{ID: "c", Email: "c@example.com"}), ops.Create(&member{ID: "d", Email: "C@example.com"}))
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		err = tx.Write(ctx, ops.Create(&member{ID: "c", Email: "c@example.com"}), ops.Create(&member{ID: "d", Email: "b@example.com"}))
		requireOutcome(t, err, trestle.ErrTaken, trestle.NotApplied)
		var canceled *tx.CanceledError
		require.ErrorAs(t, err, &canceled)
		require.Len(t, canceled.Failures, 1)
		require.Equal(t, 1, canceled.Failures[0].Operation)
		require.Equal(t, []string{"email"}, canceled.Failures[0].Err.Taken)
		err = tx.Write(ctx, ops.Create(&member{ID: "c", Email: "c@example.com", Login: "two"}), ops.Create(&member{ID: "d", Email: "b@example.com", Login: "two"}))
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		err = tx.Write(ctx, ops.Create(&member{ID: "c", Email: "b@example.com"}), ops.Create(&member{ID: "d", Email: "d@example.com", Login: "two"}))
		require.Equal(t, []string{"email", "login"}, trestle.Taken(err))
		requireTaken(t, c.members.Create(ctx, &member{ID: "c", Email: "B@example.com", Login: "two"}), "email", "login")
		require.Empty(t, trestle.Taken(nil))
		require.Equal(t, map[string]string{emailGuard + "b@example.com": "M#b", loginGuard + "two": "M#b"}, c.guards(t))
	})
}

// Guards expire with their item, and an expired guard holds no value.
func TestGuardsExpireWithTheirItem(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		ttl := func(phone string) types.AttributeValue {
			item := stored(t, c.client, "club", guardKeyOf(t, c, phone))
			if item == nil {
				return nil
			}
			return item["expires"]
		}
		c.clock.seconds.Store(50 * 365 * 24 * 3600) // the engine's clock must not delete the items
		soon, later := c.clock.now().Add(time.Minute), c.clock.now().Add(time.Hour)
		ann := guest{ID: "ann", Phone: 1, Expires: soon}
		require.NoError(t, c.guests.Create(ctx, &ann))
		require.Equal(t, unix(soon), ttl("1"))
		requireTaken(t, c.guests.Create(ctx, &guest{ID: "bob", Phone: 1}), "phone")
		_, err := c.guests.Update(ctx, ann, guestExpires.Set(later))
		require.NoError(t, err)
		require.Equal(t, unix(later), ttl("1"))
		_, err = c.guests.Update(ctx, guest{ID: "ann"}, guestExpires.Remove())
		require.NoError(t, err)
		require.Nil(t, ttl("1"))
		_, err = c.guests.Update(ctx, guest{ID: "ann"}, guestExpires.Set(soon), guestPhone.Set(2))
		require.NoError(t, err)
		require.Equal(t, unix(soon), ttl("2"))
		require.Nil(t, stored(t, c.client, "club", guardKeyOf(t, c, "1")))

		for range 120 {
			c.clock.forward()
		}
		require.NoError(t, c.guests.Create(ctx, &guest{ID: "bob", Phone: 2}), "ann has expired, but is still stored")
		require.NoError(t, c.guests.Delete(ctx, guest{ID: "ann"}), "her guard is bob's now")
		requireTaken(t, c.guests.Create(ctx, &guest{ID: "eve", Phone: 2}), "phone")
	})
}

func unix(at time.Time) types.AttributeValue { return avN(strconv.FormatInt(at.Unix(), 10)) }

func guardKeyOf(t testing.TB, c *club, phone string) map[string]types.AttributeValue {
	t.Helper()
	out, err := c.client.Scan(context.WithoutCancel(t.Context()), &dynamodb.ScanInput{TableName: aws.String("club"), ConsistentRead: aws.Bool(true)})
	require.NoError(t, err)
	for _, item := range out.Items {
		if item["PK"].(*types.AttributeValueMemberS).Value == "$U#unique#guest#phone#"+phone {
			return map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
		}
	}
	return map[string]types.AttributeValue{"PK": avS("none"), "SK": avS("none")}
}
