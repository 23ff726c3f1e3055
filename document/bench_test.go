package document_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
)

// BenchmarkSave measures a save of a document of 3 MB, or of 350 KB as one item, with the write
// units of each.
func BenchmarkSave(b *testing.B) {
	large := func(n int) profile {
		p := small("a")
		p.Notes[0].Body.Value = noise(n, 1)
		p.Bio = &bio{Title: "title", Text: document.Large[string]{Value: text(n / 2)}}
		return p
	}
	for _, c := range []struct {
		name   string
		size   int
		change func(p *profile, n int)
	}{
		{"3MB/one attribute", 2_000_000, func(p *profile, n int) { p.Notes[1].Text = fmt.Sprint(n) }},
		{"3MB/one large text", 2_000_000, func(p *profile, n int) { p.Bio.Text.Value = fmt.Sprint(n) + text(1_000_000) }},
		{"3MB/everything", 2_000_000, func(p *profile, n int) {
			p.Notes[0].Body.Value = noise(2_000_000, uint64(n))
			p.Bio.Text.Value = fmt.Sprint(n) + text(1_000_000)
		}},
		{"350KB/one attribute", 233_000, func(p *profile, n int) { p.Notes[1].Text = fmt.Sprint(n) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			u := newUsers(b, ddbtest.New(ddbtest.Options{}).Client())
			p := large(c.size)
			require.NoError(b, u.profiles.Save(b.Context(), &p))
			u.meter.take()
			for n := range b.N {
				c.change(&p, n)
				require.NoError(b, u.profiles.Save(b.Context(), &p))
			}
			_, _, units := u.meter.take()
			b.ReportMetric(units.Write/float64(b.N), "write-units/op")
		})
	}
	b.Run("350KB/one attribute of one item", func(b *testing.B) {
		u := newUsers(b, ddbtest.New(ddbtest.Options{}).Client())
		w := wish{User: "a", Name: "w", Text: text(350_000)}
		for n := range b.N {
			w.User = fmt.Sprint("a", n%2)
			require.NoError(b, u.wishes.Put(b.Context(), &w))
		}
		_, _, units := u.meter.take()
		b.ReportMetric(units.Write/float64(b.N), "write-units/op")
	})
}

// BenchmarkRead measures a read of a whole document, and of one part.
func BenchmarkRead(b *testing.B) {
	u := newUsers(b, ddbtest.New(ddbtest.Options{}).Client())
	p := small("a")
	p.Notes[0].Body.Value = noise(2_000_000, 1)
	p.Bio = &bio{Text: document.Large[string]{Value: text(1_000_000)}}
	require.NoError(b, u.profiles.Save(b.Context(), &p))
	for name, options := range map[string][]document.ReadOption{"3MB": nil, "3MB/addresses only": {document.Parts("Addresses")}} {
		b.Run(name, func(b *testing.B) {
			u.meter.take()
			for range b.N {
				_, err := u.profiles.Read(b.Context(), key("a"), options...)
				require.NoError(b, err)
			}
			_, _, units := u.meter.take()
			b.ReportMetric(units.Read/float64(b.N), "read-units/op")
		})
	}
}

var _ trestle.Observer = (*meter)(nil)
