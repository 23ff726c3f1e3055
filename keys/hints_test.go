package keys_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/keys"
)

// pasted matches the placeholder that a hint suggests.
var pasted = regexp.MustCompile(`(?:did you mean|write|such as) (<[^<>]+>)`)

// TestHints checks that the placeholder of a hint has no issue if it replaces the faulty one. The
// templates are those of the golden file.
func TestHints(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "keys", "issues.txt"))
	require.NoError(t, err)
	followed := 0
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, arrow)
		text, o := options(t, strings.TrimPrefix(strings.TrimPrefix(line, "template"), " "))
		_, err := keys.Compile(text, o)
		var issues keys.Issues
		if !errors.As(err, &issues) {
			continue
		}
		for _, f := range issues {
			m := pasted.FindStringSubmatch(f.Hint)
			if m == nil || f.Text == "" {
				continue
			}
			followed++
			cured := text[:f.Offset] + m[1] + text[f.Offset+len(f.Text):]
			_, err := keys.Compile(cured, o)
			var left keys.Issues
			if errors.As(err, &left) {
				require.Less(t, len(left), len(issues), "%s\n%v", cured, err)
			}
			for _, l := range left {
				require.NotEqual(t, f.Offset, l.Offset, "%s\n%v", cured, err)
			}
		}
	}
	t.Logf("followed %d hints", followed)
	require.Greater(t, followed, 30)
}
