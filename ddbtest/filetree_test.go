package ddbtest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// tree returns a file system with these files.
func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fsys
}

const (
	thingsFile = `{"TableName":"things",` + definitions + "}"
	othersFile = `{"TableName":"others","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]}`
	templateOf = `{"Resources":{"T":{"Type":"AWS::DynamoDB::Table","Properties":` + thingsFile + "}}}"
	planOf     = `{"planned_values":{"root_module":{"resources":[{"type":"aws_dynamodb_table","name":"t","values":{"name":"things",` + planned + "}}]}}}"
)

// TestLoadFS loads files of every format. Their names have no meaning.
func TestLoadFS(t *testing.T) {
	t.Parallel()
	for _, table := range []string{
		thingsFile, "[" + thingsFile + "]", `{"Table":` + thingsFile + "}", `{"TableDescription":` + thingsFile + "}", templateOf, planOf,
		compressed(t, thingsFile),
	} {
		for name, items := range itemFiles {
			files := tree(map[string]string{"1.items": items, "z/table.txt": table, ".git/HEAD": "x", ".hidden": "x"})
			if strings.Contains(items, `"others"`) {
				files["others"] = &fstest.MapFile{Data: []byte(othersFile)}
				items = strings.ReplaceAll(items, `,"others":[{"DeleteRequest":{"Key":{}}}]`, "")
				items = strings.ReplaceAll(items, `,"others":[`+thingA+"]", "")
				files["1.items"].Data = []byte(items)
			} else if name == "items" {
				files["1.items"].Data = []byte(compressed(t, items))
			}
			db := ddbtest.Start(t)
			_, n := db.LoadFS(t, files)
			require.Equal(t, 2, n, name)
			require.Len(t, db.Dump(things), 2, name)
			require.Empty(t, db.Requests())
			require.Zero(t, db.Cost().Total())
		}
	}
}

// TestLoadFSOrder checks that tables come before items, and that later files replace items.
func TestLoadFSOrder(t *testing.T) {
	t.Parallel()
	files := tree(map[string]string{
		"a.json": thingA, "b/c.json": strings.Replace(thingA, "red", "blue", 1), "b/z.json": strings.Replace(thingA, "red", "green", 1), "t.json": thingsFile,
	})
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "green"},
		{[]string{"."}, "green"},
		{[]string{"a.json", "b", "t.json"}, "green"},
		{[]string{"b", "a.json", "t.json"}, "red"},
		{[]string{"b/z.json", "b/c.json", "t.json"}, "blue"},
		{[]string{"b/z.json", "things=b/c.json", "t.json"}, "blue"},
	} {
		db := ddbtest.Start(t)
		tables, _ := db.LoadFS(t, files, c.names...)
		require.Equal(t, []string{things}, tables)
		require.Len(t, db.Dump(things), 1)
		require.Equal(t, text(c.want), db.Dump(things)[0]["color"], c.names)
	}
}

// TestLoadFSTogether loads files with tables and items together, the format of the command ddbtest.
// Their items come last. It fails if LoadFS does not know the format.
func TestLoadFSTogether(t *testing.T) {
	t.Parallel()
	const blue = `{"pk":{"S":"a"},"sk":{"N":"1"},"color":{"S":"blue"}}`
	both := `{"tables":[` + thingsFile + "," + othersFile + `],"items":{"things":[` + blue + `],"others":[{"id":{"S":"a"}}]}}`
	db := ddbtest.Start(t)
	tables, items := db.LoadFS(t, tree(map[string]string{"1.json": compressed(t, both), "things.json": "[" + thingA + "," + thingB + "]"}))
	require.Equal(t, []string{things, "others"}, tables)
	require.Equal(t, 4, items)
	require.Len(t, db.Dump(things), 2)
	require.Len(t, db.Dump("others"), 1)
	require.Equal(t, text("blue"), db.Dump(things)[0]["color"])
	tables, items = db.LoadFS(t, tree(map[string]string{"items.json": `{"items":{"others":[{"id":{"S":"b"}}]}}`, "empty.json": `{"tables":[],"items":{}}`}))
	require.Empty(t, tables)
	require.Equal(t, 1, items)
	tables, _ = db.LoadFS(t, tree(map[string]string{"tables.json": `{"tables":[` + strings.Replace(othersFile, "others", "more", 1) + "]}"}))
	require.Equal(t, []string{"more"}, tables)
}

