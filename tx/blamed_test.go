package tx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/tx"
)

// Clubs count their players. A rival has the key of a club, so it may be where a player has a club.
type (
	club struct {
		_       entity.Key `type:"club" pk:"CLUB#<area>#<id>" sk:"CLUB" shared:"yes"`
		Area    string     `dynamodbav:"area"`
		ID      string     `dynamodbav:"id"`
		Note    string     `dynamodbav:"note"`
		Players int        `dynamodbav:"players"`
	}
	rival struct {
		_    entity.Key `type:"rival" pk:"CLUB#<area>#<id>" sk:"CLUB" shared:"yes"`
		Area string     `dynamodbav:"area"`
		ID   string     `dynamodbav:"id"`
	}
	player struct {
		_    entity.Key     `type:"player" pk:"PLAYER#<id>" sk:"PLAYER"`
		_    entity.Counted `in:"club" as:"players" pk:"CLUB#<area>#<club>" sk:"CLUB"`
		ID   string         `dynamodbav:"id"`
		Area string         `dynamodbav:"area"`
		Club string         `dynamodbav:"club"`
	}
)

var (
	clubNote   = attr.Must(func(c *club) *string { return &c.Note })
	playerClub = attr.Must(func(p *player) *string { return &p.Club })
	playerArea = attr.Must(func(p *player) *string { return &p.Area })
)

// league is a table of clubs. It has the clubs a, b and c, and one player in a.
type league struct {
	interposer
	clubs   *entity.Repo[club]
	rivals  *entity.Repo[rival]
	players *entity.Repo[player]
}

func eachLeague(t *testing.T, f func(t *testing.T, l *league)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		l := &league{}
		s := entity.NewSchema(entity.Config{})
		clubs, rivals, players := entity.Define[club](s), entity.Define[rival](s), entity.Define[player](s)
		table, err := s.Open(e.Client(t, l.install), "league")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		l.clubs, l.rivals, l.players = clubs.In(table), rivals.In(table), players.In(table)
		for _, id := range []string{"a", "b", "c"} {
			require.NoError(t, l.clubs.Create(t.Context(), &club{Area: "n", ID: id}))
		}
		require.NoError(t, l.players.Create(t.Context(), &player{ID: "1", Area: "n", Club: "a"}))
		f(t, l)
	})
}

// uncount makes the count of club a 0, although it has a player.
func (l *league) uncount(t *testing.T) {
	t.Helper()
	require.NoError(t, l.clubs.Delete(t.Context(), club{Area: "n", ID: "a"}))
	require.NoError(t, l.clubs.Create(t.Context(), &club{Area: "n", ID: "a"}))
}

// An item of another type under the key of a counting item counts nothing: what it would count
// cannot be created, and what it no longer counts is deleted.
func TestItemOfAnotherTypeCountsNothing(t *testing.T) {
	t.Parallel()
	eachLeague(t, func(t *testing.T, l *league) {
		ctx := t.Context()
		require.NoError(t, l.clubs.Delete(ctx, club{Area: "n", ID: "a"}))
		require.NoError(t, l.rivals.Create(ctx, &rival{Area: "n", ID: "a"}))
		err := l.players.Create(ctx, &player{ID: "2", Area: "n", Club: "a"})
		requireOutcome(t, err, trestle.NotApplied, trestle.ErrNotFound)
		require.NotEmpty(t, hintOf(t, err))

		err = tx.Write(ctx,
			l.players.Op().Delete(player{ID: "1"}), l.players.Op().Create(&player{ID: "2", Area: "n", Club: "a"}),
			l.players.Op().Create(&player{ID: "3", Area: "n", Club: "b"}), l.players.Op().Create(&player{ID: "4", Area: "n", Club: "a"}))
		failed, _ := failuresOf(t, err)
		require.Equal(t, map[int]error{1: trestle.ErrNotFound, 3: trestle.ErrNotFound}, failed)

		require.NoError(t, tx.Write(ctx, l.players.Op().Delete(player{ID: "1"}), l.players.Op().Create(&player{ID: "3", Area: "n", Club: "b"})))
		_, err = l.rivals.Strong().Get(ctx, rival{Area: "n", ID: "a"})
		require.NoError(t, err)
	})
}

