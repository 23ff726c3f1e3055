package schemadiff_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
)

type (
	// draft has no field that can have a role.
	draft struct {
		ID string `dynamodbav:"id"`
	}
	// report has two fields for each role.
	report struct {
		ID      string                          `dynamodbav:"id"`
		Rev     int64                           `dynamodbav:"rev"`
		Edition int64                           `dynamodbav:"edition"`
		At      time.Time                       `dynamodbav:"at"`
		Since   time.Time                       `dynamodbav:"since"`
		Ends    int64                           `dynamodbav:"ends"`
		Until   int64                           `dynamodbav:"until"`
		Rest    map[string]types.AttributeValue `dynamodbav:"others"`
	}
	// brief has only some fields of report.
	brief struct {
		ID  string    `dynamodbav:"id"`
		Rev int64     `dynamodbav:"rev"`
		At  time.Time `dynamodbav:"at"`
	}
	// dying has a time to live. Without the role, it is stored as a text.
	dying struct {
		ID   string    `dynamodbav:"id"`
		Ends time.Time `dynamodbav:"ends"`
	}
)

// roled returns a schema with a type report and its roles, by attribute.
func roled[T any](t *testing.T, c entity.Config, roles map[string]string) *entity.Schema {
	t.Helper()
	s := entity.NewSchema(c)
	of := spec("report", "R#<id>", "R")
	of.Roles = roles
	entity.DefineSpec[T](s, of)
	require.NoError(t, s.Err())
	return s
}

// TestDriftOfRoles checks roles that are added, removed or moved to another field. This affects how
// stored items are read and written, also by programs with the earlier schema.
func TestDriftOfRoles(t *testing.T) {
	t.Parallel()
	var plain entity.Config
	none := roled[report](t, plain, nil)
	with := func(attribute, role string) *entity.Schema {
		return roled[report](t, plain, map[string]string{attribute: role})
	}
	for name, c := range map[string]struct {
		was, is *entity.Schema
		says    []string // the required text of each message, in order
	}{
		"a version in a new attribute": {roled[draft](t, plain, nil), roled[brief](t, plain, map[string]string{"rev": "version"}), []string{
			"report has a version now, in rev: stored ones have none, which counts as version 0", "at of report is new", "rev of report is new",
		}},
		"a version in an attribute that was there": {none, with("rev", "version"), []string{"what stored ones have there is their version"}},
		"no version":                      {with("rev", "version"), none, []string{"report has no version any more, which was in rev: writes neither check nor advance it"}},
		"another version":                 {with("rev", "version"), with("edition", "version"), []string{"report has its version in edition, and had it in rev: what stored ones have there"}},
		"a version that goes for good":    {roled[brief](t, plain, map[string]string{"rev": "version"}), roled[draft](t, plain, nil), []string{"report has no version any more", "at of report is gone", "rev of report is gone"}},
		"a time of creation":              {none, with("at", "created"), []string{"report has a time of creation now, in at: a stored report without it gets the moment of its next Put or Upsert"}},
		"no time of creation":             {with("at", "created"), none, []string{"report has no time of creation any more, which was in at: stored ones keep it"}},
		"another time of creation":        {with("at", "created"), with("since", "created"), []string{"report has its time of creation in since, and had it in at:"}},
		"a time of the last write":        {none, with("at", "updated"), []string{"report has a time of the last write now, in at: a stored report has it from its next write on"}},
		"no time of the last write":       {with("at", "updated"), none, []string{"stored ones keep it as it is, however often they are written"}},
		"another time of the last write":  {with("at", "updated"), with("since", "updated"), []string{"report has its time of the last write in since, and had it in at:"}},
		"creation becomes the last write": {with("at", "created"), with("at", "updated"), []string{"report has no time of creation any more", "report has a time of the last write now"}},
		"unknown attributes are kept":     {none, with("others", "rest"), []string{"report has the role rest now: Put keeps", "others of report is gone: every stored report keeps it as an unknown one"}},
		"unknown attributes are dropped":  {with("others", "rest"), none, []string{"report has no role rest any more: its next Put drops", "others of report is new"}},
		"a gone attribute is kept": {
			roled[report](t, plain, nil), roled[struct {
				ID      string                          `dynamodbav:"id"`
				Edition int64                           `dynamodbav:"edition"`
				At      time.Time                       `dynamodbav:"at"`
				Since   time.Time                       `dynamodbav:"since"`
				Ends    int64                           `dynamodbav:"ends"`
				Until   int64                           `dynamodbav:"until"`
				Rest    map[string]types.AttributeValue `dynamodbav:"others" entity:"rest"`
			}](t, plain, nil),
			[]string{"report has the role rest now", "others of report is gone: every stored report keeps it as an unknown one, also when it is put again", "rev of report is gone: every stored report keeps it as an unknown one"},
		},
		"a time to live": {none, with("ends", "ttl"), []string{"items have their time to live in ends now: every stored report expires by what it has there"}},
		"a time to live in a new attribute": {roled[draft](t, plain, nil), roled[dying](t, plain, map[string]string{"ends": "ttl"}), []string{
			"items have their time to live in ends now: a stored report has none there, and does not expire until it is written again", "ends of report is new",
		}},
		"a text becomes a time to live": {roled[dying](t, plain, nil), roled[dying](t, plain, map[string]string{"ends": "ttl"}), []string{
			"a stored report has none there", "ends of report was stored as S(time) and is stored as N(time): a stored report is read, but",
		}},
		"no time to live":      {with("ends", "ttl"), none, []string{"items had their time to live in ends and have none"}},
		"another time to live": {with("ends", "ttl"), with("until", "ttl"), []string{"items have their time to live in until now: every stored report expires by what it has there"}},
		"a time to live of the table's that the type gets": {roled[dying](t, entity.Config{TTL: "ends"}, nil), roled[dying](t, entity.Config{TTL: "ends"}, map[string]string{"ends": "ttl"}), []string{
			"report has its time to live in ends now: stored ones do not expire until they are written again", "ends of report was stored as S(time)",
		}},
		"a time to live of the table's that the type loses": {roled[dying](t, entity.Config{TTL: "ends"}, map[string]string{"ends": "ttl"}), roled[dying](t, entity.Config{TTL: "ends"}, nil), []string{
			"report has no time to live any more: stored ones expire by ends until they are written again", "ends of report was stored as N(time)",
		}},
		"a time to live that was one anyway": {roled[report](t, entity.Config{TTL: "ends"}, nil), roled[report](t, entity.Config{TTL: "ends"}, map[string]string{"ends": "ttl"}), nil},
		"nothing":                            {with("rev", "version"), with("rev", "version"), nil},
	} {
		drift := c.is.Drift(c.was.Text())
		require.Len(t, drift, len(c.says), "%s: %q", name, drift)
		for i, says := range c.says {
			require.Contains(t, drift[i], says, name)
		}
	}
}

