package maintain_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

type (
	squad struct {
		_       entity.Key `type:"squad" pk:"SQUAD#<id>" sk:"SQUAD"`
		ID      string     `dynamodbav:"id"`
		Players int        `dynamodbav:"players"`
		Text    string     `dynamodbav:"text"`
		Version int64      `dynamodbav:"version" entity:"version"`
	}
	player struct {
		_     entity.Key     `type:"player" pk:"PLAYER#<id>" sk:"PLAYER"`
		_     entity.Index   `name:"by-squad" on:"GSI1" pk:"SQUAD#<squad>" sk:"<id>"`
		_     entity.Counted `in:"squad" as:"players" pk:"SQUAD#<squad>" sk:"SQUAD"`
		ID    string         `dynamodbav:"id"`
		Squad string         `dynamodbav:"squad"`
		Email string         `dynamodbav:"email" entity:"unique"`
		Text  string         `dynamodbav:"text"`
	}
	// league is a table in which every run has something to change.
	league struct {
		client        *dynamodb.Client
		table, copied *entity.Table
		squads        *entity.Type[squad]
		players       *entity.Type[player]
	}
)

// newLeague stores n players of n/10 squads, whose counts, guards and index keys are wrong or
// missing. Each player and each squad has a text.
func newLeague(t *testing.T, client *dynamodb.Client, n int, text string) *league {
	t.Helper()
	l := openLeague(t, client)
	require.NoError(t, l.table.Create(t.Context()))
	require.NoError(t, l.copied.Create(t.Context()))
	for i := range n / 10 {
		item, err := l.squads.Encode(&squad{ID: fmt.Sprint(i), Text: text, Version: 1})
		require.NoError(t, err)
		item["players"] = avN("7")
		l.put(t, item)
	}
	for i := range n {
		p := player{ID: fmt.Sprint(i), Squad: fmt.Sprint(i % (n / 10)), Email: fmt.Sprint(i, "@example.com"), Text: text}
		item, err := l.players.Encode(&p)
		require.NoError(t, err)
		delete(item, "GSI1SK")
		l.put(t, item)
	}
	return l
}

func openLeague(t *testing.T, client *dynamodb.Client) *league {
	t.Helper()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1", KeysOnly: true}}})
	l := &league{client: client, squads: entity.Define[squad](s), players: entity.Define[player](s)}
	var err error
	l.table, err = s.Open(client, "league", entity.PlainCursors())
	require.NoError(t, err)
	l.copied, err = s.Open(client, "copied")
	require.NoError(t, err)
	return l
}

func (l *league) put(t *testing.T, item avMap) {
	t.Helper()
	_, err := l.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("league"), Item: item})
	require.NoError(t, err)
}

// stored returns all items of both tables by their keys.
func (l *league) stored(t *testing.T) map[string]avMap {
	t.Helper()
	found := map[string]avMap{}
	for _, name := range []string{"league", "copied"} {
		pages := dynamodb.NewScanPaginator(l.client, &dynamodb.ScanInput{TableName: &name, ConsistentRead: aws.Bool(true)})
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			require.NoError(t, err)
			for _, item := range page.Items {
				found[name+textOf(item["PK"])+textOf(item["SK"])] = item
			}
		}
	}
	return found
}

// runs has all functions that read the whole table.
var runs = map[string]func(context.Context, *league, maintain.Run) (maintain.Report, error){
	"check items": func(ctx context.Context, l *league, r maintain.Run) (maintain.Report, error) {
		return maintain.CheckItems(ctx, l.table, 1_000_000, r)
	},
	"repair guards": func(ctx context.Context, l *league, r maintain.Run) (maintain.Report, error) {
		return maintain.RepairGuards(ctx, l.table, r)
	},
	"repair counts": func(ctx context.Context, l *league, r maintain.Run) (maintain.Report, error) {
		return maintain.RepairCounts(ctx, l.table, r)
	},
	"reindex": func(ctx context.Context, l *league, r maintain.Run) (maintain.Report, error) {
		return maintain.Reindex(ctx, l.table, r)
	},
	"copy": func(ctx context.Context, l *league, r maintain.Run) (maintain.Report, error) {
		return maintain.Copy(ctx, l.table, l.copied, r)
	},
}

