package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/keys"
)

const bufferSchema = `
type Thing struct {
	_     entity.Key 'type:"thing" pk:"T#<id>" sk:"#"'
	ID    string            'dynamodbav:"id" entity:"key"'
	Text  string            'dynamodbav:"text"'
	Texts []string          'dynamodbav:"texts"'
	Bytes []byte            'dynamodbav:"bytes"'
	Map   map[string]string 'dynamodbav:"map"'
	Any   any               'dynamodbav:"any"'
	Rest  map[string]types.AttributeValue 'dynamodbav:"rest" entity:"rest"'
}`

const bufferPage = `[{"PK":{"S":"T#1"},"SK":{"S":"#"},"text":{"S":"one"},"texts":{"L":[{"S":"a"},{"S":"b"}]},"bytes":{"B":"YWJj"},` +
	`"map":{"M":{"k":{"S":"v"}}},"any":{"L":[{"S":"x"}]},"other":{"S":"y"}},{"PK":{"S":"T#2"},"SK":{"S":"#"},"text":{"S":"two\\n"}}]`

// What was read from rows does not change when their memory is used again.
func TestReleasedRows(t *testing.T) {
	t.Parallel()
	s, err := testschema.Source{}.Schema(strings.ReplaceAll(bufferSchema, "'", "`"))
	require.NoError(t, err)
	p, err := testschema.Plan(s, "thing")
	require.NoError(t, err)
	b := core.NewBuffer()
	b.Body = append(b.Body[:0], bufferPage...)
	_, err = b.Items.Scan(b.Body, 0)
	require.NoError(t, err)
	rows := b.RowsOf(b.Items)
	require.Equal(t, 2, rows.Len())
	first, _ := testschema.New(p, "")
	second, _ := testschema.New(p, "")
	read := func() string {
		text, err := json.Marshal([]any{first, second})
		require.NoError(t, err)
		return string(text)
	}
	require.NoError(t, rows.At(0).Decode(p, codec.PtrTo(first)))
	require.NoError(t, rows.At(1).Decode(p, codec.PtrTo(second)))
	before, item := read(), rows.At(0).Item()
	text, _ := rows.At(0).KeyText(s.Partition)
	itemBefore := testschema.ItemText(item)

	body := b.Body
	rows.Release()
	rows.Release() // once is enough
	copy(body, strings.Repeat("?", len(body)))
	require.Equal(t, before, read())
	require.Equal(t, itemBefore, testschema.ItemText(item))
	require.Equal(t, "T#1", text)
	require.Zero(t, rows.Len())
	require.Panics(t, func() { rows.At(0).Item() }, "a use after the release does not go unnoticed")
}

// A reply without items has none of an earlier reply. The row of RowsOf outlives its response.
func TestReusedBuffers(t *testing.T) {
	t.Parallel()
	b := core.NewBuffer()
	b.Body = append(b.Body[:0], bufferPage...)
	_, err := b.Items.Scan(b.Body, 0)
	require.NoError(t, err)
	rows := b.RowsOf(b.Items)
	kept := core.RowsOf(rows.At(1))
	rows.Release()
	overwriteReleased()
	text, _ := kept.First().KeyText(core.Attribute{Name: "PK", Type: keys.S})
	require.Equal(t, "T#2", text)
	for range 4 {
		b := core.NewBuffer()
		require.Zero(t, b.RowsOf(b.Items).Len())
	}
}
