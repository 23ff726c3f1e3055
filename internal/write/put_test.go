package write

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	e := anna
	stored := e
	o, stamps, err := Create(putArgs(planOf[employee](t, twoIndexes), &stored))
	require.NoError(t, err)
	require.Equal(t, "attribute_not_exists(PK)", requestOf(t, o.Primary).condition)
	require.Equal(t, op.ConditionCheck{MustNotExist: true}, o.Primary.Check)
	require.False(t, o.Primary.Idempotent)
	require.Equal(t, op.Item{
		"_type": text("employee"), "PK": text("COM#c1"), "SK": text("EMP#e7"),
		"GSI1PK": text("COM#c1"), "GSI1SK": text("HIRED#2026-08-05#e7"), "GSI2PK": text("RANK#active"), "GSI2SK": text("0003#2026-08-05T12:00:00Z"),
		"company_id": text("c1"), "id": text("e7"), "hired_at": text("2026-08-05T12:00:00Z"), "status": text("active"), "level": number("3"),
		"logins": number("0"), "version": number("1"), "created_at": text("2025-08-05T12:00:00Z"), "updated_at": text("2026-08-05T12:00:00Z"),
	}, o.Primary.Item)
	require.Equal(t, anna, e, "the caller's struct is stamped by Apply only")
	require.NoError(t, stamps.Apply(codec.PtrTo(&e)))
	want := anna
	want.Version, want.UpdatedAt = 1, noon
	require.Equal(t, want, e)
}

// TestCreatedIsKept checks that an existing creation time is kept and a missing one is set.
func TestCreatedIsKept(t *testing.T) {
	t.Parallel()
	e := anna
	e.CreatedAt = time.Time{}
	stored := e
	o, stamps, err := Put(putArgs(planOf[employee](t, twoIndexes), &stored))
	require.NoError(t, err)
	require.Equal(t, text("2026-08-05T12:00:00Z"), o.Primary.Item["created_at"])
	require.NoError(t, stamps.Apply(codec.PtrTo(&e)))
	require.Equal(t, noon, e.CreatedAt)
}

func TestPut(t *testing.T) {
	t.Parallel()
	plain, versioned := planOf[company](t, twoIndexes), planOf[employee](t, twoIndexes)
	c := company{ID: "c1", Name: "One"}
	fresh, known := anna, anna
	fresh.Version = 0
	const noVersion = "(attribute_not_exists(version) OR attribute_type(version, 'NULL') OR version = 0) AND (attribute_not_exists(_type) OR _type = 'employee')"
	for name, test := range map[string]struct {
		args       PutArgs
		condition  string
		why        op.ConditionCheck
		idempotent bool
		version    string
	}{
		"plain":     {putArgs(plain, &c), "", op.ConditionCheck{}, true, ""},
		"condition": {putArgs(plain, &c, city.Eq("Bergen")), "(city = 'Bergen')", op.ConditionCheck{}, false, ""},
		"new": {putArgs(versioned, &fresh), noVersion, op.ConditionCheck{
			Stale: true, VersionAttribute: "version", ZeroVersion: number("0"), ItemType: &op.Expected{Attribute: "_type", Value: text("employee")}, OtherType: errs.Exists,
		}, false, "1"},
		"known": {putArgs(versioned, &known), "version = 4", op.ConditionCheck{Stale: true, VersionAttribute: "version", ExpectedVersion: number("4")}, false, "5"},
	} {
		o, _, err := Put(test.args)
		require.NoError(t, err, name)
		require.Equal(t, test.condition, requestOf(t, o.Primary).condition, name)
		require.Equal(t, test.why, o.Primary.Check, name)
		require.Equal(t, test.idempotent, o.Primary.Idempotent, name)
		if test.version != "" {
			require.Equal(t, number(test.version), o.Primary.Item["version"], name)
		}
	}
}

// TestSparse checks that an item has both halves of an index key or neither.
func TestSparse(t *testing.T) {
	t.Parallel()
	p := planOf[company](t, twoIndexes)
	item, err := Item(p, codec.PtrTo(&company{ID: "c1"}))
	require.NoError(t, err)
	require.Equal(t, op.Item{
		"_type": text("company"), "PK": text("COM#c1"), "SK": text("#METADATA"), "GSI2PK": text("COMPANIES"), "GSI2SK": text("c1"),
		"id": text("c1"), "name": text(""), "seq": number("0"),
	}, item)
}

