package reserved_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

func TestIs(t *testing.T) {
	t.Parallel()
	require.True(t, reserved.Is("$Uemail#a"))
	require.True(t, reserved.Is("$U"))
	require.False(t, reserved.Is("T#1#$Uemail"))
	require.False(t, reserved.Is("$Eu"))
	require.False(t, reserved.Is("$u"))
	require.False(t, reserved.Is(""))
}

// TestIs_random checks that no key of an entity is reserved. As a control, keys that are joined
// without escaping can be.
func TestIs_random(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	templates := []string{"<a>", "<a>#<b>", "A#<a>", "<a>#X#<b>"}
	rendered, refused, joined := 0, 0, 0
	for range testsize.Pick(5_000, 20_000, 500_000) {
		text := templates[r.IntN(len(templates))]
		tmpl, err := keys.Compile(text, keys.Options{Raw: r.IntN(2) == 0, Partition: true})
		require.NoError(t, err)
		values := map[string]string{}
		vals := make([]keys.Value, 0, 2)
		for _, f := range tmpl.Fields() {
			values[f.Name] = hostile(r)
			vals = append(vals, keys.Text(values[f.Name]))
		}
		if reserved.Is(strings.NewReplacer("<a>", values["a"], "<b>", values["b"]).Replace(text)) {
			joined++
		}
		key, err := tmpl.Render(vals...)
		if errors.Is(err, keys.ErrReserved) {
			refused++
		}
		if err != nil {
			continue
		}
		rendered++
		require.False(t, reserved.Is(key))
	}
	t.Logf("%d rendered, %d refused as reserved, %d taken for the library's own by a plain join", rendered, refused, joined)
	require.Positive(t, rendered)
	require.Positive(t, refused)
	require.Positive(t, joined, "the control passes")
}

func hostile(r *rand.Rand) string {
	alphabet := []rune("$U#a\x00 Z")
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}
