package keys_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

const threeParts = "ORG#<org>#EMP#<hired_at:s>#<id>"

func threePartTemplate(t testing.TB) *keys.Template {
	kinds := map[string]keys.Kind{"org": keys.KindText, "hired_at": keys.KindTime, "id": keys.KindText}
	return compile(t, threeParts, keys.Options{Kind: kindsOf(kinds)})
}

var hiredAt = time.Date(2026, 8, 1, 9, 30, 0, 0, time.UTC)

// BenchmarkRender renders a key of three parts. BenchmarkSprintf does the same with fmt, without
// escaping.
func BenchmarkRender(b *testing.B) {
	template := threePartTemplate(b)
	org, id := "acme", "01J2Z8Q3W4"
	b.ReportAllocs()
	for b.Loop() {
		key, err := template.Render(keys.Text(org), keys.Time(hiredAt), keys.Text(id))
		if err != nil || len(key) != 44 {
			b.Fatal(len(key), err)
		}
	}
}

func BenchmarkSprintf(b *testing.B) {
	org, id := "acme", "01J2Z8Q3W4"
	b.ReportAllocs()
	for b.Loop() {
		key := fmt.Sprintf("ORG#%s#EMP#%s#%s", org, hiredAt.UTC().Format(time.RFC3339), id)
		if len(key) != 44 {
			b.Fatal(len(key))
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	template := threePartTemplate(b)
	vals := []keys.Value{keys.Text("acme"), keys.Time(hiredAt), keys.Text("01J2Z8Q3W4")}
	buf := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := template.Append(buf, vals); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	template := threePartTemplate(b)
	key, err := template.Render(keys.Text("acme"), keys.Time(hiredAt), keys.Text("01J2Z8Q3W4"))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := template.Parse(key); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRange(b *testing.B) {
	template := threePartTemplate(b)
	fixed := []keys.Value{keys.Text("acme")}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := template.Range(fixed, keyspace.Ge, keys.Time(hiredAt)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRenderAllocates checks the documented figure: Render allocates once per key, Append into a
// buffer never.
func TestRenderAllocates(t *testing.T) {
	if testsize.Race {
		t.Skip("the race detector makes pools allocate")
	}
	template := threePartTemplate(t)
	org, id := "acme", "01J2Z8Q3W4"
	require.LessOrEqual(t, testing.AllocsPerRun(1000, func() {
		_, _ = template.Render(keys.Text(org), keys.Time(hiredAt), keys.Text(id))
	}), 1.0)
	buf := make([]byte, 0, 256)
	vals := []keys.Value{keys.Text(org), keys.Time(hiredAt), keys.Text(id)}
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		_, _ = template.Append(buf, vals)
	}))
}

// BenchmarkOverlap compares two compiled pairs. BenchmarkOverlapFirst compares two new ones.
func BenchmarkOverlap(b *testing.B) {
	employee, project := pairs(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, found := keyspace.FindOverlap(employee, project); found {
			b.Fatal("they overlap")
		}
	}
}

func BenchmarkOverlapFirst(b *testing.B) {
	for b.Loop() {
		if _, found := keyspace.FindOverlap(pairs(b)); found {
			b.Fatal("they overlap")
		}
	}
}

func pairs(b *testing.B) (employee, project keyspace.CompositeKey) {
	partition := func(text string) *keys.Template { return compile(b, text, keys.Options{Partition: true}) }
	hired := keys.Options{Kind: kindsOf(map[string]keys.Kind{"hired_at": keys.KindTime, "id": keys.KindText})}
	return keyspace.CompositeKey{Partition: partition("COM#<company_id>").Space(), Sort: compile(b, "HIRED#<hired_at:day>#<id>", hired).Space()},
		keyspace.CompositeKey{Partition: partition("COM#<company>").Space(), Sort: compile(b, "PRO#<id:lower>", keys.Options{}).Space()}
}

// BenchmarkRenderShort renders a key of one part, which is the most common case.
func BenchmarkRenderShort(b *testing.B) {
	template := compile(b, "COM#<id>", keys.Options{Partition: true})
	id := "01J2Z8Q3W4"
	b.ReportAllocs()
	for b.Loop() {
		if key, err := template.Render(keys.Text(id)); err != nil || len(key) != 14 {
			b.Fatal(len(key), err)
		}
	}
}
