package write

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func TestDelete(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	anna := employee{CompanyID: "c1", ID: "e7"}
	four := anna
	four.Version = 4
	for name, test := range map[string]struct {
		example    employee
		conds      []attr.Cond[employee]
		condition  string
		why        op.ConditionCheck
		idempotent bool
	}{
		"whatever is there": {anna, nil, "", op.ConditionCheck{}, true},
		"a condition":       {anna, []attr.Cond[employee]{status.Eq("leaving")}, "attribute_exists(PK) AND (status = 'leaving')", op.ConditionCheck{MustExist: true}, false},
		"a version":         {four, nil, "version = 4", op.ConditionCheck{MustExist: true, Stale: true, VersionAttribute: "version", ExpectedVersion: number("4")}, false},
	} {
		o, err := Delete(p, codec.PtrTo(&test.example), conds(test.conds...), op.Nothing)
		require.NoError(t, err, name)
		require.Equal(t, test.condition, requestOf(t, o.Primary).condition, name)
		require.Equal(t, test.why, o.Primary.Check, name)
		require.Equal(t, test.idempotent, o.Primary.Idempotent, name)
		require.Equal(t, op.Item{"PK": text("COM#c1"), "SK": text("EMP#e7")}, o.Primary.Key, name)
	}
}

// TestUpdate checks examples of the conditions, stamps and index keys of updates.
func TestUpdate(t *testing.T) {
	t.Parallel()
	companies, employees := planOf[company](t, twoIndexes), planOf[employee](t, twoIndexes)
	key := employee{CompanyID: "c1", ID: "e7"}
	four, known := key, key
	four.Version = 4
	known.HiredAt, known.Level = noon, 3
	stamp := "updated_at = '2026-08-05T12:00:00Z'"
	for name, test := range map[string]struct {
		args       UpdateArgs
		want       request
		idempotent bool
	}{
		"no member": {
			updateArgs(companies, company{ID: "c1"}, city.Set("Bergen")),
			request{"SET city = 'Bergen'", "attribute_exists(PK)"}, true,
		},
		"left out": {
			updateArgs(companies, company{ID: "c1"}, city.Set("")),
			request{"REMOVE city", "attribute_exists(PK)"}, true,
		},
		"member": {
			updateArgs(companies, company{ID: "c1"}, companyName.Set("Two")),
			request{"SET name = 'Two', GSI1PK = 'ORG#Two', GSI1SK = 'COM#c1'", "attribute_exists(PK)"}, true,
		},
		"member made absent": {
			updateArgs(companies, company{ID: "c1"}, companyName.Set("")),
			request{"SET name = '' REMOVE GSI1PK, GSI1SK", "attribute_exists(PK)"}, true,
		},
		"condition": {
			updateArgs(companies, company{ID: "c1"}, city.Set("Bergen"), attr.If(companyName.Eq("One"), city.NotExists())),
			request{"SET city = 'Bergen'", "attribute_exists(PK) AND (name = 'One') AND (attribute_not_exists(city))"}, false,
		},
		"no version": {
			updateArgs(employees, key, attr.Add(logins, 1)),
			request{"SET " + stamp + " ADD logins 1, version 1", "attribute_exists(PK)"}, false,
		},
		"version": {
			updateArgs(employees, four, attr.Append(skills, "go")),
			request{"SET skills = list_append(if_not_exists(skills, […]), […]), version = 5, " + stamp, "version = 4"}, false,
		},
		"told members are checked": {
			updateArgs(employees, known, status.Set("left")),
			request{
				"SET status = 'left', " + stamp + ", GSI2PK = 'RANK#left', GSI2SK = '0003#2026-08-05T12:00:00Z' ADD version 1",
				"attribute_exists(PK) AND level = 3 AND hired_at = '2026-08-05T12:00:00Z'",
			}, false,
		},
		"set members are not": {
			updateArgs(employees, key, status.Set("left"), level.Set(0), hiredAt.Set(noon)),
			request{
				"SET status = 'left', level = 0, hired_at = '2026-08-05T12:00:00Z', " + stamp +
					", GSI1PK = 'COM#c1', GSI1SK = 'HIRED#2026-08-05#e7', GSI2PK = 'RANK#left', GSI2SK = '0000#2026-08-05T12:00:00Z' ADD version 1",
				"attribute_exists(PK)",
			}, false,
		},
		"a member that goes needs no other": {
			updateArgs(employees, key, hiredAt.Remove()),
			request{"SET " + stamp + " REMOVE hired_at, GSI1PK, GSI1SK, GSI2PK, GSI2SK ADD version 1", "attribute_exists(PK)"}, false,
		},
	} {
		o, err := Update(test.args)
		require.NoError(t, err, name)
		require.Equal(t, test.want, requestOf(t, o.Primary), name)
		require.Equal(t, test.idempotent, o.Primary.Idempotent, name)
		require.True(t, o.Primary.Check.MustExist, name)
		require.Equal(t, "update", o.Name, name)
	}
}

