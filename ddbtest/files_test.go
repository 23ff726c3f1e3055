package ddbtest_test

import (
	"bytes"
	"compress/gzip"
	"crypto/md5" //nolint:gosec // the checksum of a manifest
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// writeFile writes a file and returns its path.
func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// compressed returns a text compressed with gzip.
func compressed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

const (
	thingA = `{"pk":{"S":"a"},"sk":{"N":"1"},"color":{"S":"red"}}`
	thingB = `{"pk":{"S":"b"},"sk":{"N":"2"},"Item":{"S":"an attribute"},"Items":{"L":[{"BOOL":true}]}}`
)

// itemFiles has the things A and B in each format.
var itemFiles = map[string]string{
	"items":             thingA + "\n" + thingB,
	"a list":            "[" + thingA + ",\n" + thingB + "]",
	"a scan":            `{"Items":[` + thingA + "," + thingB + `],"Count":2,"ScannedCount":2,"ConsumedCapacity":null}`,
	"two scans":         `{"Items":[` + thingA + `],"Count":1}{"Items":[` + thingB + "]}",
	"get-item":          `{"Item":` + thingA + `,"ConsumedCapacity":{"TableName":"things"}} {"Item":` + thingB + "}",
	"an export":         `{"Item":` + thingA + "}\n" + `{"Item":` + thingB + "}\n",
	"batch-get-item":    `{"Responses":{"things":[` + thingA + "," + thingB + `],"others":[` + thingA + `]},"UnprocessedKeys":{}}`,
	"batch-write-item":  `{"things":[{"PutRequest":{"Item":` + thingA + `}},{"PutRequest":{"Item":` + thingB + `}}],"others":[{"DeleteRequest":{"Key":{}}}]}`,
	"a request of it":   `{"RequestItems":{"things":[{"PutRequest":{"Item":` + thingA + `}},{"PutRequest":{"Item":` + thingB + `}}]}}`,
	"a list of exports": `[{"Item":` + thingA + `},{"Item":` + thingB + "}]",
}

// TestLoadFile loads the same things from files of each format.
func TestLoadFile(t *testing.T) {
	t.Parallel()
	want := setup(t)
	want.Load(t, things, thing("a", 1, attributes{"color": text("red")}), thing("b", 2, attributes{
		"Item":  text("an attribute"),
		"Items": &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberBOOL{Value: true}}},
	}))
	for name, content := range itemFiles {
		for _, path := range []string{
			writeFile(t, "items.json", content), writeFile(t, "items.json", "\ufeff"+content), writeFile(t, "items.json.gz", compressed(t, content)),
		} {
			db := setup(t)
			db.LoadFile(t, things, path)
			require.Equal(t, want.Hash(), db.Hash(), name)
			require.Empty(t, db.Requests())
			require.Zero(t, db.Cost().Total())
		}
	}
	other := setup(t)
	other.LoadFile(t, things, writeFile(t, "items.json", strings.Replace(itemFiles["items"], "red", "blue", 1)))
	require.NotEqual(t, want.Hash(), other.Hash(), "the control")
}

// TestLoadAttributeNamedItem loads an item with a map that looks like the item of a reply.
func TestLoadAttributeNamedItem(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.LoadFile(t, things, writeFile(t, "items.json", `{"Item":{"M":{"S":{"S":"x"}}},"pk":{"S":"a"},"sk":{"N":"1"}}`))
	require.Equal(t, []attributes{thing("a", 1, attributes{"Item": attr(map[string]any{"S": "x"})})}, db.Dump(things))
}