// TestLoadFSNamesOfMembers loads items and requests that have the names of the members of a file
// with tables and items together.
func TestLoadFSNamesOfMembers(t *testing.T) {
	t.Parallel()
	of := func(name string) string { return strings.Replace(othersFile, "others", name, 1) }
	db := ddbtest.Start(t)
	db.LoadFS(t, tree(map[string]string{"1": of("tables"), "2": of("items")}))
	_, n := db.LoadFS(t, tree(map[string]string{
		"items.json": `{"id":{"S":"a"},"items":{"L":[]},"tables":{"M":{"S":{"S":"x"}}}}`,
		"2.json":     `{"tables":[{"PutRequest":{"Item":{"id":{"S":"b"}}}}],"items":[{"PutRequest":{"Item":{"id":{"S":"c"}}}}]}`,
	}))
	require.Equal(t, 3, n)
	require.Len(t, db.Dump("items"), 2)
	require.Len(t, db.Dump("tables"), 1)
}

// TestLoadFSTable checks how the table of a file of items is found.
func TestLoadFSTable(t *testing.T) {
	t.Parallel()
	const other = `{"id":{"S":"a"}}`
	exported := writeExport(t, strings.Replace(exportSummary, "{", `{"tableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/things",`, 1),
		func(file string) string { return file })
	for name, c := range map[string]struct {
		files  map[string]string
		names  []string
		things int
		others int
	}{
		"the name of the file":     {map[string]string{"things.json": thingA, "others.2026.json.gz": compressed(t, other)}, nil, 1, 1},
		"the folder":               {map[string]string{"things/1.json": thingA, "others/a/b/2.json": other}, nil, 1, 1},
		"the nearest folder":       {map[string]string{"others/things/1.json": thingA, "things/others.json": other}, nil, 1, 1},
		"before an equals sign":    {map[string]string{"others.json": thingA}, []string{"things=others.json"}, 1, 0},
		"a folder with the sign":   {map[string]string{"x/1.json": thingA, "x/2.json": thingB}, []string{"things=x"}, 2, 0},
		"a name with the sign":     {map[string]string{"others=things.json": other, "others=things": thingA}, []string{"others=others=things.json", "things=others=things"}, 1, 1},
		"in the file":              {map[string]string{"others.json": `{"things":[{"PutRequest":{"Item":` + thingA + `}}],"others":[{"PutRequest":{"Item":` + other + "}}]}"}, nil, 1, 1},
		"in the file and the sign": {map[string]string{"x.json": `{"things":[{"PutRequest":{"Item":` + thingA + `}}],"others":[{"PutRequest":{"Item":` + other + "}}]}"}, []string{"others=x.json"}, 0, 1},
	} {
		db := ddbtest.Start(t)
		db.LoadFS(t, tree(map[string]string{"a": thingsFile, "b": othersFile}))
		db.LoadFS(t, tree(c.files), c.names...)
		require.Len(t, db.Dump(things), c.things, name)
		require.Len(t, db.Dump("others"), c.others, name)
	}
	for _, name := range []string{"AWSDynamoDB", "AWSDynamoDB/0123-abc", "AWSDynamoDB/0123-abc/manifest-summary.json", "."} {
		db := ddbtest.Start(t)
		db.LoadFS(t, tree(map[string]string{"a": thingsFile, "b": othersFile}))
		_, n := db.LoadFS(t, os.DirFS(exported), name)
		require.Equal(t, 2, n)
		require.Len(t, db.Dump(things), 2, name)
	}
	db := ddbtest.Start(t)
	db.LoadFS(t, tree(map[string]string{"a": strings.Replace(thingsFile, "things", "copy", 1), "b": othersFile}))
	db.LoadFS(t, os.DirFS(exported), "copy=AWSDynamoDB")
	require.Len(t, db.Dump("copy"), 2)
}

