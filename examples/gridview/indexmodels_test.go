package main

import (
	"context"
	"fmt"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// joined is a row of the existing index tables. It lists an issue under its project or under a
// field that it has. The pre-joined index sorts by a number, and the composite index sorts by a
// string.
type joined struct {
	_     entity.Key   // Issue Id, Project-Attribute Id
	_     entity.Index `name:"pre-joined" on:"PreJoined"`
	_     entity.Index `name:"composite" on:"Composite"`
	Issue string       `dynamodbav:"Issue Id"`
	Of    string       `dynamodbav:"Project-Attribute Id"`
	Num   *int         `dynamodbav:",omitempty"`
	Text  string       `dynamodbav:"Sort String"`
}

var (
	joinedSchema = entity.NewSchema(entity.Config{
		Partition: entity.S("Issue Id"), Sort: entity.S("Project-Attribute Id"), Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
		Indexes: []entity.IndexConfig{
			{Name: "PreJoined", Partition: []entity.Attribute{entity.S("Project-Attribute Id")}, Sort: []entity.Attribute{entity.N("Num")}},
			{Name: "Composite", Partition: []entity.Attribute{entity.S("Project-Attribute Id")}, Sort: []entity.Attribute{entity.S("Sort String")}},
		},
	})
	joinedRows = entity.Define[joined](joinedSchema)
	joinedNum  = attr.Must(func(j *joined) *int { return j.Num })
	joinedText = attr.Must(func(j *joined) *string { return &j.Text })
)

const joinedTable = `
020e | 35e9 | 1  | 000001
67d1 | 35e9 | 2  | 000002
af34 | 35e9 | 3  | 000003
020e | 3812 |    | 2023-05-01#000001
67d1 | 3812 |    | 2023-05-02#000002
af34 | 3fe6 | 42 | 000042#000003
af34 | 47e5 |    | Approved#000003
3544 | 7b7e | 1  | 000001
83a4 | 7b7e | 2  | 000002
020e | 882a |    | 2023-06-01#000001
67d1 | 882a |    | 2023-06-02#000002
`

// listed is the same row with indexes of several attributes. The first sort attribute is a number,
// a string or a date, and the second is the issue's number. No key is composed, so no value needs
// padding or escaping.
type listed struct {
	_      entity.Key   `type:"listed" pk:"ISSUE#<issue>" sk:"OF#<of>"`
	_      entity.Index `name:"by-int" on:"Ints"`
	_      entity.Index `name:"by-text" on:"Texts"`
	_      entity.Index `name:"by-date" on:"Dates" pk:"<of>" sk:"<date:day>,<number>"`
	Issue  string       `dynamodbav:"issue"`
	Of     string       `dynamodbav:"of"`
	Number int          `dynamodbav:"number"`
	Int    *int         `dynamodbav:"int,omitempty"`
	Text   string       `dynamodbav:"text,omitempty"`
	Date   time.Time    `dynamodbav:"date,omitempty"`
}

// sortedBy returns an index with the partition key of. It sorts by an attribute and then by number.
func sortedBy(name string, first entity.Attribute) entity.IndexConfig {
	return entity.IndexConfig{Name: name, Partition: []entity.Attribute{entity.S("of")}, Sort: []entity.Attribute{first, entity.N("number")}}
}

var (
	listedSchema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		sortedBy("Ints", entity.N("int")), sortedBy("Texts", entity.S("text")), sortedBy("Dates", entity.S("date")),
	}})
	listedRows = entity.Define[listed](listedSchema)

	listedInt    = attr.Must(func(l *listed) *int { return l.Int })
	listedText   = attr.Must(func(l *listed) *string { return &l.Text })
	listedDate   = attr.Must(func(l *listed) *time.Time { return &l.Date })
	listedNumber = attr.Must(func(l *listed) *int { return &l.Number })
)

// index is the interface of all index models. It returns the issues under a project or a field in
// sort order, as sort text and issue.
type index interface {
	under(ctx context.Context, of string) ([]string, error)
	// after returns the issues with one value of a numeric field that follow a number.
	after(ctx context.Context, of string, value, number int) ([]string, error)
	// tie adds an issue under a numeric field.
	tie(ctx context.Context, of string, value, number int) error
}

type preJoined struct{ rows *entity.Repo[joined] }

func (x preJoined) under(ctx context.Context, of string) ([]string, error) {
	return rowsBy(func(j joined) string { return fmt.Sprintf("%d %s", *j.Num, j.Issue) })(query.On(x.rows, "pre-joined", joined{Of: of}).Collect(ctx))
}

type composite struct{ rows *entity.Repo[joined] }

func (x composite) rowsOf(items []joined, err error) ([]string, error) {
	return rowsBy(func(j joined) string { return j.Text + " " + j.Issue })(items, err)
}