// TestInvalidUpdates checks that an error reports all faults of an update and names the fields.
func TestInvalidUpdates(t *testing.T) {
	t.Parallel()
	companies, employees := planOf[company](t, twoIndexes), planOf[employee](t, twoIndexes)
	key := employee{CompanyID: "c1", ID: "e7"}
	ranked := key
	ranked.Level = 3
	for name, test := range map[string]struct {
		args   UpdateArgs
		fields []string
	}{
		"members unknown":   {updateArgs(employees, key, status.Set("left")), []string{"level", "hired_at"}},
		"one is told":       {updateArgs(employees, ranked, status.Set("left")), []string{"hired_at"}},
		"one is set":        {updateArgs(employees, key, status.Set("left"), hiredAt.Set(noon)), []string{"level"}},
		"arithmetic":        {updateArgs(employees, key, attr.Add(level, 1), status.Set("left"), hiredAt.Set(noon)), []string{"level"}},
		"if absent":         {updateArgs(employees, key, level.Set(3), status.SetIfAbsent("new"), hiredAt.Set(noon)), []string{"status"}},
		"the table's key":   {updateArgs(companies, company{ID: "c1"}, companyID.Set("c2")), []string{"id"}},
		"roles":             {updateArgs(employees, key, version.Set(9), updated.Set(noon)), []string{"version", "updated_at"}},
		"no key":            {updateArgs(employees, employee{Level: 1}, attr.Add(logins, 1)), []string{"company_id", "id"}},
		"conditions only":   {updateArgs(companies, company{ID: "c1"}, attr.If(city.Exists())), []string{""}},
		"twice":             {updateArgs(companies, company{ID: "c1"}, city.Set("a"), city.Set("b")), []string{"city"}},
		"a key of its own":  {updateArgs(companies, company{ID: "c1"}, attr.Named[company]("GSI1PK").Set("x")), []string{"GSI1PK"}},
		"the type":          {updateArgs(companies, company{ID: "c1"}, attr.Named[company]("_type").Remove()), []string{"_type"}},
		"all that is wrong": {updateArgs(employees, employee{ID: "e7"}, version.Set(9), attr.Add(attr.Typed[int64](attr.Named[employee]("lvl")), 1)), []string{"company_id", "version", "lvl"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Update(test.args)
			requireFields(t, err, errs.Invalid, test.fields...)
		})
	}
}

// TestUpsert checks that a new item has its type, its key's fields, its constant indexes, and the
// example's values in touched index keys.
func TestUpsert(t *testing.T) {
	t.Parallel()
	companies, employees := planOf[company](t, twoIndexes), planOf[employee](t, twoIndexes)
	upserting := func(a UpdateArgs) UpdateArgs { a.Upsert = true; return a }
	told := employee{CompanyID: "c1", ID: "e7", HiredAt: noon, Level: 3}
	versioned := employee{CompanyID: "c1", ID: "e7", Version: 4}
	identity := "company_id = if_not_exists(company_id, 'c1'), id = if_not_exists(id, 'e7'), _type = 'employee', "
	stamps := "updated_at = '2026-08-05T12:00:00Z', created_at = if_not_exists(created_at, '2026-08-05T12:00:00Z')"
	for name, test := range map[string]struct {
		args       UpdateArgs
		want       request
		why        op.ConditionCheck
		idempotent bool
	}{
		"constant": {
			upserting(updateArgs(companies, company{ID: "c1"}, city.Set("Bergen"))),
			request{"SET city = 'Bergen', id = if_not_exists(id, 'c1'), _type = 'company', GSI2PK = 'COMPANIES', GSI2SK = 'c1'", ""},
			op.ConditionCheck{}, true,
		},
		"stamps": {
			upserting(updateArgs(employees, employee{CompanyID: "c1", ID: "e7"}, attr.Add(logins, 1))),
			request{"SET " + identity + stamps + " ADD logins 1, version 1", ""}, op.ConditionCheck{}, false,
		},
		"version": {
			upserting(updateArgs(employees, versioned, logins.Set(1))),
			request{"SET logins = 1, " + identity + "version = 5, " + stamps, "version = 4"},
			op.ConditionCheck{Stale: true, VersionAttribute: "version", ExpectedVersion: number("4")}, false,
		},
		"the caller's moment of creation": {
			upserting(updateArgs(employees, employee{CompanyID: "c1", ID: "e7"}, created.Set(noon))),
			request{"SET created_at = '2026-08-05T12:00:00Z', " + identity + "updated_at = '2026-08-05T12:00:00Z' ADD version 1", ""}, op.ConditionCheck{}, false,
		},
		"told members are adopted, and rendered in every index": {
			upserting(updateArgs(employees, told, status.Set("new"))),
			request{
				"SET status = 'new', " + identity + stamps + ", level = 3, hired_at = '2026-08-05T12:00:00Z'" +
					", GSI1PK = 'COM#c1', GSI1SK = 'HIRED#2026-08-05#e7', GSI2PK = 'RANK#new', GSI2SK = '0003#2026-08-05T12:00:00Z' ADD version 1",
				"(attribute_not_exists(level) OR level = 3) AND (attribute_not_exists(hired_at) OR hired_at = '2026-08-05T12:00:00Z')",
			}, op.ConditionCheck{}, false,
		},
	} {
		o, err := Update(test.args)
		require.NoError(t, err, name)
		require.Equal(t, test.want, requestOf(t, o.Primary), name)
		why := o.Primary.Check
		why.Example = nil
		require.Equal(t, test.why, why, name)
		require.Equal(t, test.idempotent, o.Primary.Idempotent, name)
		require.Equal(t, "upsert", o.Name, name)
	}
}

// TestPlanningIsDeterministic checks that planning is deterministic.
func TestPlanningIsDeterministic(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	first, err := Update(updateArgs(p, anna, status.Set("left")))
	require.NoError(t, err)
	for range 20 {
		o, err := Update(updateArgs(p, anna, status.Set("left")))
		require.NoError(t, err)
		require.Equal(t, first.Primary, o.Primary)
	}
}