// TestLoadFileFaults compares the errors of invalid files with the golden file. The database stays
// empty.
func TestLoadFileFaults(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, content := range []string{
		"", "pk,sk\nsecret,1\n", `{"Items":[`, `{"pk":{"S":"secret"}`, `"secret"`, "[1,\n2]", "{}",
		`{"pk":"secret","sk":1}`,
		"{\"Items\":[\n" + thingA + ",\n{\"pk\":{\"S\":1},\"sk\":{\"N\":1}},\n{\"pk\":{\"T\":\"secret\"},\"sk\":{\"N\":\"secret\"}}]}",
		`{"pk":{"S":"a"},"sk":{"N":"1"},"b":{"B":"secret!"},"ss":{"SS":[]},"ns":{"NS":["1","secret"]},"bs":{"BS":[1,"?"]},"bool":{"BOOL":"secret"},` +
			`"null":{"NULL":null},"m":{"M":{"in":{"L":[{"S":"a"},"secret"]}}},"l":{"L":{}},"two":{"S":"a","N":"1"}}`,
		`{"pk":{"S":"a"},"pk":{"S":"b"},"sk":{"N":"1"}}`, `{"pk":{"S":"a"},"sk":{"N":"1"},"l":{"L":[{"NULL":false}]}}`,
		`{"pk":{"S":"secret"}}` + "\n" + `{"pk":{"N":"1"},"sk":{"N":"1"}}` + "\n" + thingA + "\n" + thingA,
		`{"Items":[` + thingA + `],"LastEvaluatedKey":{"pk":{"S":"secret"}}}`,
		`{"others":[{"PutRequest":{"Item":` + thingA + `}}]}`,
		`{"things":[{"DeleteRequest":{"Key":{"pk":{"S":"secret"}}}},{"PutRequest":{}}]}`,
		`{"Metadata":{"WriteTimestampMicros":{"N":"1"}},"Keys":{"pk":{"S":"secret"},"sk":{"N":"1"}},"NewImage":` + thingA + "}",
		"$ion_1_0 {Item:{pk:\"secret\"}}", "\xe0\x01\x00\xea", "\x1f\x8b secret",
		`{"Item":` + strings.Repeat(`{"L":[`, 2000),
		strings.Repeat(`{"pk":"secret"}`+"\n", 14), strings.Repeat(`{"sk":{"N":"1"}}`+"\n", 11),
	} {
		db, test := startFake()
		path := writeFile(t, "items.json", content)
		db.LoadFile(test, things, path)
		require.Len(t, test.failures, 1)
		require.Empty(t, db.Dump(things))
		short, _, _ := strings.Cut(content, "\n")
		short = strings.NewReplacer("secret", "…").Replace(short[:min(len(short), 60)])
		fmt.Fprintf(&b, "%q\n\t%s\n", short, strings.ReplaceAll(strings.ReplaceAll(test.failures[0], filepath.ToSlash(path), "items.json"), "\n", "\n\t"))
	}
	db, test := startFake()
	db.LoadFile(test, things, "missing.json")
	db.LoadFile(test, "thing", writeFile(t, "items.json", thingA))
	fmt.Fprintf(&b, "missing\n\t%s\n", strings.Join(test.failures, "\n\t"))
	golden(t, "itemfaults.txt", b.String())
}