func (x composite) under(ctx context.Context, of string) ([]string, error) {
	return x.rowsOf(query.On(x.rows, "composite", joined{Of: of}).Collect(ctx))
}

func (x composite) after(ctx context.Context, of string, value, number int) ([]string, error) {
	// The caller must know how to compose the sort string.
	from, to := fmt.Sprintf("%06d#%06d", value, number+1), fmt.Sprintf("%06d#999999", value)
	return x.rowsOf(query.On(x.rows, "composite", joined{Of: of}).Where(joinedText.Between(from, to)).Collect(ctx))
}

func (x composite) tie(ctx context.Context, of string, value, number int) error {
	return x.rows.Create(ctx, &joined{Issue: fmt.Sprint(number), Of: of, Num: &value, Text: fmt.Sprintf("%06d#%06d", value, number)})
}

func (s newStore) under(ctx context.Context, of string) ([]string, error) {
	switch kinds[of] {
	case Date:
		return rowsBy(func(v DateValue) string { return fmt.Sprintf("%s#%06d %s", text(v), v.Number, v.IssueID) })(
			query.On(s.dates, "by-date", DateValue{FieldID: of}).Collect(ctx))
	case Int:
		return s.intRows(query.On(s.ints, "by-int", IntValue{FieldID: of}).Collect(ctx))
	case Text:
		return rowsBy(func(v TextValue) string { return fmt.Sprintf("%s#%06d %s", v.Value, v.Number, v.IssueID) })(
			query.On(s.texts, "by-text", TextValue{FieldID: of}).Collect(ctx))
	default:
		return rowsBy(func(i Issue) string { return fmt.Sprintf("%06d %s", i.Number, i.ID) })(s.byNumber(of).Collect(ctx))
	}
}

func (s newStore) intRows(items []IntValue, err error) ([]string, error) {
	return rowsBy(func(v IntValue) string { return fmt.Sprintf("%06d#%06d %s", v.Value, v.Number, v.IssueID) })(items, err)
}

var (
	intValue  = attr.Must(func(v *IntValue) *int64 { return &v.Value })
	intNumber = attr.Must(func(v *IntValue) *int { return &v.Number })
)

func (s newStore) after(ctx context.Context, of string, value, number int) ([]string, error) {
	q := query.On(s.ints, "by-int", IntValue{FieldID: of}).Where(intValue.Eq(int64(value)), intNumber.Gt(number))
	return s.intRows(q.Collect(ctx))
}

func (s newStore) tie(ctx context.Context, of string, value, number int) error {
	return s.SetInt(ctx, &IntValue{IssueID: fmt.Sprint(number), FieldID: of, Number: number, Value: int64(value)})
}

type lists struct{ rows *entity.Repo[listed] }

func (x lists) under(ctx context.Context, of string) ([]string, error) {
	switch kinds[of] {
	case Date:
		return rowsBy(func(l listed) string {
			return fmt.Sprintf("%s#%06d %s", l.Date.Format(time.DateOnly), l.Number, l.Issue)
		})(
			query.On(x.rows, "by-date", listed{Of: of}).Collect(ctx))
	case Int:
		return x.intRows(query.On(x.rows, "by-int", listed{Of: of}).Collect(ctx))
	case Text:
		return rowsBy(func(l listed) string { return fmt.Sprintf("%s#%06d %s", l.Text, l.Number, l.Issue) })(
			query.On(x.rows, "by-text", listed{Of: of}).Collect(ctx))
	default:
		return rowsBy(func(l listed) string { return fmt.Sprintf("%06d %s", *l.Int, l.Issue) })(query.On(x.rows, "by-int", listed{Of: of}).Collect(ctx))
	}
}

func (x lists) intRows(items []listed, err error) ([]string, error) {
	return rowsBy(func(l listed) string { return fmt.Sprintf("%06d#%06d %s", *l.Int, l.Number, l.Issue) })(items, err)
}

func (x lists) after(ctx context.Context, of string, value, number int) ([]string, error) {
	return x.intRows(query.On(x.rows, "by-int", listed{Of: of}).Where(listedInt.Eq(value), listedNumber.Gt(number)).Collect(ctx))
}

func (x lists) tie(ctx context.Context, of string, value, number int) error {
	return x.rows.Create(ctx, &listed{Issue: fmt.Sprint(number), Of: of, Number: number, Int: &value})
}

// rowsBy returns a function that converts the items of a query to strings.
func rowsBy[T any](row func(T) string) func([]T, error) ([]string, error) {
	return func(items []T, err error) ([]string, error) {
		var rows []string
		for _, item := range items {
			rows = append(rows, row(item))
		}
		return rows, err
	}
}