// A dry run changes nothing, and its report counts what the run after it changes. After the run,
// nothing is left to change.
func TestDryRunsCountWhatRunsChange(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, call := range runs {
			ctx, l := t.Context(), newLeague(t, e.Client(t), 40, "x")
			before := l.stored(t)
			dry, _ := call(ctx, l, maintain.Run{DryRun: true})
			require.Equal(t, before, l.stored(t), name)
			require.Zero(t, dry.Capacity.Write, name)
			require.Positive(t, dry.Capacity.Read, name)
			report, _ := call(ctx, l, maintain.Run{})
			require.Equal(t, name != "check items", report.Capacity.Write > 0 && len(changedItems(before, l.stored(t))) > 0, "%s: the control", name)
			for _, r := range []*maintain.Report{&dry, &report} { // a repair also checks the guards that it has created
				r.Capacity, r.Left, r.Guards = trestle.Capacity{}, 0, 0
			}
			require.Equal(t, report, dry, name)
			require.Positive(t, report.Items, name)
			if name == "check items" {
				continue
			}
			again, err := call(ctx, l, maintain.Run{DryRun: true})
			require.NoError(t, err, name)
			require.Zero(t, again.Updated+again.Moved+again.Created+again.Corrected+again.Deleted, name)
		}
	})
}

func changedItems(before, after map[string]avMap) (list []string) {
	for key, item := range after {
		if fmt.Sprint(item) != fmt.Sprint(before[key]) {
			list = append(list, key)
		}
	}
	return list
}

// A dry run needs no permission to write. The control is the run itself.
func TestDryRunsOnlyRead(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	newLeague(t, db.Client(), 20, "x")
	policy := `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["dynamodb:Scan","dynamodb:Query","dynamodb:GetItem","dynamodb:BatchGetItem"],"Resource":"*"}}`
	l := openLeague(t, db.Client(db.WithPolicy(ddbtest.Policy{Document: policy})))
	for name, call := range runs {
		for _, dry := range []bool{true, false} {
			_, err := call(t.Context(), l, maintain.Run{DryRun: dry})
			var denied smithy.APIError
			require.Equal(t, !dry && name != "check items", errors.As(err, &denied), "%s, dry %t: %v", name, dry, err)
		}
	}
}

// Each run ends within its budget, and continues from its token: all runs together read each item
// once, and change what one run changes. The counts have no token.
func TestRunsContinueFromTheirTokens(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, call := range runs {
			ctx, l := t.Context(), newLeague(t, e.Client(t), 40, "x")
			whole, _ := call(ctx, l, maintain.Run{DryRun: true})
			run, all, tokens := maintain.Run{Concurrency: 3, Budget: 1}, maintain.Report{}, 0
			for {
				progress := "none"
				run.Progress = func(r maintain.Report) { progress = r.Token }
				report, err := call(ctx, l, run)
				require.Equal(t, report.Token, progress, name)
				if name == "repair counts" {
					require.ErrorIs(t, err, query.ErrBudget)
					require.Empty(t, report.Token)
					run.Budget = 0
					all, err = call(ctx, l, run)
					require.NoError(t, err)
					break
				}
				all.Items += report.Items
				all.Updated += report.Updated
				all.Created += report.Created
				if run.From = report.Token; run.From == "" {
					break
				}
				tokens++
				require.Less(t, tokens, 20, name)
				require.ErrorIs(t, err, query.ErrBudget, name)
			}
			require.Equal(t, []int{whole.Items, whole.Updated, whole.Created}, []int{all.Items, all.Updated, all.Created}, name)
			require.Equal(t, name != "repair counts", tokens > 0, name)
			if name == "check items" {
				continue
			}
			again, err := call(ctx, l, maintain.Run{DryRun: true})
			require.NoError(t, err, name)
			require.Zero(t, again.Updated+again.Moved+again.Created+again.Corrected+again.Deleted, name)
		}
	})
}

