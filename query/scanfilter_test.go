package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// Conditions on one type filter a scan of all types; they apply to the same attributes of all
// items. The scan has no handles of its own.
func TestScansOfAllTypesAreFiltered(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		scan := query.ScanTable(table).Segments(2).PageSize(3)
		all, err := oneOf(query.Filter(scan, employeeID.In("e1", "l0"), attr.Named[employee]("company_id").Eq("c1")).All(t.Context()))
		require.NoError(t, err)
		require.ElementsMatch(t, []any{employee{CompanyID: "c1", ID: "e1", HiredAt: day(1), Team: "a#b", Level: 9}, employeeLog{CompanyID: "c1", ID: "l0"}}, all)
		all, err = oneOf(query.Filter(query.Filter(scan, employeeID.Eq("e1")), level.Gt(9)).All(t.Context()))
		require.NoError(t, err)
		require.Empty(t, all)
		all, err = oneOf(query.Filter(scan, employeeID.Eq("e1")).All(t.Context()))
		require.NoError(t, err)
		require.Len(t, all, 2, "the scan is as it was")
	})
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	for name, scan := range map[string]query.TableScan[any]{
		"of its own":     query.ScanTable(table).Filter(attr.Named[any]("team").Eq("a")),
		"foreign":        query.Filter(query.ScanTable(table), rowKeep.Eq(true)),
		"nil":            query.Filter[employee](query.ScanTable(table), nil),
		"of nothing":     query.Filter(query.TableScan[any]{}, employeeID.Eq("e1")),
		"own of nothing": query.TableScan[any]{}.Filter(attr.Named[any]("team").Eq("a")),
		"no table":       query.Filter(query.ScanTable(nil), employeeID.Eq("e1")),
	} {
		_, err := oneOf(scan.All(t.Context()))
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
}

// device is a row of a table whose key consists of plain attributes.
type device struct {
	_    entity.Key `type:"device" pk:"<Home>" sk:"<Name>"`
	Home string
	Name string
	Room string
}

// A scan has no key condition, so its filter may use all key attributes.
func TestScansFilterByTheKey(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{Partition: entity.S("Home"), Sort: entity.S("Name"), Raw: true, TypeAttribute: entity.None, WriteID: entity.None})
	devices := entity.Define[device](s)
	deviceHome, deviceName := attr.Must(func(d *device) *string { return &d.Home }), attr.Must(func(d *device) *string { return &d.Name })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := s.Open(e.Client(t), "devices")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		r := devices.In(table)
		for _, d := range []device{{Home: "a", Name: "lamp"}, {Home: "a", Name: "bell"}, {Home: "b", Name: "lamp"}} {
			require.NoError(t, r.Put(t.Context(), &d))
		}
		found, err := oneOf(query.Scan(r).Filter(deviceName.Eq("lamp"), deviceHome.Ne("b")).All(t.Context()))
		require.NoError(t, err)
		require.Equal(t, []device{{Home: "a", Name: "lamp"}}, found)
		all, err := oneOf(query.Filter(query.ScanTable(table), deviceName.Eq("bell")).All(t.Context()))
		require.NoError(t, err)
		require.Equal(t, []any{device{Home: "a", Name: "bell"}}, all)
		_, err = query.Of(r, device{Home: "a"}).Filter(deviceName.Eq("lamp")).Collect(t.Context())
		require.ErrorIs(t, err, trestle.ErrInvalid, "a query is read by its key")
	})
}

// Strong makes a scan of one type or of all types strongly consistent. The scan returns an item
// that was just written, for twice the units.
func TestStrongScans(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	table := open(t, db.Client())
	r := employees.In(table)
	units := func(read func() error) float64 {
		return ddbtest.Measure(db, func() { require.NoError(t, read()) }).ReadUnits
	}
	for name, c := range map[string]struct{ eventual, strong query.TableScan[employee] }{
		"by the scan":       {query.Scan(r), query.Scan(r).Strong()},
		"by the repository": {query.Scan(r), query.Scan(r.Strong())},
	} {
		once := units(func() error { _, err := oneOf(c.eventual.All(t.Context())); return err })
		require.InDelta(t, 2*once, units(func() error { _, err := oneOf(c.strong.All(t.Context())); return err }), 0, name)
	}
	all := query.ScanTable(table)
	once := units(func() error { _, err := oneOf(all.All(t.Context())); return err })
	require.InDelta(t, 2*once, units(func() error { _, err := oneOf(all.Strong().All(t.Context())); return err }), 0)
	_, err := oneOf(query.Scan(r).Strong().On("by-hire").All(t.Context()))
	require.ErrorIs(t, err, trestle.ErrInvalid)
}