// TestLoadFSFaults compares the errors of invalid files with the golden file. Without a valid file
// of tables nothing is loaded.
func TestLoadFSFaults(t *testing.T) {
	t.Parallel()
	damaged := writeExport(t, exportSummary, func(file string) string { return file[:len(file)-1] })
	require.NoError(t, os.WriteFile(damaged+"/t.json", []byte(thingsFile), 0o600))
	var b strings.Builder
	check := func(name string, load func(*ddbtest.DB, ddbtest.TB)) {
		test := new(fakeTest)
		db := ddbtest.Start(test)
		load(db, test)
		require.Len(t, test.failures, 1, name)
		require.NotContains(t, test.failures[0], "secret")
		fmt.Fprintf(&b, "%s\n\t%s\n", name, strings.ReplaceAll(test.failures[0], "\n", "\n\t"))
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		names []string
	}{
		{"nothing", nil, nil},
		{"a missing file", map[string]string{"a": thingsFile}, []string{"b.json", "things=c.json", "a=b"}},
		{"other formats", map[string]string{"README.md": "secret\n", "empty.json": " ", "ion": "$ion_1_0 {}", "t.yaml": "Resources:\n  Type: AWS::DynamoDB::Table\n", "z.gz": "\x1f\x8b secret"}, nil},
		{"neither tables nor items", map[string]string{"a.json": `{"name":"secret"}`, "b.json": "[]", "c.json": "[1]"}, nil},
		{"damaged JSON", map[string]string{"t.json": thingsFile[:len(thingsFile)-1], "things.json": thingA + "\n" + thingB[:40]}, nil},
		{"a table for a table", map[string]string{"t.json": thingsFile}, []string{"things=t.json"}},
		{"no name of the table", map[string]string{"a.json": thingsFile, "b.json": othersFile, "c.json": thingA}, nil},
		{"no tables", map[string]string{"c.json": thingA}, nil},
		{"an unknown table", map[string]string{"a.json": thingsFile, "b.json": thingA}, []string{"thing=b.json", "a.json"}},
		{"a table twice", map[string]string{"a.json": thingsFile, "b.json": thingsFile}, nil},
		{"items that do not fit", map[string]string{"a.json": thingsFile, "b.json": "[" + thingA + ",\n" + `{"pk":{"S":"secret"}}]`, "c.json": thingA + "\n" + thingA}, nil},
		{"tables and items together", map[string]string{
			"a.json": `{"tables":[` + thingsFile + `],"item":{"things":[]}}`, "b.json": `{"tables":[{"TableName":"x"}],"items":[]}`,
			"c.json": `{"items":{"things":[{"pk":"secret"}],"others":7}}`,
		}, nil},
		{"tables and items together for a table", map[string]string{"a.json": `{"tables":[` + thingsFile + `],"items":{"things":[]}}`}, []string{"things=a.json"}},
		{"values that do not fit", map[string]string{"a.json": thingsFile, "b.json": `{"pk":{"S":"a"},"sk":{"N":1}}`, "c.json": `{"TableName":"x"}`}, nil},
	} {
		check(c.name, func(db *ddbtest.DB, test ddbtest.TB) {
			tables, items := db.LoadFS(test, tree(c.files), c.names...)
			require.Empty(t, tables)
			require.Zero(t, items)
		})
	}
	check("a damaged export", func(db *ddbtest.DB, test ddbtest.TB) {
		db.LoadFS(test, os.DirFS(damaged))
		require.Equal(t, ddbtest.Start(t).Hash(), db.Hash(), "nothing is loaded")
	})
	golden(t, "treefaults.txt", b.String())
}