// writeExport writes an export of two data files, and returns its folder.
func writeExport(t *testing.T, summary string, damage func(file string) string) string {
	t.Helper()
	folder := t.TempDir()
	export := filepath.Join(folder, "AWSDynamoDB", "0123-abc")
	var manifest strings.Builder
	require.NoError(t, os.MkdirAll(filepath.Join(export, "data"), 0o750))
	for i, item := range []string{thingA, thingB} {
		name := fmt.Sprintf("file%d.json.gz", i)
		data := compressed(t, `{"Item":`+item+"}\n")
		sum := md5.Sum([]byte(data)) //nolint:gosec // as above
		fmt.Fprintf(&manifest, `{"itemCount":1,"md5Checksum":%q,"etag":"x","dataFileS3Key":"AWSDynamoDB/0123-abc/data/%s"}`+"\n",
			base64.StdEncoding.EncodeToString(sum[:]), name)
		if data = damage(data); data != "" {
			require.NoError(t, os.WriteFile(filepath.Join(export, "data", name), []byte(data), 0o600))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(export, "manifest-files.json"), []byte(manifest.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(export, "manifest-summary.json"), []byte(summary), 0o600))
	return folder
}

const exportSummary = `{"version":"2020-06-30","itemCount":2,"outputFormat":"DYNAMODB_JSON","manifestFilesS3Key":"AWSDynamoDB/0123-abc/manifest-files.json"}`

// TestLoadExport loads a whole export, by its folder, a folder above it, or its manifests.
func TestLoadExport(t *testing.T) {
	t.Parallel()
	folder := writeExport(t, exportSummary, func(file string) string { return file })
	for _, path := range []string{"", "AWSDynamoDB", "AWSDynamoDB/0123-abc", "AWSDynamoDB/0123-abc/manifest-summary.json", "AWSDynamoDB/0123-abc/manifest-files.json"} {
		db := setup(t)
		db.LoadFile(t, things, filepath.Join(folder, filepath.FromSlash(path)))
		require.Len(t, db.Dump(things), 2, path)
	}
}

// TestLoadExportFaults compares the errors of damaged exports with the golden file.
func TestLoadExportFaults(t *testing.T) {
	t.Parallel()
	whole := func(file string) string { return file }
	twice := writeExport(t, exportSummary, whole)
	require.NoError(t, os.CopyFS(filepath.Join(twice, "copy"), os.DirFS(filepath.Join(twice, "AWSDynamoDB"))))
	var b strings.Builder
	for _, folder := range []string{
		t.TempDir(), twice,
		writeExport(t, exportSummary, func(string) string { return "" }),
		writeExport(t, exportSummary, func(file string) string { return file[:len(file)-1] }),
		writeExport(t, strings.Replace(exportSummary, "DYNAMODB_JSON", "ION", 1), whole),
		writeExport(t, strings.Replace(exportSummary, "{", `{"exportType":"INCREMENTAL_EXPORT",`, 1), whole),
		writeExport(t, "secret", whole),
	} {
		db, test := startFake()
		db.LoadFile(test, things, folder)
		require.Len(t, test.failures, 1)
		b.WriteString(strings.ReplaceAll(test.failures[0], filepath.ToSlash(folder), "export") + "\n")
	}
	golden(t, "exportfaults.txt", b.String())
}

// TestItemsRoundTrip writes random items as DynamoDB JSON and loads them again.
func TestItemsRoundTrip(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	for range testsize.Pick(20, 100, 1000) {
		db, copied := setup(t), setup(t)
		items := make([]attributes, 1+r.IntN(20))
		for i := range items {
			items[i] = thing(fmt.Sprint(i), i, attributes{"value": randomValue(r, 4)})
		}
		db.Load(t, things, items...)
		copied.LoadFile(t, things, writeFile(t, "items.json", ddbtest.Items(db.Dump(things)).DynamoDBJSON()))
		require.Equal(t, db.Hash(), copied.Hash())
	}
}

func randomValue(r *rand.Rand, depth int) types.AttributeValue {
	kinds := 10
	if depth == 0 {
		kinds = 8
	}
	random := func() string { return fmt.Sprintf("%c%d", "a\"\\\né<"[0]+byte(r.IntN(20)), r.IntN(100)) }
	switch r.IntN(kinds) {
	case 0:
		return text(random())
	case 1:
		return number(r.IntN(2000) - 1000)
	case 2:
		return &types.AttributeValueMemberB{Value: []byte(random())}
	case 3:
		return &types.AttributeValueMemberBOOL{Value: r.IntN(2) == 0}
	case 4:
		return &types.AttributeValueMemberNULL{Value: true}
	case 5:
		return &types.AttributeValueMemberSS{Value: []string{"x" + random(), "y" + random()}}
	case 6:
		return &types.AttributeValueMemberNS{Value: []string{"1", "-2.5"}}
	case 7:
		return &types.AttributeValueMemberBS{Value: [][]byte{{0}, []byte(random())}}
	case 8:
		list := make([]types.AttributeValue, r.IntN(4))
		for i := range list {
			list[i] = randomValue(r, depth-1)
		}
		return &types.AttributeValueMemberL{Value: list}
	default:
		m := attributes{}
		for range r.IntN(4) {
			m[random()] = randomValue(r, depth-1)
		}
		return &types.AttributeValueMemberM{Value: m}
	}
}

// becameName matches a file in which the value secret became a name, or a part of one.
var becameName = regexp.MustCompile(`secret[^"]*"\s*:`)

// TestMutatedFiles damages files at random. Each is loaded or reported without its values, and
// nothing panics.
func TestMutatedFiles(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	var files []string
	for _, name := range slices.Sorted(maps.Keys(itemFiles)) {
		files = append(files, strings.ReplaceAll(itemFiles[name], "red", "secret"))
	}
	files = append(files, `{"Table":{"TableName":"orders",`+definitions+"}}",
		`{"Resources":{"A":{"Type":"AWS::DynamoDB::Table","Properties":{"TableName":{"Fn::Sub":"${A}"},`+definitions+`}}}}`,
		`{"planned_values":{"root_module":{"resources":[{"type":"aws_dynamodb_table","name":"t","values":{`+planned+`}}]}}}`)
	loaded, failed := 0, 0
	for range testsize.Pick(150, 1_000, 20_000) {
		content := []byte(files[r.IntN(len(files))])
		for n := 1 + r.IntN(3); n > 0 && len(content) > 0; n-- {
			at := r.IntN(len(content))
			switch r.IntN(3) {
			case 0:
				content[at] = `{}[]":,0aS`[r.IntN(10)]
			case 1:
				content = slices.Delete(content, at, min(len(content), at+1+r.IntN(4)))
			default:
				content = content[:max(1, at)]
			}
		}
		path := filepath.Join(t.TempDir(), "file.json")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		db, test := startFake()
		db.LoadFile(test, things, path)
		db.CreateTables(test, path)
		require.NotEmpty(t, test.failures, "no file has both")
		if !becameName.Match(content) {
			require.NotContains(t, strings.Join(test.failures, ""), "secret")
		}
		other, together := startFake()
		other.LoadFS(together, os.DirFS(filepath.Dir(path)))
		if len(together.failures) == 0 {
			require.Len(t, test.failures, 1, "LoadFS takes what one of both takes: %q", content)
		} else if !becameName.Match(content) {
			require.NotContains(t, strings.Join(together.failures, ""), "secret")
		}
		if loaded++; len(test.failures) == 2 {
			loaded, failed = loaded-1, failed+1
		}
	}
	require.Positive(t, loaded)
	require.Positive(t, failed)
}

// TestLoadValues loads structs, maps and slices of them.
func TestLoadValues(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.LoadValues(t, things, decodedThing{"a", 1, "red"}, &decodedThing{"b", 2, "blue"}, map[string]any{"pk": "c", "sk": 3})
	db.LoadValues(t, things, []decodedThing{{"d", 4, "red"}, {"e", 5, "red"}}, []*decodedThing{{"f", 6, "red"}})
	db.LoadValues(t, things)
	var got []decodedThing
	require.NoError(t, ddbtest.Items(db.Dump(things)).Decode(&got))
	require.ElementsMatch(t, []decodedThing{{"a", 1, "red"}, {"b", 2, "blue"}, {"c", 3, ""}, {"d", 4, "red"}, {"e", 5, "red"}, {"f", 6, "red"}}, got)
}

// TestLoadValuesFaults checks that the errors name the values and not their content.
func TestLoadValuesFaults(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	db.LoadValues(test, things, nil, "secret", []int{1}, map[string]any{"pk": make(chan int)}, (*decodedThing)(nil))
	failsOnce(t, test, "values[0]: ", "values[1]: ", "does not encode string", "values[2][0]: ", "values[4]: ")
	require.NotContains(t, test.failures[0], "secret")
	db, test = startFake()
	db.LoadValues(test, things, decodedThing{"secret", 1, "red"}, []map[string]any{{"pk": "a"}}, decodedThing{"secret", 1, "red"})
	failsOnce(t, test, "values[1][0]: key attribute sk is missing", "values[2]: same key as values[0]")
	require.NotContains(t, test.failures[0], "secret")
	require.Empty(t, db.Dump(things))
}