// Checks of a number of items continue one another, and read each item once.
func TestCheckItemsContinues(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, l := t.Context(), newLeague(t, e.Client(t), 40, "x")
		items, differ, run := 0, 0, maintain.Run{}
		for n := 0; n == 0 || run.From != ""; n++ {
			require.Less(t, n, 20)
			report, err := maintain.CheckItems(ctx, l.table, 7, run)
			require.LessOrEqual(t, report.Items, 7)
			var found *maintain.Error
			if errors.As(err, &found) {
				for _, p := range found.Problems {
					require.Equal(t, []any{maintain.ItemDiffers, "player"}, []any{p.Kind, p.Entity})
				}
				differ += report.ByType["player"]
			}
			items += report.Items
			run.From = report.Token
		}
		require.Equal(t, []int{44, 40}, []int{items, differ})
	})
}

// A token belongs to one function and to the fields of its run, except Budget, Rate and Progress.
func TestTokensOfOtherRunsAreRefused(t *testing.T) {
	t.Parallel()
	l, ctx := newLeague(t, ddbtest.Client(t), 40, "x"), t.Context()
	tokens := map[string]string{}
	for name, call := range runs {
		report, err := call(ctx, l, maintain.Run{Concurrency: 3, Budget: 1, DryRun: true})
		require.ErrorIs(t, err, query.ErrBudget)
		if report.Token != "" {
			tokens[name] = report.Token
		}
	}
	require.Len(t, tokens, len(runs)-1)
	for name, call := range runs {
		for of, token := range tokens {
			for own, run := range map[bool]maintain.Run{true: {Concurrency: 3, DryRun: true, Rate: 1e6, Budget: 1e6}, false: {Concurrency: 2, DryRun: true}} {
				run.From = token
				_, err := call(ctx, l, run)
				require.Equal(t, name != of || !own, errors.Is(err, query.ErrCursor), "%s with a token of %s, %+v: %v", name, of, run, err)
			}
		}
	}
	_, err := maintain.Reindex(ctx, l.table, maintain.Run{Concurrency: 3, DryRun: true, From: tokens["reindex"]}, l.players)
	require.ErrorIs(t, err, query.ErrCursor, "of other types")
}

// A repair that fails in its second scan continues there: it reads no item again.
func TestRepairContinuesInItsSecondScan(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	l := newLeague(t, db.Client(), 20, "x")
	earlier := len(db.Requests())
	_, err := maintain.RepairGuards(t.Context(), l.table, maintain.Run{Concurrency: 1})
	require.NoError(t, err)
	scans := 0
	for _, r := range db.Requests()[earlier:] {
		if r.Operation == "Scan" {
			scans++
		}
	}
	require.Equal(t, 2, scans)
	db.Fail(ddbtest.Op("Scan"), ddbtest.Nth(2), ddbtest.Error("AccessDeniedException", "no", 400)).MustHit(t)
	first, err := maintain.RepairGuards(t.Context(), l.table, maintain.Run{Concurrency: 1})
	require.Error(t, err)
	require.Equal(t, []int{20, 0}, []int{first.Items, first.Guards})
	second, err := maintain.RepairGuards(t.Context(), l.table, maintain.Run{Concurrency: 1, From: first.Token})
	require.NoError(t, err)
	require.Equal(t, []int{0, 20}, []int{second.Items, second.Guards})
	require.Empty(t, second.Token)
}

