package costtest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// call is a call of the code under test, with the expected library calls.
type call struct {
	name    string
	run     func(context.Context) error
	expects []costtest.Call
}

func errOf[T any](_ T, err error) error { return err }

func draining[R any](s query.TableScan[R]) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, err := range s.All(ctx) {
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// reads returns all kinds of reads.
func (s store) reads() []call {
	one, none := note{Book: "b", ID: 1}, note{Book: "none"}
	all := query.Of(s.notes, note{Book: "b"})
	ranked := query.On(s.notes, "by-rank", note{Rank: "r"})
	parts := query.As(ranked, titles)
	filtered, paged := all.Filter(text.Eq("none")), all.PageSize(3)
	scan, both := query.Scan(s.notes), query.Scan(s.notes).Segments(2)
	many := make([]note, 120)
	for i := range many {
		many[i] = note{Book: "b", ID: i / 2} // each item twice; most do not exist
	}
	return []call{
		{"get", func(ctx context.Context) error { return errOf(s.notes.Get(ctx, one)) }, []costtest.Call{costtest.Get(s.notes, one)}},
		{"strong", func(ctx context.Context) error { return errOf(s.notes.Strong().Get(ctx, one)) }, []costtest.Call{costtest.Get(s.notes.Strong(), one)}},
		{"get many", func(ctx context.Context) error { return errOf(s.notes.GetMany(ctx, many)) }, []costtest.Call{costtest.GetMany(s.notes, many)}},
		{"get many, strong", func(ctx context.Context) error { return errOf(s.notes.Strong().GetMany(ctx, many)) },
			[]costtest.Call{costtest.GetMany(s.notes.Strong(), many)}},
		{"get many of several types", func(ctx context.Context) error {
			return errOf(query.GetMany(ctx, query.Ref(s.notes, one), query.Ref(s.pages, page{ID: "p"})))
		}, []costtest.Call{costtest.Batch(costtest.Get(s.pages, page{ID: "p"}), costtest.Get(s.notes, one))}},
		{"query", func(ctx context.Context) error { return errOf(all.Collect(ctx)) }, []costtest.Call{costtest.Query(all)}},
		{"none", func(ctx context.Context) error { return errOf(query.Of(s.notes, none).Collect(ctx)) },
			[]costtest.Call{costtest.Query(query.Of(s.notes, none))}},
		{"the last three", func(ctx context.Context) error { return errOf(all.Desc().Limit(3).Collect(ctx)) },
			[]costtest.Call{costtest.Query(all.Desc().Limit(3))}},
		{"first", func(ctx context.Context) error { return errOf(all.First(ctx)) }, []costtest.Call{costtest.Query(all)}},
		{"count", func(ctx context.Context) error { return errOf(all.Count(ctx)) }, []costtest.Call{costtest.Query(all)}},
		{"filter", func(ctx context.Context) error { return errOf(filtered.Collect(ctx)) }, []costtest.Call{costtest.Query(filtered)}},
		{"filter with another value", func(ctx context.Context) error { return errOf(filtered.Collect(ctx)) }, []costtest.Call{costtest.Query(all.Filter(text.Eq("other")))}},
		{"in pages", func(ctx context.Context) error { return errOf(paged.Collect(ctx)) }, []costtest.Call{costtest.Query(paged).Requests(3)}},
		{"a part of an index", func(ctx context.Context) error { return errOf(parts.Collect(ctx)) }, []costtest.Call{costtest.Query(parts)}},
		{"its count", func(ctx context.Context) error { return errOf(ranked.Count(ctx)) }, []costtest.Call{costtest.Query(parts)}},
		{"a part of an item", func(ctx context.Context) error { return errOf(titles.Get(ctx, s.notes, one)) }, []costtest.Call{costtest.Get(s.notes, one)}},
		{"scan", draining(scan), []costtest.Call{costtest.Scan(scan)}},
		{"scan in segments", draining(both), []costtest.Call{costtest.Scan(both).Requests(2)}},
		{"two pages", func(ctx context.Context) error {
			p, err := all.Limit(2).Page(ctx, "")
			if err != nil {
				return err
			}
			return errOf(all.Limit(2).Page(ctx, p.Next))
		}, []costtest.Call{costtest.Query(all.Limit(2)), costtest.Query(all.Limit(2))}},
	}
}

// writes returns all kinds of writes, in a valid order. The stored items have the text.
func (s store) writes(long string) []call {
	n := func(id int) note {
		return note{Book: "w", ID: id, Label: "l", Mark: "m", Rank: "r", Title: "t", Text: long}
	}
	bare := note{Book: "w", ID: 9, Text: long}
	first, moved, off := n(1), n(1), n(1)
	moved.Label, moved.Rank = "other", "other"
	off.Label, off.Mark = "", ""
	p := page{ID: "p", Topic: "t", Area: "a", Text: long}
	again := p
	put := func(e note) call {
		return call{"put", func(ctx context.Context) error { return s.notes.Put(ctx, &e) }, []costtest.Call{costtest.Put(s.notes, &e)}}
	}
	remove := func(e note) call {
		key := note{Book: e.Book, ID: e.ID}
		return call{"delete", func(ctx context.Context) error { return s.notes.Delete(ctx, key) }, []costtest.Call{costtest.Delete(s.notes, key)}}
	}
	readFirst := s.pages.With(entity.ReadFirst())
	return []call{
		{"create", func(ctx context.Context) error { return s.notes.Create(ctx, &first) }, []costtest.Call{costtest.Create(s.notes, &first)}},
		put(n(2)), put(first), put(moved), put(first), put(off), put(first), put(note{Book: "w", ID: 1, Label: "l", Title: "u"}), put(first), put(bare),
		{"update of everything", func(ctx context.Context) error {
			return errOf(s.notes.Update(ctx, first, label.Set("m"), mark.Set("n"), rank.Set("s"), title.Set("v"), text.Set(long+"y")))
		}, []costtest.Call{costtest.Update(s.notes, first, label.Set("m"), mark.Set("n"), rank.Set("s"), title.Set("v"), text.Set(long+"y"))}},
		{"update of what no key has", func(ctx context.Context) error { return errOf(s.notes.Update(ctx, first, text.Set("short"))) },
			[]costtest.Call{costtest.Update(s.notes, first, text.Set("short"))}},
		{"update that changes nothing", func(ctx context.Context) error { return errOf(s.notes.Update(ctx, first, text.Set("short"))) },
			[]costtest.Call{costtest.Update(s.notes, first, text.Set("short"))}},
		{"update of what is on no index", func(ctx context.Context) error { return errOf(s.notes.Update(ctx, bare, text.Set("short"))) },
			[]costtest.Call{costtest.Update(s.notes, bare, text.Set("short"))}},
		{"update that brings it onto one", func(ctx context.Context) error {
			return errOf(s.notes.Update(ctx, bare, label.Set("l"), text.Set(long)))
		},
			[]costtest.Call{costtest.Update(s.notes, bare, label.Set("l"), text.Set(long))}},
		{"update that takes it off", func(ctx context.Context) error { return errOf(s.notes.Update(ctx, bare, label.Remove())) },
			[]costtest.Call{costtest.Update(s.notes, bare, label.Remove())}},
		{"upsert", func(ctx context.Context) error {
			return errOf(s.notes.Upsert(ctx, note{Book: "w", ID: 5}, label.Set("l"), text.Set(long)))
		}, []costtest.Call{costtest.Upsert(s.notes, note{Book: "w", ID: 5}, label.Set("l"), text.Set(long))}},
		remove(bare), remove(first), remove(note{Book: "w", ID: 77}),
		{"put of a versioned item, and again", func(ctx context.Context) error {
			if err := s.pages.Put(ctx, &p); err != nil {
				return err
			}
			return s.pages.Put(ctx, &p)
		}, []costtest.Call{costtest.Put(s.pages, &again), costtest.Put(s.pages, &again)}},
		{"overwrite", func(ctx context.Context) error { return s.pages.Overwrite(ctx, &again) }, []costtest.Call{costtest.Overwrite(s.pages, &again)}},
		{"update that reads first", func(ctx context.Context) error { return errOf(readFirst.Update(ctx, page{ID: "p"}, topic.Set("u"))) },
			[]costtest.Call{costtest.Update(readFirst, page{ID: "p"}, topic.Set("u"))}},
	}
}

// Check passes for everything that the library sends, with small and with large items.
func TestCheckPassesForExplainedRequests(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for _, bytes := range []int{0, 700, 9000} {
			s := newStore(t, e.Client(t))
			s.fill(t, 8, bytes)
			for _, c := range append(s.reads(), s.writes(strings.Repeat("x", bytes))...) {
				require.NoError(t, c.run(t.Context()), c.name)
				require.Empty(t, s.check(c.expects...), "%s, %d bytes", c.name, bytes)
			}
		}
	})
}
