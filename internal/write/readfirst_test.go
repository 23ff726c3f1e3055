package write

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func readFirstArgs(a UpdateArgs, upsert bool) UpdateArgs {
	a.ReadFirst, a.Upsert = true, upsert
	return a
}

var storedAnna = op.Item{
	"PK": text("COM#c1"), "hired_at": text("2026-08-05T12:00:00Z"), "status": text("active"), "level": number("3"),
}

// TestReadFirst checks that only unknown values are read and that conditions check them.
func TestReadFirst(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	key := employee{CompanyID: "c1", ID: "e7"}
	o, err := Update(readFirstArgs(updateArgs(p, key, attr.Add(logins, 1)), false))
	require.NoError(t, err)
	require.Nil(t, o.PreRead)

	told := key
	told.Status = "active"
	o, err = Update(readFirstArgs(updateArgs(p, told, attr.Add(level, 2)), false))
	require.NoError(t, err)
	read := o.PreRead.Read
	require.True(t, read.Strong && read.Idempotent)
	require.Equal(t, "#n0, #n1, #n2, #n3, #n4", read.Projection)
	require.Equal(t, map[string]string{"#n0": "PK", "#n1": "_type", "#n2": "hired_at", "#n3": "status", "#n4": "level"}, read.Names)

	act, err := o.PreRead.Plan(storedAnna)
	require.NoError(t, err)
	require.Equal(t, request{
		"SET level = 5, updated_at = '2026-08-05T12:00:00Z', GSI2PK = 'RANK#active', GSI2SK = '0005#2026-08-05T12:00:00Z' ADD version 1",
		"attribute_exists(PK) AND level = 3 AND status = 'active' AND hired_at = '2026-08-05T12:00:00Z'",
	}, requestOf(t, act))
	require.False(t, act.Idempotent)
	require.Equal(t, []op.Expected{
		{Attribute: "PK", Value: text("COM#c1")}, {Attribute: "level", Value: number("3")},
		{Attribute: "hired_at", Value: text("2026-08-05T12:00:00Z")},
	}, act.Check.Planned, "what the example tells is the caller's own condition, and nothing to plan again for")
}

// TestReadAbsent checks that a condition requires missing attributes to be absent, and that a
// missing number is not 0.
func TestReadAbsent(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	o, err := Update(readFirstArgs(updateArgs(p, employee{CompanyID: "c1", ID: "e7"}, status.Set("new")), false))
	require.NoError(t, err)
	act, err := o.PreRead.Plan(op.Item{"PK": text("COM#c1"), "hired_at": text("2026-08-05T12:00:00Z")})
	require.NoError(t, err)
	require.Equal(t, request{
		"SET status = 'new', updated_at = '2026-08-05T12:00:00Z' REMOVE GSI2PK, GSI2SK ADD version 1",
		"attribute_exists(PK) AND attribute_not_exists(level)",
	}, requestOf(t, act))
}

// TestReadMissingItem checks writes to a missing item. An update is not found. An upsert creates
// the item, unless it checks a version.
func TestReadMissingItem(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	for name, test := range map[string]struct {
		version int64
		upsert  bool
		want    error
	}{
		"update": {0, false, errs.NotFound}, "update of a version": {4, false, errs.NotFound},
		"upsert": {0, true, nil}, "upsert of a version": {4, true, errs.Stale},
	} {
		o, err := Update(readFirstArgs(updateArgs(p, employee{CompanyID: "c1", ID: "e7", Version: test.version}, attr.Add(level, 2)), test.upsert))
		require.NoError(t, err, name)
		act, err := o.PreRead.Plan(nil)
		require.ErrorIs(t, err, test.want, name)
		if test.want == nil {
			got := requestOf(t, act)
			require.Equal(t, "attribute_not_exists(PK)", got.condition)
			require.Contains(t, got.update, "level = 2")
			require.Equal(t, []op.Expected{{Attribute: "PK"}}, act.Check.Planned)
		}
	}
}

// TestSumsOfStoredNumbers checks that overflows of the Go type and of a key format are errors.
func TestSumsOfStoredNumbers(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	for name, test := range map[string]struct {
		stored string
		by     int64
		want   string
	}{
		"sum": {"3", 4, "7"}, "absent": {"", 4, "4"}, "negative is none of the format": {"3", -4, ""}, "too wide for the format": {"9999", 1, ""},
		"overflow": {"9223372036854775807", 1, ""}, "underflow": {"-9223372036854775808", -1, ""},
	} {
		o, err := Update(readFirstArgs(updateArgs(p, employee{CompanyID: "c1", ID: "e7"}, attr.Add(level, test.by)), false))
		require.NoError(t, err, name)
		met := op.Item{"PK": text("COM#c1"), "hired_at": text("2026-08-05T12:00:00Z"), "status": text("active")}
		if test.stored != "" {
			met["level"] = number(test.stored)
		}
		act, err := o.PreRead.Plan(met)
		if test.want == "" {
			require.ErrorIs(t, err, errs.Invalid, name)
			continue
		}
		require.NoError(t, err, name)
		require.Contains(t, requestOf(t, act).update, "level = "+test.want+",", name)
	}
}

// TestReadUndecodableItem checks that an item that cannot be decoded is not reported as an error of
// the caller.
func TestReadUndecodableItem(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	o, err := Update(readFirstArgs(updateArgs(p, employee{CompanyID: "c1", ID: "e7"}, attr.Add(level, 1)), false))
	require.NoError(t, err)
	_, err = o.PreRead.Plan(op.Item{"PK": text("COM#c1"), "level": text("three")})
	var r *errs.ValidationError
	require.ErrorAs(t, err, &r)
	require.NoError(t, r.Kind)
}
