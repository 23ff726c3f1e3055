package document_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type (
	noState struct {
		Info info
		Bio  *bio
	}
	noRoot struct {
		document.State
		Notes []note
	}
	undefined struct {
		document.State
		Root  undefinedRoot
		Parts []undefinedPart
	}
	undefinedRoot struct {
		_       entity.Key `type:"undefined" pk:"USER#<id>" sk:"UND"`
		ID      string     `dynamodbav:"id"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}
	undefinedPart struct {
		_  entity.Key `type:"undefinedpart" pk:"USER#<id>" sk:"PART"`
		ID string     `dynamodbav:"id"`
		document.Part
	}
	twoRoots struct {
		document.State
		Info  info
		Other otherRoot
	}
	otherRoot struct {
		_       entity.Key `type:"other" pk:"USER#<id>" sk:"OTHER"`
		ID      string     `dynamodbav:"id"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}
	mistaken struct {
		document.State
		Info     info
		Same     []info
		Foreign  []foreignPart
		Unknown  []string
		Plain    []plainPart
		Ephem    []ephemeralPart
		hidden   []note //nolint:unused // its definition is a mistake
		Versions []versionedPart
		Renamed  []renamedPart
	}
	foreignPart struct {
		_  entity.Key `type:"foreign" pk:"OTHER#<id>" sk:"F#<id>"`
		ID string     `dynamodbav:"id"`
		document.Part
	}
	plainPart struct {
		_  entity.Key `type:"plain" pk:"USER#<id>" sk:"PLAIN"`
		ID string     `dynamodbav:"id"`
	}
	ephemeralPart struct {
		_  entity.Key `type:"ephemeral" pk:"USER#<id>" sk:"EPH"`
		ID string     `dynamodbav:"id"`
		At int64      `dynamodbav:"expires" entity:"ttl"`
		X  string     `dynamodbav:"x" document:"compress"`
		document.Part
	}
	versionedPart struct {
		_       entity.Key               `type:"versioned" pk:"USER#<id>" sk:"VER"`
		ID      string                   `dynamodbav:"id"`
		Version int64                    `dynamodbav:"version" entity:"version"`
		Large   document.Large[string]   `dynamodbav:"large" document:"zip"`
		Chan    document.Large[chan int] `dynamodbav:"chan"`
		document.Part
	}
	// renamedPart has structs with tags of other libraries inside large values.
	renamedPart struct {
		_      entity.Key                         `type:"renamed" pk:"USER#<id>" sk:"REN"`
		ID     string                             `dynamodbav:"id"`
		Struct document.Large[renamed]            `dynamodbav:"struct"`
		List   document.Large[[]map[string]named] `dynamodbav:"list"`
		Inner  document.Large[outer]              `dynamodbav:"inner"`
		Tagged document.Large[event]              `dynamodbav:"tagged"`
		Time   document.Large[time.Time]          `dynamodbav:"time"`
		document.Part
	}
	renamed struct {
		Name string `json:"name"`
	}
	named struct {
		Name string `dynamo:"name"`
	}
	outer struct {
		Inner struct {
			N int `json:"n"`
		} `dynamodbav:"inner"`
	}
	unversioned struct {
		document.State
		Root unversionedRoot
	}
	expiring struct {
		document.State
		Basket   basket
		Forever  []foreverPart
		Lives    []livingPart
		Keyed    []keyedPart
		Articles []article
	}
	foreverPart struct {
		_  entity.Key `type:"forever" pk:"ORDER#<id>" sk:"FOREVER"`
		ID string     `dynamodbav:"id"`
		document.Part
	}
	livingPart struct {
		_       entity.Key `type:"living" pk:"ORDER#<id>" sk:"LIVING" lifetime:"1h"`
		ID      string     `dynamodbav:"id"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
		document.Part
	}
	keyedPart struct {
		_       entity.Key `type:"keyed" pk:"ORDER#<id>" sk:"KEYED#<expires:020>"`
		ID      string     `dynamodbav:"id"`
		Expires int64      `dynamodbav:"expires" entity:"ttl"`
		document.Part
	}
	unversionedRoot struct {
		_  entity.Key `type:"unversioned" pk:"USER#<id>" sk:"UNV"`
		ID string     `dynamodbav:"id"`
		document.Root
	}
)

// All mistakes of documents are reported at once, with their field.
func TestDefinitionsAreValidated(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	document.Define[noState](s)
	document.Define[noRoot](s)
	document.Define[undefined](s)
	document.Define[twoRoots](s)
	document.Define[mistaken](s)
	document.Define[unversioned](s)
	document.Define[expiring](s)
	document.Define[int](s)
	entity.Define[info](s)
	entity.Define[bio](s)
	entity.Define[note](s)
	entity.Define[otherRoot](s)
	entity.Define[foreignPart](s)
	entity.Define[plainPart](s)
	entity.Define[ephemeralPart](s)
	entity.Define[versionedPart](s)
	entity.Define[renamedPart](s)
	entity.Define[unversionedRoot](s)
	entity.Define[basket](s)
	entity.Define[foreverPart](s)
	entity.Define[livingPart](s)
	entity.Define[keyedPart](s)
	entity.Define[article](s)
	var wrong *trestle.DefinitionError
	require.ErrorAs(t, s.Err(), &wrong)
	found := map[string]int{}
	for _, i := range wrong.Issues {
		if strings.HasPrefix(i.Type, "document_test.") || i.Type == "int" {
			found[strings.TrimPrefix(i.Type, "document_test.")+"."+i.Field]++
		}
	}
	require.Equal(t, map[string]int{
		"noState.": 1, "noRoot.": 1, "undefined.Root": 1, "undefined.Parts": 1, "twoRoots.Other": 1, "int.": 1, "unversioned.Root": 1,
		"mistaken.Same": 1, "mistaken.Foreign": 1, "mistaken.Unknown": 1, "mistaken.Plain": 1, "mistaken.hidden": 1,
		"mistaken.Ephem": 2, "mistaken.Versions": 3, "mistaken.Renamed": 3,
		"expiring.Forever": 1, "expiring.Lives": 1, "expiring.Keyed": 1,
	}, found)
}

// A document needs a table with a sort key.
func TestTablesWithoutSortKeyAreRefused(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{NoSort: true})
	document.Define[noRoot](s)
	require.ErrorIs(t, s.Err(), trestle.ErrInvalid)
}

// Documents that are defined too late, or used with another table, do nothing.
func TestDocumentsOfOtherTablesAreRefused(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		u := newUsers(t, e.Client(t))
		other := document.Define[profile](entity.NewSchema(entity.Config{}))
		_, err := other.In(u.table, document.Config{}).Read(t.Context(), key("a"))
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = (*document.Type[profile])(nil).In(u.table, document.Config{}).Read(t.Context(), key("a"))
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = other.In(nil, document.Config{}).Read(t.Context(), key("a"))
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.NotErrorIs(t, err, trestle.ErrNotFound)
	})
}
