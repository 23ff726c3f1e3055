package schematest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/schema"
	"github.com/trestledb/trestle/schema/schematest"
)

// recorder records the failures of a test and lets it continue.
type recorder struct {
	errors, fatal, logs []string
}

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.fatal = append(r.fatal, fmt.Sprintf(format, args...))
}

func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

// check returns the recorded output of Check.
func check(s *entity.Schema, folder string) *recorder {
	r := &recorder{}
	schematest.Check(r, s, folder)
	return r
}

// changed returns the schema with another sort key of orders.
func changed(t *testing.T, sk string) *entity.Schema {
	t.Helper()
	s := entity.NewSchema(entity.Config{})
	entity.DefineSpec[bare](s, entity.Spec{Type: "order", Key: entity.KeySpec{PK: "CUSTOMER#<customer>", SK: sk}})
	require.NoError(t, s.Err())
	return s
}

type bare struct {
	Of   string `dynamodbav:"customer"`
	ID   string `dynamodbav:"id"`
	Note string `dynamodbav:"note"`
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return string(text)
}

// The test of ExampleCheck: its schema is compared with the committed files.
func TestSchema(t *testing.T) {
	t.Parallel()
	schematest.Check(t, Schema, "testdata/schema")
}

// Check writes missing files and fails the test once.
func TestCheckWritesMissingFiles(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a", "b")
	first := check(Schema, folder)
	require.Len(t, first.errors, 2)
	require.Len(t, first.logs, 2)
	require.Empty(t, first.fatal)
	require.Equal(t, schema.Text(Schema), read(t, folder, schematest.TextFile))
	require.Equal(t, schema.Chart(Schema), read(t, folder, schematest.ChartFile))
	require.Equal(t, &recorder{}, check(Schema, folder), "no difference")
	require.Equal(t, &recorder{}, check(changed(t, "ORDER#<id>"), folder), "the same schema, declared by a Spec")
}

// Check ignores the line endings of a checkout.
func TestCheckIgnoresLineEndings(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	check(Schema, folder)
	for _, name := range []string{schematest.TextFile, schematest.ChartFile} {
		text := strings.ReplaceAll(read(t, folder, name), "\n", "\r\n")
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	require.Equal(t, &recorder{}, check(Schema, folder))
	require.Len(t, check(changed(t, "O#<id>"), folder).errors, 2)
}

// Check reports what a change means for stored items, and fails until the files are updated.
func TestCheckFailsUntilFilesAreUpdated(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	check(Schema, folder)
	for range 2 {
		r := check(changed(t, "O#<id>"), folder)
		require.Len(t, r.errors, 2)
		require.Contains(t, r.errors[0], "key SK of order changed from ORDER#<id> to O#<id>: start Reindex of order")
		require.Contains(t, r.errors[1], schematest.ChartFile)
		require.Equal(t, schema.Text(Schema), read(t, folder, schematest.TextFile), "it does not change the file")
	}
	s := changed(t, "ORDER#<id>")
	require.NoError(t, os.WriteFile(filepath.Join(folder, schematest.TextFile), []byte(schema.Text(s)+"\nentity order2\nattribute x S\n"), 0o644))
	r := check(s, folder)
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0], "order2")
	require.NoError(t, os.WriteFile(filepath.Join(folder, schematest.TextFile), []byte(strings.Replace(schema.Text(s), "attribute note S\n", "", 1)), 0o644))
	r = check(s, folder)
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0], "attribute note of order is new, stored as S, in field Note of type string")

	access := strings.Replace(schema.Text(s), "attribute customer", "access by-name on GSI1\nattribute customer", 1)
	require.NoError(t, os.WriteFile(filepath.Join(folder, schematest.TextFile), []byte(access), 0o644))
	r = check(s, folder)
	require.Len(t, r.errors, 1, "the name of an access pattern affects no stored item, but is a difference")
	require.Contains(t, r.errors[0], "stored items are not affected")
}

func TestCheckUpdatesFiles(t *testing.T) { //nolint:paralleltest // it sets the environment
	folder := t.TempDir()
	check(Schema, folder)
	s := changed(t, "O#<id>")
	for _, off := range []string{"", "0", "false", "FALSE"} {
		t.Setenv(schematest.UpdateVariable, off)
		require.Len(t, check(s, folder).errors, 2, "%q is off", off)
		require.Equal(t, schema.Text(Schema), read(t, folder, schematest.TextFile))
	}
	t.Setenv(schematest.UpdateVariable, "1")
	r := check(s, folder)
	require.Empty(t, r.errors)
	require.Len(t, r.logs, 4, "for each file its difference, and that it was written")
	require.Contains(t, r.logs[0], "start Reindex of order")
	require.Equal(t, schema.Text(s), read(t, folder, schematest.TextFile))
	require.Equal(t, &recorder{}, check(s, folder), "the files are current")
	require.Empty(t, check(Schema, filepath.Join(folder, "new")).errors, "a missing file is not a failure")
	t.Setenv(schematest.UpdateVariable, "yes, please")
	require.Empty(t, check(Schema, folder).errors)
	require.Equal(t, schema.Text(Schema), read(t, folder, schematest.TextFile))
}

// Check rejects a description that a merge has damaged.
func TestCheckRejectsDamagedDescriptions(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	check(Schema, folder)
	text := schema.Text(Schema)
	for _, damaged := range []string{"<<<<<<< ours\n" + text + "=======\n" + text + ">>>>>>> theirs\n", "junk", "", text + text} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, schematest.TextFile), []byte(damaged), 0o644))
		r := check(Schema, folder)
		require.Len(t, r.errors, 1)
		require.Contains(t, r.errors[0], "damaged")
		require.NotContains(t, r.errors[0], "stored items are not affected")
	}
}

// Check ends the test if it cannot compare.
func TestCheckEndsTheTestIfItCannotCompare(t *testing.T) {
	t.Parallel()
	invalid := entity.NewSchema(entity.Config{})
	entity.DefineSpec[bare](invalid, entity.Spec{Type: "order", Key: entity.KeySpec{PK: "<missing>", SK: "X"}})
	r := check(invalid, t.TempDir())
	require.Len(t, r.fatal, 1)
	require.Contains(t, r.fatal[0], "missing")
	require.Empty(t, r.errors)

	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, schematest.TextFile), 0o755))
	require.Len(t, check(Schema, folder).fatal, 1, "a folder in place of the file")

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.NotEmpty(t, check(Schema, file).fatal, "a file in place of the folder")
}