// TestDriftOfTheRoleKey checks a field that moves between an attribute and a key-only field.
func TestDriftOfTheRoleKey(t *testing.T) {
	t.Parallel()
	none, key := roled[draft](t, entity.Config{}, nil), roled[draft](t, entity.Config{}, map[string]string{"id": "key"})
	drift := key.Drift(none.Text())
	require.Len(t, drift, 1)
	require.Contains(t, drift[0], "id was an attribute of report, and is a part of its keys alone now: it is read from the key")
	drift = none.Drift(key.Text())
	require.Len(t, drift, 1)
	require.Contains(t, drift[0], "id was a part of the keys of report alone, and is an attribute now")
}

// TestTextOfRoles checks that a description contains the roles of a type.
func TestTextOfRoles(t *testing.T) {
	t.Parallel()
	text := roled[report](t, entity.Config{}, map[string]string{
		"rev": "version", "at": "created", "since": "updated", "ends": "ttl", "others": "rest",
	}).Text()
	require.Contains(t, text, "\nrole version rev\nrole created at\nrole updated since\nrole ttl ends\nrole rest\nattribute id S\n")
	s := roled[report](t, entity.Config{}, map[string]string{"rev": "version"})
	for name, damaged := range map[string]string{
		"a role twice":           strings.Replace(text, "role ttl ends\n", "role version rev\n", 1),
		"a role without a field": strings.Replace(text, "role ttl ends\n", "role ttl\n", 1),
		"rest with a field":      strings.Replace(text, "role rest\n", "role rest others\n", 1),
		"a later version":        strings.Replace(text, "description 1", "description 2", 1),
		"no version":             strings.Replace(text, "description 1", "description one", 1),
		"the version twice":      "description 1\n" + text,
		"the version at the end": strings.Replace(text, "description 1\n", "", 1) + "description 1\n",
		"no Go type":             strings.Replace(text, "N(int64)", "N(int65)", 1),
		"half a Go type":         strings.Replace(text, "N(int64)", "N(int64", 1),
		"no methods":             strings.Replace(text, "N(int64)", "N(telepathy of x else int64)", 1),
		"methods of nothing":     strings.Replace(text, "N(int64)", "N(text of  else int64)", 1),
		"written by nobody":      strings.Replace(text, "N(int64)", "N(int64 written by nobody)", 1),
		"in no format":           strings.Replace(text, "N(int64)", "N(int64 as )", 1),
	} {
		drift := s.Drift(damaged)
		require.Len(t, drift, 1, name)
		require.Contains(t, drift[0], "damaged", name)
	}
}