// The rate limits the units of reads and writes of every run. The control is a run without a rate.
func TestRunsHaveARate(t *testing.T) {
	t.Parallel()
	for name, call := range runs {
		synctest.Test(t, func(t *testing.T) {
			l := newLeague(t, ddbtest.Start(t).Client(), 200, strings.Repeat("x", 20_000)) // 5 pages
			for _, rate := range []float64{100, 0} {
				began := time.Now()
				report, _ := call(t.Context(), l, maintain.Run{Concurrency: 1, Rate: rate, DryRun: rate == 0})
				took := time.Since(began).Seconds()
				if rate == 0 {
					require.Less(t, took, 1.0, name)
					continue
				}
				expected := (report.Capacity.Read + report.Capacity.Write) / rate
				require.Greater(t, expected, 5.0, name)
				require.LessOrEqual(t, took, expected+1, name)
				require.GreaterOrEqual(t, took, expected*0.6, "%s: without the last requests", name)
			}
		})
	}
}

// Progress is called after each page, and its report grows. An ended context ends the run with what
// was found before.
func TestRunsReportTheirProgress(t *testing.T) {
	t.Parallel()
	for name, call := range runs {
		l := newLeague(t, ddbtest.Client(t), 200, strings.Repeat("x", 20_000))
		pages, last := 0, maintain.Report{}
		report, _ := call(t.Context(), l, maintain.Run{DryRun: true, Progress: func(r maintain.Report) {
			pages++
			require.GreaterOrEqual(t, r.Items, last.Items)
			require.Greater(t, r.Capacity.Read, last.Capacity.Read)
			last = r
		}})
		require.GreaterOrEqual(t, pages, 5, name)
		require.Equal(t, report.Items, last.Items, name)
		sum := 0
		for _, n := range report.ByType {
			sum += n
		}
		require.Equal(t, report.Items, sum, name)

		ctx, cancel := context.WithCancel(t.Context())
		stopped, err := call(ctx, l, maintain.Run{DryRun: true, Progress: func(maintain.Report) { cancel() }})
		require.ErrorIs(t, err, context.Canceled, name)
		require.Equal(t, trestle.NoWrite, trestle.OutcomeOf(err), name)
		require.Less(t, stopped.Items, report.Items, name)
		require.Equal(t, name != "repair counts", stopped.Token != "", name)
		var e *trestle.OpError
		require.ErrorAs(t, err, &e)
		if found := (*maintain.Error)(nil); errors.As(err, &found) {
			require.Len(t, found.Problems, stopped.Left)
		} else {
			require.Zero(t, stopped.Left)
		}
	}
}

// Reindex without types does in one scan what it does for each type in a scan of its own.
func TestReindexOfAllTypes(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	l := newLeague(t, db.Client(), 40, "x")
	scans := func(types ...interface{ Name() string }) (int, maintain.Report) {
		earlier, n := len(db.Requests()), 0
		report, err := maintain.Reindex(t.Context(), l.table, maintain.Run{DryRun: true}, types...)
		require.NoError(t, err)
		for _, r := range db.Requests()[earlier:] {
			if r.Operation == "Scan" {
				n++
			}
		}
		return n, report
	}
	squads, ofSquads := scans(l.squads)
	players, ofPlayers := scans(l.players)
	both, ofBoth := scans(l.players, l.squads, l.players)
	all, ofAll := scans()
	require.Equal(t, []int{squads, squads, squads}, []int{players, both, all})
	require.Equal(t, map[string]int{"squad": 4, "player": 40}, ofAll.ByType)
	require.Equal(t, ofAll.ByType, ofBoth.ByType)
	require.Equal(t, ofAll.Items, ofSquads.Items+ofPlayers.Items)
	require.Equal(t, []int{40, 40}, []int{ofAll.Updated, ofAll.Created})
	other := openLeague(t, db.Client())
	for _, wrong := range []interface{ Name() string }{nil, other.players, (*entity.Type[player])(nil)} {
		_, err := maintain.Reindex(t.Context(), l.table, maintain.Run{}, l.players, wrong)
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
	}
}
