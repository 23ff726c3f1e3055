package archtest

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestLinks checks that each relative link of a Markdown page leads to a file, and to a heading of
// the file if the link has a fragment.
func TestLinks(t *testing.T) {
	t.Parallel()
	links, broken, err := brokenLinks(os.DirFS(root))
	require.NoError(t, err)
	require.Greater(t, links, 50)
	for _, at := range broken {
		t.Error(at)
	}
}

// TestLinksControl checks that broken links are found, and no others.
func TestLinksControl(t *testing.T) {
	t.Parallel()
	links, broken, err := brokenLinks(fstest.MapFS{
		"README.md": {Data: []byte(strings.Join([]string{
			"# A title", "[page](docs/page.md#the-second-part-of-1), [site](https://example.com/a#b), [here](#a-title)",
			"[folder](docs), [wrapped", "text](docs/page.md), `[code](x.md)`, [none](docs/none.md)",
			"[old](docs/page.md#the-third-part), [code](docs/page.md#no-heading)", "```", "[fence](y.md)", "```",
		}, "\n"))},
		"docs/page.md":   {Data: []byte("## The second part, of `1`\n\n[up](../README.md), [beside](README.md)\n```\n# no heading\n```\n")},
		"testdata/no.md": {Data: []byte("[none](none.md)")},
	})
	require.NoError(t, err)
	require.Equal(t, 9, links)
	require.Equal(t, []string{
		"README.md: docs/none.md: there is no such file",
		"README.md: docs/page.md#the-third-part: there is no such heading",
		"README.md: docs/page.md#no-heading: there is no such heading",
		"docs/page.md: README.md: there is no such file",
	}, broken)
}

var (
	codeSpan = regexp.MustCompile("`[^`]*`")
	link     = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	noAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// brokenLinks counts the relative links of all Markdown pages, and lists the broken ones.
func brokenLinks(tree fs.FS) (links int, broken []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		prose := codeSpan.ReplaceAllString(withoutBlocks(string(text)), "")
		for _, m := range link.FindAllStringSubmatch(prose, -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			links++
			if problem := checkLink(tree, name, m[1]); problem != "" {
				broken = append(broken, fmt.Sprintf("%s: %s: %s", name, m[1], problem))
			}
		}
		return nil
	})
	return links, broken, err
}

// checkLink describes what is wrong with a relative link of a page, or returns "".
func checkLink(tree fs.FS, from, target string) string {
	file, fragment, _ := strings.Cut(target, "#")
	if file = path.Join(path.Dir(from), file); strings.HasPrefix(target, "#") {
		file = from
	}
	if _, err := fs.Stat(tree, file); err != nil {
		return "there is no such file"
	}
	if fragment == "" {
		return ""
	}
	text, err := fs.ReadFile(tree, file)
	if err != nil {
		return "there is no such heading"
	}
	for _, h := range heading.FindAllStringSubmatch(withoutBlocks(string(text)), -1) {
		if anchor(h[1]) == fragment {
			return ""
		}
	}
	return "there is no such heading"
}

// withoutBlocks returns the text of a page without its fenced code blocks.
func withoutBlocks(text string) string {
	var prose []string
	for i, part := range strings.Split("\n"+text, "\n```") {
		if i%2 == 0 {
			prose = append(prose, part)
		}
	}
	return strings.Join(prose, "\n")
}

// anchor returns the fragment that GitHub gives a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}
