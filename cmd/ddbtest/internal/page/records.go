package page

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
)

// queryUntil is the query parameter with the number of the records that a page may have.
const queryUntil = "until"

// recordsView is the page of the records of a stream, the newest first.
type recordsView struct {
	Total   int
	Records []recordRow
	Older   string // the address of the page with older records; "" if there is none
}

// recordRow is a record.
type recordRow struct {
	Event, Sequence string
	At              time.Time
	Expired         bool // the item expired
	Keys            []attribute
	JSON            string
}

// showRecords shows the records of a table's stream.
func showRecords(f *fork, d *types.TableDescription) (*reply, error) {
	v, table := f.visit, aws.ToString(d.TableName)
	arn := aws.ToString(d.LatestStreamArn)
	if arn == "" {
		return nil, &statusError{http.StatusNotFound, "The table has no stream."}
	}
	records, err := control.StreamRecords(v.request.Context(), f.db, arn)
	if err != nil {
		return nil, err
	}
	view := recordsView{Total: len(records)}
	until, err := strconv.Atoi(v.request.URL.Query().Get(queryUntil))
	if err != nil || until < 0 || until > len(records) {
		until = len(records)
	}
	from := max(0, until-pageSize)
	for _, text := range records[from:until] {
		row, err := newRecordRow(text)
		if err != nil {
			return nil, err
		}
		view.Records = append(view.Records, row)
	}
	slices.Reverse(view.Records)
	if from > 0 {
		view.Older = v.tableURL(table, "records", url.Values{queryUntil: {strconv.Itoa(from)}})
	}
	return &reply{template: "records", title: "Stream records of " + table, crumbs: v.tableCrumbs(table), data: view}, nil
}

func newRecordRow(text json.RawMessage) (recordRow, error) {
	var record struct {
		Event        string `json:"eventName"`
		UserIdentity *struct {
			PrincipalID string `json:"PrincipalId"`
		} `json:"userIdentity"`
		Change struct {
			At             float64 `json:"ApproximateCreationDateTime"`
			Keys           json.RawMessage
			SequenceNumber string
		} `json:"dynamodb"`
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return recordRow{}, err
	}
	keys, err := fixture.ParseItem(record.Change.Keys)
	if err != nil {
		return recordRow{}, err
	}
	return recordRow{
		Event: record.Event, Sequence: record.Change.SequenceNumber, At: time.UnixMilli(int64(record.Change.At * 1000)),
		Expired: record.UserIdentity != nil, Keys: attributesOf(keys, nil), JSON: indented(text),
	}, nil
}
