package storage

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// filler sets exported fields to values that differ from each other and from zero.
type filler struct{ n int }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Interface().(type) {
	case time.Time:
		year := []int{1, 1800, 2026, 2300, 9999}[f.n%5]
		v.Set(reflect.ValueOf(time.Date(year, 1, 1, 0, 0, f.n, f.n, time.UTC)))
		return
	case value.Kind:
		v.Set(reflect.ValueOf(value.Kind(1 + f.n%3)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text" + strconv.Itoa(f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Uint64:
		v.SetUint(uint64(f.n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"key": "value" + strconv.Itoa(f.n)}))
	case reflect.Pointer:
		if v.Type() != reflect.TypeFor[*store.Stream]() {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Name != "Records" {
				f.fill(v.Field(i))
			}
		}
	}
}

func filled[T any]() *T {
	made := new(T)
	new(filler).fill(reflect.ValueOf(made).Elem())
	return made
}

// exported returns the exported fields, and those of structs in them.
func exported(v reflect.Value) any {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return v.Interface().(time.Time).UTC().Format(time.RFC3339Nano)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return exported(v.Elem())
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = exported(v.Index(i))
		}
		return list
	case reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Name != "Records" {
				fields[field.Name] = exported(v.Field(i))
			}
		}
		return fields
	}
	return v.Interface()
}

// TestForms checks that every exported field of a table, an index, a stream and a shard is stored.
func TestForms(t *testing.T) {
	t.Parallel()
	table := filled[store.Table]()
	var f tableForm
	require.NoError(t, wire.Decode(tableText(table), &f))
	require.Equal(t, exported(reflect.ValueOf(table)), exported(reflect.ValueOf(f.table())))

	stream := filled[store.Stream]()
	var s streamForm
	require.NoError(t, wire.Decode(streamText(stream), &s))
	require.Equal(t, exported(reflect.ValueOf(stream)), exported(reflect.ValueOf(s.stream())))

	table.Recovery.Days++ // negative control
	require.NotEqual(t, exported(reflect.ValueOf(table)), exported(reflect.ValueOf(f.table())))
}
