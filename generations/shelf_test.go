package generations_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// shelf is one item with its parts, without its type, as a process has it.
type shelf struct {
	owner   string // of the paragraphs
	replace func(ctx context.Context, text string, parts int) error
	read    func(ctx context.Context) ([]paragraph, error)
	clean   func(ctx context.Context) (generations.Cleaned, error)
	state   func(ctx context.Context) (generations.Pointer, error)
}

// shelves are ways to store parts.
var shelves = map[string]func(l *library, id string) shelf{
	"document": func(l *library, id string) shelf {
		return shelfOf("D"+id, l.texts, l.documents, document{ID: id}, func(d document) generations.Pointer { return d.Pointer })
	},
	"versioned document": func(l *library, id string) shelf {
		return shelfOf("M"+id, l.handbooks, l.manuals, manual{ID: id}, func(m manual) generations.Pointer { return m.Pointer })
	},
}

// eachShelf runs a test with each way to store parts on every engine. DynamoDB Local and the
// race detector are slower: except with size fuzz, they have one of the ways.
func eachShelf(t *testing.T, f func(t *testing.T, e engines.Engine, open func(*library, string) shelf)) {
	t.Helper()
	for name, open := range shelves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				if e.Name == engines.InProcess && !testsize.Race || name != "document" || testsize.Pick(0, 0, 1) == 1 {
					f(t, e, open)
				}
			})
		})
	}
}

// stride is the distance of the requests that a test disturbs. On DynamoDB Local and under the race
// detector, only a test of size fuzz disturbs all of them.
func stride(e engines.Engine) int {
	if e.Name == engines.DynamoDBLocal || testsize.Race {
		return testsize.Pick(4, 3, 1)
	}
	return 1
}

// first is the first request that a test disturbs by a fault.
func first(e engines.Engine, f testfaults.Fate) int { return 1 + int(f)%stride(e) }

func shelfOf[D any](owner string, r *generations.Repo[D, paragraph], pointers *entity.Repo[D], example D, pointer func(D) generations.Pointer) shelf {
	return shelf{
		owner: owner,
		replace: func(ctx context.Context, text string, parts int) error {
			_, err := r.Upsert(ctx, example, edition(text, parts))
			return err
		},
		read: func(ctx context.Context) ([]paragraph, error) {
			_, parts, err := r.Strong().Read(ctx, example)
			return parts, err
		},
		clean: func(ctx context.Context) (generations.Cleaned, error) { return r.Clean(ctx, example) },
		state: func(ctx context.Context) (generations.Pointer, error) {
			d, err := pointers.Strong().Get(ctx, example)
			return pointer(d), err
		},
	}
}

// controls are the negative controls.
var controls = map[string]func(l *library, id string) shelf{
	// in place deletes the old parts and stores the new ones in their place.
	"in place": func(l *library, id string) shelf {
		example := paragraph{Owner: "N" + id, Generation: "0"}
		parts := query.Of(l.paragraphs.Strong(), example)
		return shelf{
			owner: example.Owner,
			replace: func(ctx context.Context, text string, n int) error {
				if _, err := parts.Collection().Delete(ctx, entity.Concurrency(1)); err != nil {
					return err
				}
				return l.putParagraphs(ctx, example, text, n)
			},
			read:  parts.Collect,
			clean: func(context.Context) (generations.Cleaned, error) { return generations.Cleaned{}, nil },
			state: func(context.Context) (generations.Pointer, error) { return generations.Pointer{Generation: "0"}, nil },
		}
	},
	// unconditional stores a new generation, and makes it the current one without a condition.
	"unconditional": func(l *library, id string) shelf {
		own := shelves["document"](l, id)
		own.replace = func(ctx context.Context, text string, n int) error {
			before, err := own.state(ctx)
			if err != nil && !errors.Is(err, trestle.ErrNotFound) {
				return err
			}
			example := paragraph{Owner: own.owner, Generation: rand.Text()}
			if err := l.putParagraphs(ctx, example, text, n); err != nil {
				return err
			}
			if _, err := l.documents.Upsert(ctx, document{ID: id}, generation.Set(example.Generation), parts.Set(n)); err != nil || before.Parts == 0 {
				return err
			}
			example.Generation = before.Generation
			_, err = query.Of(l.paragraphs, example).Collection().Delete(ctx, entity.Concurrency(1))
			return err
		}
		return own
	},
}

var (
	generation = attr.Must(func(d *document) *string { return &d.Generation })
	parts      = attr.Must(func(d *document) *int { return &d.Parts })
)

// putParagraphs puts an edition under the partition key of an example.
func (l *library) putParagraphs(ctx context.Context, example paragraph, text string, n int) error {
	var list []*paragraph
	for _, p := range paragraphsOf(text, n) {
		p.Owner, p.Generation = example.Owner, example.Generation
		list = append(list, &p)
	}
	return l.paragraphs.PutMany(ctx, slices.Values(list), entity.Concurrency(1))
}

// eachControl runs a test with each negative control on every engine.
func eachControl(t *testing.T, f func(t *testing.T, e engines.Engine, open func(*library, string) shelf)) {
	t.Helper()
	for name, open := range controls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) { f(t, e, open) })
		})
	}
}

// sizes are the numbers of paragraphs of the editions, by their text. Each needs two requests.
var sizes = map[string]int{"old": 40, "new": 30, "next": 26, "other": 35}

// sizeOf returns the number of paragraphs of an edition. A text such as 3/26 has it after the
// slash.
func sizeOf(text string) int {
	if _, after, ok := strings.Cut(text, "/"); ok {
		n, _ := strconv.Atoi(after)
		return n
	}
	return sizes[text]
}

// visible returns the text of the edition that readers see, "" if there is none. It returns an
// error if they see a mixed or incomplete edition.
func (s shelf) visible(ctx context.Context) (string, error) {
	parts, err := s.read(ctx)
	switch {
	case errors.Is(err, trestle.ErrNotFound):
		return "", nil
	case err != nil:
		return "", err
	case len(parts) == 0:
		return "", errors.New("there are no parts")
	}
	return textOf(parts, sizeOf(parts[0].Text))
}

// leftovers returns what is stored besides the current generation, after everything that might
// arrive late has arrived, and after the item was cleaned.
func (s shelf) leftovers(t testing.TB, l *library) error {
	t.Helper()
	l.clock.advance(2 * writeTime)
	done, err := s.clean(t.Context())
	require.NoError(t, err)
	now, err := s.state(t.Context())
	require.NoError(t, err)
	stored := l.stored(t, s.owner)
	delete(stored, now.Generation)
	if done.Left+len(stored)+len(now.Pending)+len(now.Obsolete) > 0 {
		return fmt.Errorf("%d generations are listed, %d are stored besides the current one", done.Left, len(stored))
	}
	return nil
}
