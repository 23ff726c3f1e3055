package decimal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
)

// speeds are numbers from common to extreme.
var speeds = []struct{ name, text, other string }{
	{"count", "42", "7"},
	{"price", "1299.95", "1300"},
	{"timestamp", "1795273061341", "1795273061342"},
	{"38digits", "12345678901234567890.123456789012345678", "12345678901234567890.123456789012345679"},
}

func BenchmarkParse(b *testing.B) {
	for _, s := range speeds {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decimal.Parse(s.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCmp(b *testing.B) {
	for _, s := range speeds {
		d, e := parse(b, s.text), parse(b, s.other)
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if d.Cmp(e) == 0 {
					b.Fatal("not equal")
				}
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, s := range speeds {
		d, e := parse(b, s.text), parse(b, s.other)
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Add(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendTo(b *testing.B) {
	for _, s := range speeds {
		d := parse(b, s.text)
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			var buffer [64]byte
			for b.Loop() {
				if len(d.AppendTo(buffer[:0])) == 0 {
					b.Fatal("nothing")
				}
			}
		})
	}
}

func BenchmarkAppendKey(b *testing.B) {
	for _, s := range speeds {
		d := parse(b, s.text)
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			var buffer [64]byte
			for b.Loop() {
				if len(d.AppendKey(buffer[:0])) == 0 {
					b.Fatal("nothing")
				}
			}
		})
	}
}

func TestNoAllocation(t *testing.T) {
	for _, s := range speeds {
		d, e := parse(t, s.text), parse(t, s.other)
		buffer := make([]byte, 0, 64)
		allocated := testing.AllocsPerRun(100, func() {
			_, _ = decimal.Parse(s.text)
			_ = d.Cmp(e)
			_, _ = d.Add(e)
			_ = d.Size()
			_ = d.AppendTo(buffer)
			_ = d.AppendKey(buffer)
		})
		require.Zero(t, allocated, s.name)
	}
}
