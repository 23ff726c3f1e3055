package entity_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// uid is an ID like those of common UUID packages: an array with a text form.
type uid [4]byte

func (u uid) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(u[:])), nil }
func (u *uid) UnmarshalText(text []byte) error {
	_, err := hex.Decode(u[:], text)
	return err
}

type invoice struct {
	_      entity.Key   `type:"invoice" pk:"T#<tenant>" sk:"INV#<id:hex>"`
	_      entity.Index `name:"by-payer" on:"GSI1" pk:"PAYER#<payer>" sk:"INV#<id:hex>"`
	Tenant uid          `dynamodbav:"tenant"`
	ID     [4]byte      `dynamodbav:"id"`
	Payer  uid          `dynamodbav:"payer"`
}

// A zero ID is absent in keys. Otherwise all entities without an ID would share one item.
func TestZeroIDsAreAbsentInKeys(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		invoices := entity.Define[invoice](s)
		client, table := open(t, e, s)
		repo := invoices.In(table)
		ctx := t.Context()
		for _, forgotten := range []invoice{{ID: [4]byte{1}}, {Tenant: uid{1}}, {}} {
			requireOutcome(t, repo.Create(ctx, &forgotten), trestle.ErrInvalid, trestle.NotApplied)
			_, err := repo.Get(ctx, forgotten)
			requireOutcome(t, err, trestle.ErrInvalid, trestle.NoWrite)
			requireOutcome(t, repo.Delete(ctx, forgotten), trestle.ErrInvalid, trestle.NotApplied)
		}
		whole := invoice{Tenant: uid{1}, ID: [4]byte{2}}
		require.NoError(t, repo.Create(ctx, &whole))
		key, err := invoices.KeyOf(whole)
		require.NoError(t, err)
		item := stored(t, client, "things", key)
		require.NotContains(t, item, "GSI1PK", "without a payer it is not on the index")
		require.Equal(t, avS("00000000"), item["payer"], "the attribute is stored as before")

		whole.Payer = uid{9}
		require.NoError(t, repo.Put(ctx, &whole))
		require.Equal(t, avS("PAYER#09000000"), stored(t, client, "things", key)["GSI1PK"])
	})
}