// If a count would become negative, the operations fail whose items are no longer counted, and not
// the one that writes the counting item in the same request.
func TestNegativeCountBlamesTheCountedItems(t *testing.T) {
	t.Parallel()
	eachLeague(t, func(t *testing.T, l *league) {
		l.uncount(t)
		key := club{Area: "n", ID: "a"}
		for name, write := range map[string]entity.Operation{
			"update": l.clubs.Op().Update(key, clubNote.Set("new")),
			"upsert": l.clubs.Op().Upsert(key, clubNote.Set("new")),
			"put":    l.clubs.Op().Put(&club{Area: "n", ID: "a"}),
			"check":  l.clubs.Op().Check(key),
			"other":  l.clubs.Op().Check(club{Area: "n", ID: "b"}),
		} {
			err := tx.Write(t.Context(), write, l.players.Op().Delete(player{ID: "1"}))
			failed, _ := failuresOf(t, err)
			require.Equal(t, map[int]error{1: trestle.ErrCondition}, failed, name)
			var canceled *tx.CanceledError
			require.ErrorAs(t, err, &canceled)
			require.Equal(t, "player", canceled.Failures[0].Err.Entity, name)
			require.NotEmpty(t, canceled.Failures[0].Err.Hint, name)
		}

		// Its own condition is false, too: it has failed.
		err := tx.Write(t.Context(), l.clubs.Op().Check(key, clubNote.Eq("x")), l.players.Op().Delete(player{ID: "1"}))
		failed, _ := failuresOf(t, err)
		require.Equal(t, map[int]error{0: trestle.ErrCondition}, failed)
	})
}

// If a counting item does not exist, the operation that needs it fails, and so do those whose items
// it would count.
func TestMissingCountingItemFailsTheCountedItemsToo(t *testing.T) {
	t.Parallel()
	eachLeague(t, func(t *testing.T, l *league) {
		ctx, key := t.Context(), club{Area: "n", ID: "x"}
		send := func(write entity.Operation) map[int]error {
			err := tx.Write(ctx, l.players.Op().Create(&player{ID: "2", Area: "n", Club: "b"}), write, l.players.Op().Create(&player{ID: "3", Area: "n", Club: "x"}))
			failed, _ := failuresOf(t, err)
			var canceled *tx.CanceledError
			require.ErrorAs(t, err, &canceled)
			for _, f := range canceled.Failures {
				require.Equal(t, f.Operation == 2, f.Err.Entity == "player")
				require.Equal(t, f.Operation == 2, f.Err.Hint != "", "it is counted")
			}
			return failed
		}
		both := map[int]error{1: trestle.ErrNotFound, 2: trestle.ErrNotFound}
		require.Equal(t, both, send(l.clubs.Op().Check(key)))
		require.Equal(t, both, send(l.clubs.Op().Update(key, clubNote.Set("new"))))
		require.NoError(t, l.rivals.Create(ctx, &rival{Area: "n", ID: "x"}))
		require.Equal(t, both, send(l.clubs.Op().Check(key)), "an item of another type")
		require.NoError(t, l.rivals.Delete(ctx, rival{Area: "n", ID: "x"}))
		require.NoError(t, l.clubs.Create(ctx, &key))
		require.Equal(t, map[int]error{1: trestle.ErrCondition}, send(l.clubs.Op().Check(key, clubNote.Eq("x"))))
	})
}

// A counting item that does not exist is no reason to fail if the operation is counted by another
// one, because another writer has changed its item.
func TestMissingCountingItemOfAChangedItemIsPlannedAgain(t *testing.T) {
	t.Parallel()
	eachLeague(t, func(t *testing.T, l *league) {
		ctx := t.Context()
		require.NoError(t, l.players.Create(ctx, &player{ID: "2", Area: "n", Club: "a"}))
		for _, id := range []string{"a", "b", "c"} {
			require.NoError(t, l.clubs.Create(ctx, &club{Area: "s", ID: id}))
		}
		race := func() { // there is always the club that the update needs
			_, err := l.players.Update(ctx, player{ID: "1"}, playerArea.Set("s"))
			require.NoError(t, err)
			require.NoError(t, l.clubs.Delete(ctx, club{Area: "n", ID: "b"}))
		}
		l.before = race
		_, err := l.players.Update(ctx, player{ID: "1"}, playerClub.Set("b"))
		require.NoError(t, err)
		require.Nil(t, l.before)
		for _, at := range []struct {
			area, id string
			players  int
		}{{"n", "a", 1}, {"s", "a", 0}, {"s", "b", 1}} {
			got, err := l.clubs.Strong().Get(ctx, club{Area: at.area, ID: at.id})
			require.NoError(t, err)
			require.Equal(t, at.players, got.Players, at)
		}

		// In a transaction, the operation is not listed.
		_, err = l.players.Update(ctx, player{ID: "1"}, playerArea.Set("n"), playerClub.Set("a"))
		require.NoError(t, err)
		require.NoError(t, l.clubs.Create(ctx, &club{Area: "n", ID: "b"}))
		l.before = race
		err = tx.Write(ctx, l.clubs.Op().Check(club{Area: "n", ID: "c"}, clubNote.Eq("x")), l.players.Op().Update(player{ID: "1"}, playerClub.Set("b")))
		failed, _ := failuresOf(t, err)
		require.Equal(t, map[int]error{0: trestle.ErrCondition}, failed)
	})
}
