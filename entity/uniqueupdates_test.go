package entity_test

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/tx"
)

// The example of an update identifies the item. Its other fields do not determine guards, because
// the item may have other values.
func TestGuardsDoNotFollowTheExample(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		require.NoError(t, c.members.Create(ctx, &member{ID: "bob", Email: "bob@example.com", Club: "go", Row: 1, Seat: "A"}))
		_, err := c.members.Update(ctx, member{ID: "bob", Club: "chess", Email: "other"}, memSeat.Set("B"))
		require.NoError(t, err)
		require.Equal(t, map[string]string{emailGuard + "bob@example.com": "M#bob", seatGuard + "go#01#B": "M#bob"}, c.guards(t))
		_, err = c.members.Upsert(ctx, member{ID: "eve", Email: "not stored"}, memLogin.Set("eve"))
		require.NoError(t, err)
		require.Equal(t, map[string]string{emailGuard + "bob@example.com": "M#bob", seatGuard + "go#01#B": "M#bob", loginGuard + "eve": "M#eve"}, c.guards(t))
	})
}

// A stored value that is too long for a guard has none. The item can still be replaced and deleted.
func TestItemsWithAValueThatIsTooLongForAGuard(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		long := member{ID: "ann", Email: strings.Repeat("x", 2048)}
		requireOutcome(t, c.members.Create(ctx, &long), trestle.ErrLimit, trestle.NotApplied)
		item, err := c.members.Type().Encode(&member{ID: "ann", Email: "short"})
		require.NoError(t, err)
		item["email"] = avS(long.Email)
		for range 2 {
			_, err = c.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("club"), Item: item})
			require.NoError(t, err)
			require.NoError(t, c.members.Delete(ctx, long))
			_, err = c.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("club"), Item: item})
			require.NoError(t, err)
			require.NoError(t, c.members.Put(ctx, &member{ID: "ann", Email: "ann@example.com"}))
			require.Equal(t, map[string]string{emailGuard + "ann@example.com": "M#ann"}, c.guards(t))
			require.NoError(t, c.members.Delete(ctx, long))
			require.Empty(t, c.guards(t))
		}
	})
}

// A number that the stored item lacks is 0, as readers get it. So the item has the value, and a put
// that stores the 0 changes nothing. If another program stored the item without the guard, a check
// finds this, and a repair claims the value.
func TestMissingNumbersAreZero(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		seated := member{ID: "ann", Email: "ann@example.com", Club: "chess", Seat: "A"}
		item, err := c.members.Type().Encode(&seated)
		require.NoError(t, err)
		delete(item, "row")
		_, err = c.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("club"), Item: item})
		require.NoError(t, err)
		guards := map[string]string{seatGuard + "chess#00#A": "M#ann", emailGuard + "ann@example.com": "M#ann"}
		for _, store := range []bool{false, true} {
			if store {
				require.NoError(t, c.members.Put(ctx, &seated))
			}
			var found *maintain.Error
			require.ErrorAs(t, testchecks.Guards(ctx, c.table), &found)
			require.Len(t, found.Problems, len(guards))
		}
		_, err = maintain.RepairGuards(ctx, c.table, maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, guards, c.guards(t))
		require.NoError(t, c.members.Delete(ctx, seated))
		require.Empty(t, c.guards(t))
	})
}

// doctor has a unique value of a field that is also in an index key.
type doctor struct {
	_    entity.Key   `type:"doctor" pk:"D#<id>" sk:"D"`
	_    entity.Index `name:"by-field" on:"GSI1" pk:"FIELD#<field>#<phone>" sk:"<city>"`
	ID   string       `dynamodbav:"id"`
	City string       `dynamodbav:"city"`

	Field string `dynamodbav:"field"`
	Phone string `dynamodbav:"phone" entity:"unique"`
}

// An upsert stores the example's values of the index keys that it changes. If that claims a value,
// the upsert still returns the new item.
func TestUpsertReturnsTheItemWithAValueOfTheExample(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		client := e.Client(t)
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		declared := entity.Define[doctor](s)
		table, err := s.Open(client, "hospital")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		doctors := declared.In(table).With(entity.ReadFirst())
		field := attr.Must(func(d *doctor) *string { return &d.Field })
		got, err := doctors.Upsert(ctx, doctor{ID: "a", Phone: "1", City: "Bergen"}, field.Set("eye"))
		require.NoError(t, err)
		require.Equal(t, doctor{ID: "a", Phone: "1", City: "Bergen", Field: "eye"}, got)
		_, err = doctors.Upsert(ctx, doctor{ID: "b", Phone: "1", City: "Bergen"}, field.Set("eye"))
		requireTaken(t, err, "phone")
		_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("hospital"), Item: map[string]types.AttributeValue{
			"PK": avS("D#c"), "SK": avS("D"), "_type": avS("doctor"), "id": avS("c"), "city": avS("Bergen"),
		}})
		require.NoError(t, err)
		got, err = doctors.Upsert(ctx, doctor{ID: "c", Phone: "2"}, field.Set("ear"))
		require.NoError(t, err)
		require.Equal(t, doctor{ID: "c", Phone: "2", City: "Bergen", Field: "ear"}, got, "the city was read, the phone is the example's")
	})
}

// deleting is a client on which another writer deletes the item before it is read again.
type deleting struct {
	*dynamodb.Client
	gets int
}

func (d *deleting) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if d.gets++; d.gets == 2 {
		if _, err := d.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: in.TableName, Key: in.Key}); err != nil {
			return nil, err
		}
	}
	return d.Client.GetItem(ctx, in, o...)
}

// An update that was applied returns no item if another writer deletes it at once. An error says
// so.
func TestUpdateOfAnItemThatIsDeletedBeforeItIsReturned(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		c := newClub(t, e.Client(t))
		ctx := t.Context()
		require.NoError(t, c.table.Create(ctx))
		require.NoError(t, c.members.Create(ctx, &member{ID: "bob", Email: "bob@example.com"}))
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		members := entity.Define[member](s)
		table, err := s.Open(&deleting{Client: c.client}, "club")
		require.NoError(t, err)
		_, err = members.In(table).Update(ctx, member{ID: "bob"}, memEmail.Set("bob@example.org"))
		require.Equal(t, trestle.Applied, trestle.OutcomeOf(err))
		for _, kind := range glossary {
			require.NotErrorIs(t, err, kind)
		}
	})
}

// An update that changes nothing, because the item already has what it would set, is a check in a
// transaction.
func TestUpdatesWithoutAChangeInTransactions(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		require.NoError(t, c.members.Create(ctx, &member{ID: "ann", Login: "ann"}))
		ops := c.members.Op()
		change := ops.Update(member{ID: "ann"}, memLogin.SetIfAbsent("other"))
		_, err := change.Do(ctx)
		require.NoError(t, err)
		_, err = change.Once("token").Do(ctx)
		require.NoError(t, err)
		require.NoError(t, tx.Write(ctx, change, ops.Create(&member{ID: "bob"})))
		require.Equal(t, map[string]string{loginGuard + "ann": "M#ann"}, c.guards(t))
		err = tx.Write(ctx, ops.Update(member{ID: "none"}, memLogin.SetIfAbsent("other")), ops.Create(&member{ID: "eve"}))
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NotApplied)
	})
}
