package codec

import (
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// randomLiteral returns a text that is, or almost is, a number.
func randomLiteral(g *gen) string {
	if g.one(2) {
		return strconv.FormatFloat(float64(g.Int64N(1e9)-5e8)/math.Pow(10, float64(g.IntN(8))), 'f', -1, 64)
	}
	b := make([]byte, g.IntN(24))
	for i := range b {
		b[i] = "00123456789999.-+e"[g.IntN(18-3*g.IntN(2))]
	}
	return string(b)
}

// randomTime returns a text that is, or almost is, a time in RFC 3339.
func randomTime(g *gen) string {
	t := time.Unix(g.Int64N(3.2e11)-6.4e10, g.Int64N(1e9)/int64(math.Pow(10, float64(g.IntN(10))))).UTC()
	b := []byte(t.Format(pick(g, []string{time.RFC3339Nano, time.RFC3339, "2006-01-02T15:04:05.000Z07:00"})))
	for g.one(2) {
		b[g.IntN(len(b))] = "0123456789:-TZ. +"[g.IntN(17)]
	}
	return string(b)
}

// parsers are the fast parsers under test. A control exchanges one.
type parsers struct {
	int   func(string, uint8) (int64, bool)
	float func(string, uint8) (float64, bool)
	utc   func(string) (time.Time, bool)
}

// agree returns the first text that a parser parses differently from the standard library, or "".
// It counts what the parsers parse.
func (p parsers) agree(g *gen, rounds int) (text string, parsed int) {
	for range rounds {
		text := randomLiteral(g)
		for _, bits := range []uint8{8, 16, 32, 64} {
			if x, ok := p.int(text, bits); ok {
				if want, err := strconv.ParseInt(text, 10, int(bits)); err != nil || x != want {
					return text, parsed
				}
				parsed++
			}
		}
		for _, bits := range []uint8{32, 64} {
			if x, ok := p.float(text, bits); ok {
				if want, err := strconv.ParseFloat(text, int(bits)); err != nil || math.Float64bits(x) != math.Float64bits(want) {
					return text, parsed
				}
				parsed++
			}
		}
		text = randomTime(g)
		if x, ok := p.utc(text); ok {
			var want time.Time
			if err := want.UnmarshalText([]byte(text)); err != nil || x != want {
				return text, parsed
			}
			if want, err := time.Parse(time.RFC3339, text); err != nil || x != want {
				return text, parsed
			}
			parsed++
		}
	}
	return "", parsed
}

func TestParse(t *testing.T) {
	t.Parallel()
	rounds := testsize.Sequential(5_000, 50_000, 200_000, 10_000_000)
	text, parsed := parsers{parseInt[string], parseFloat[string], parseUTC[string]}.agree(newGen(testrand.Seed(t)), rounds)
	require.Empty(t, text)
	require.Greater(t, parsed, rounds)
}

// Every day of the years 0 to 9999 is parsed, and no other.
func TestParseUTCDays(t *testing.T) {
	t.Parallel()
	for year := range 10_000 {
		for month := 1; month <= 12; month++ {
			for d := 28; d <= 32; d++ {
				text := fmt.Sprintf("%04d-%02d-%02dT00:00:00Z", year, month, d)
				got, ok := parseUTC(text)
				want, err := time.Parse(time.RFC3339, text)
				if ok != (err == nil) || got != want {
					require.Equal(t, want, got, text)
					require.Equal(t, err == nil, ok, text)
				}
			}
		}
	}
}

// TestParse_control checks that the test finds parsers with one defect.
func TestParse_control(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	good := parsers{parseInt[string], parseFloat[string], parseUTC[string]}
	for name, change := range map[string]func(*parsers){
		"an integer that does not fit": func(p *parsers) { p.int = func(s string, _ uint8) (int64, bool) { return parseInt(s, 64) } },
		"rounded twice": func(p *parsers) {
			p.float = func(s string, _ uint8) (float64, bool) {
				x, ok := parseFloat(s, 64)
				return float64(float32(x)), ok
			}
		},
		"-0": func(p *parsers) {
			p.float = func(s string, bits uint8) (float64, bool) {
				x, ok := parseFloat(s, bits)
				return x + 0, ok
			}
		},
		"a day that does not exist": func(p *parsers) {
			p.utc = func(s string) (time.Time, bool) {
				if len(s) > 10 && s[8:10] == "31" {
					t, ok := parseUTC(s[:8] + "28" + s[10:])
					return t.AddDate(0, 0, 3), ok
				}
				return parseUTC(s)
			}
		},
		"a fraction is lost": func(p *parsers) {
			p.utc = func(s string) (time.Time, bool) {
				t, ok := parseUTC(s)
				return t.Truncate(time.Microsecond), ok
			}
		},
	} {
		broken := good
		change(&broken)
		text, _ := broken.agree(newGen(seed), 1_000_000)
		require.NotEmpty(t, text, name)
	}
}
