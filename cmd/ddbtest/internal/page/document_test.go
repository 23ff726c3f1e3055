package page_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// document is a page.
type document struct {
	t    *testing.T
	root *html.Node
}

// parse parses a page and checks it.
func parse(t *testing.T, text string) *document {
	t.Helper()
	require.NoError(t, checkNesting(text), "%s", text)
	root, err := html.Parse(strings.NewReader(text))
	require.NoError(t, err)
	d := &document{t, root}
	require.NoError(t, d.checkStructure(), "%s", text)
	return d
}

// voidElements have no end tag.
var voidElements = []string{"meta", "link", "input", "br", "hr", "img"}

// checkNesting checks that each element ends, inside the element where it began. The parser would
// repair it.
func checkNesting(text string) error {
	var open []string
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := z.Next()
		name := z.Token().Data
		switch {
		case kind == html.ErrorToken && errors.Is(z.Err(), io.EOF):
			if len(open) > 0 {
				return errors.New("open at the end: " + strings.Join(open, " "))
			}
			return nil
		case kind == html.ErrorToken:
			return z.Err()
		case kind == html.StartTagToken && !slices.Contains(voidElements, name):
			open = append(open, name)
		case kind == html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != name {
				return errors.New("unexpected end of " + name + " in " + strings.Join(open, " "))
			}
			open = open[:len(open)-1]
		}
	}
}

// all returns the elements with a name, or all elements for "".
func (d *document) all(name string) []*html.Node {
	var nodes []*html.Node
	for n := range d.root.Descendants() {
		if n.Type == html.ElementNode && (name == "" || n.Data == name) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// attr returns an attribute.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// text returns the text of an element.
func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// text returns the text of the page.
func (d *document) text() string { return text(d.root) }

// id returns the element with an ID.
func (d *document) id(id string) *html.Node {
	for _, n := range d.all("") {
		if attr(n, "id") == id {
			return n
		}
	}
	d.t.Helper()
	require.Fail(d.t, "no element has the ID "+id)
	return nil
}

// texts returns the texts of the elements with a name.
func (d *document) texts(name string) []string {
	var list []string
	for _, n := range d.all(name) {
		list = append(list, text(n))
	}
	return list
}

// rows returns the texts of the cells of the rows of a table with this column, without its header.
func (d *document) rows(column string) [][]string {
	for _, table := range d.all("table") {
		header, rows := []string(nil), [][]string(nil)
		for n := range table.Descendants() {
			if n.Data != "tr" {
				continue
			}
			var cells []string
			for c := range n.ChildNodes() {
				if c.Type == html.ElementNode {
					cells = append(cells, text(c))
				}
			}
			if header == nil {
				header = cells
			} else {
				rows = append(rows, cells)
			}
		}
		if slices.Contains(header, column) {
			return rows
		}
	}
	return nil
}

// links returns the addresses of all links, forms and style sheets.
func (d *document) links() []string {
	var links []string
	for _, n := range d.all("") {
		for _, name := range []string{"href", "src"} {
			if link := attr(n, name); link != "" {
				links = append(links, link)
			}
		}
	}
	return links
}

// checkStructure checks that IDs are unique, references have a target, fields have labels, header
// cells have a scope, headings do not skip a level, and nothing needs a script or an inline style.
func (d *document) checkStructure() error {
	ids, level := map[string]bool{}, 0
	labels := map[string]bool{}
	for _, n := range d.all("") {
		id := attr(n, "id")
		if id != "" && ids[id] {
			return errors.New("the ID " + id + " occurs twice")
		}
		ids[id] = true
		if n.Data == "label" {
			labels[attr(n, "for")] = true
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(a.Val, "javascript:") {
				return errors.New(n.Data + " has " + a.Key)
			}
		}
		switch n.Data {
		case "script", "style", "iframe":
			return errors.New("there is a " + n.Data)
		case "th":
			if attr(n, "scope") == "" {
				return errors.New("a header cell has no scope")
			}
		case "h1", "h2", "h3":
			next := int(n.Data[1] - '0')
			if next > level+1 {
				return errors.New("a heading is missing before " + text(n))
			}
			level = next
		}
	}
	for _, n := range d.all("") {
		for _, reference := range append(strings.Fields(attr(n, "aria-describedby")), attr(n, "aria-labelledby"), attr(n, "list"), attr(n, "for")) {
			if !ids[reference] {
				return errors.New("no element has the ID " + reference)
			}
		}
		if (n.Data == "input" || n.Data == "select") && attr(n, "type") != "hidden" && !labels[attr(n, "id")] && n.Parent.Data != "label" {
			return errors.New("the field " + attr(n, "name") + " has no label")
		}
		if n.Data == "button" && text(n) == "" {
			return errors.New("a button has no text")
		}
	}
	return nil
}

// TestChecks is the negative control of the checks of a page.
func TestChecks(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"<p><b></p></b>", "<p>", "</p>", "<table><tr><td></table>"} {
		require.Error(t, checkNesting(wrong), wrong)
	}
	require.NoError(t, checkNesting(`<p><input><b>x</b><br></p>`))
	for _, wrong := range []string{
		`<p id="a"></p><p id="a"></p>`, `<input id="a">`, `<label for="b">x</label>`, `<table><tr><th></th></tr></table>`, `<h2>x</h2>`,
		`<script>x</script>`, `<p onclick="x">`, `<p style="x">`, `<a href="javascript:x">`, `<button></button>`, `<input aria-describedby="c">`,
	} {
		root, err := html.Parse(strings.NewReader(wrong))
		require.NoError(t, err)
		require.Error(t, (&document{t, root}).checkStructure(), wrong)
	}
}