func TestOverwrite(t *testing.T) {
	t.Parallel()
	c := company{ID: "c1"}
	o, _, err := Overwrite(putArgs(planOf[company](t, twoIndexes), &c))
	require.NoError(t, err)
	require.Nil(t, o.PreRead)
	require.True(t, o.Primary.Idempotent)

	e := anna
	stored := e
	o, stamps, err := Overwrite(putArgs(planOf[employee](t, twoIndexes), &stored))
	require.NoError(t, err)
	read := o.PreRead.Read
	require.Equal(t, op.Item{"PK": text("COM#c1"), "SK": text("EMP#e7")}, read.Key)
	require.True(t, read.Strong)
	require.Equal(t, "#n0, #n1, #n2", read.Projection)
	require.Equal(t, map[string]string{"#n0": "PK", "#n1": "_type", "#n2": "version"}, read.Names)

	for name, test := range map[string]struct {
		met                op.Item
		condition, version string
	}{
		"nothing":         {nil, "attribute_not_exists(PK)", "1"},
		"another version": {op.Item{"PK": text("COM#c1"), "version": number("9")}, "version = 9", "10"},
		"no version":      {op.Item{"PK": text("COM#c1")}, "attribute_not_exists(version)", "1"},
	} {
		act, err := o.PreRead.Plan(test.met)
		require.NoError(t, err, name)
		require.Equal(t, test.condition, requestOf(t, act).condition, name)
		require.Equal(t, number(test.version), act.Item["version"], name)
		require.Len(t, act.Check.Planned, 1, name)
		require.False(t, act.Idempotent, name)
		require.NoError(t, stamps.Apply(codec.PtrTo(&e)))
		require.Equal(t, test.version, strconv.FormatInt(e.Version, 10), name)
	}
}

// TestMaximumVersion checks that no write exceeds the maximum version of a type.
func TestMaximumVersion(t *testing.T) {
	t.Parallel()
	type signed struct {
		_       keyTag `type:"signed" pk:"S#<id>" sk:"S"`
		ID      string `dynamodbav:"id"`
		Note    string `dynamodbav:"note"`
		Version int64  `dynamodbav:"version" entity:"version"`
	}
	type unsigned struct {
		_       keyTag `type:"unsigned" pk:"U#<id>" sk:"U"`
		ID      string `dynamodbav:"id"`
		Version uint64 `dynamodbav:"version" entity:"version"`
	}
	note := attr.Must(func(s *signed) *string { return &s.Note })
	p := planOf[signed](t, define.Config{})
	for v, fits := range map[int64]bool{math.MaxInt64 - 1: true, math.MaxInt64: false} {
		_, _, err := Put(putArgs(p, &signed{ID: "a", Version: v}))
		requireLimit(t, err, !fits)
		_, err = Update(updateArgs(p, signed{ID: "a", Version: v}, note.Set("x")))
		requireLimit(t, err, !fits)
		_, err = Delete(p, codec.PtrTo(&signed{ID: "a", Version: v}), nil, op.Nothing)
		require.NoError(t, err)
	}
	u := planOf[unsigned](t, define.Config{})
	for v, fits := range map[uint64]bool{math.MaxInt64 - 1: true, math.MaxInt64: false, math.MaxUint64: false} {
		_, _, err := Put(putArgs(u, &unsigned{ID: "a", Version: v}))
		requireLimit(t, err, !fits)
	}
	o, _, err := Put(putArgs(u, &unsigned{ID: "a", Version: 7}))
	require.NoError(t, err)
	require.Equal(t, number("8"), o.Primary.Item["version"])
	require.Equal(t, number("7"), o.Primary.Check.ExpectedVersion)
}

func requireLimit(t testing.TB, err error, limit bool) {
	t.Helper()
	if !limit {
		require.NoError(t, err)
		return
	}
	require.ErrorIs(t, err, errs.Limit)
	require.NotErrorIs(t, err, errs.Invalid)
}
