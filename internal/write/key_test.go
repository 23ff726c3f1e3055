package write

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func TestGet(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	for _, strong := range []bool{false, true} {
		o, err := Get(p, codec.PtrTo(&employee{CompanyID: "c1", ID: "e7"}), strong)
		require.NoError(t, err)
		require.Equal(t, op.Action{
			Verb: op.Get, Plan: p, Key: op.Item{"PK": text("COM#c1"), "SK": text("EMP#e7")}, Strong: strong, Idempotent: true,
		}, o.Primary)
	}
	_, err := Get(p, codec.PtrTo(&employee{}), false)
	requireFields(t, err, errs.Invalid, "company_id", "id")
}

// TestStoredVersions checks that an item whose version is not a number is not overwritten and does
// not count as unversioned.
func TestStoredVersions(t *testing.T) {
	t.Parallel()
	e := anna
	o, _, err := Overwrite(putArgs(planOf[employee](t, twoIndexes), &e))
	require.NoError(t, err)
	for _, stored := range []op.Item{{"version": text("4")}, {"version": number("4.5")}} {
		_, err = o.PreRead.Plan(stored)
		requireFields(t, err, errs.Invalid, "version")
	}
	_, err = o.PreRead.Plan(op.Item{"version": number("9223372036854775807")})
	requireLimit(t, err, true)
}
