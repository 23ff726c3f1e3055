package control_test

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

// TestClock checks that the clock moves, and that items expire by it.
func TestClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, client := startThings(t)
		_, err := client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("things"),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("ttl"), Enabled: aws.Bool(true)}})
		require.NoError(t, err)
		begin := e.get("/clock")
		require.InDelta(t, time.Now().Unix(), begin["unixSeconds"], 0)
		e.post("/fixtures", `{"items":{"things":[{"id":{"S":"a"},"ttl":{"N":"`+strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)+`"}}]}}`)
		require.InDelta(t, 1, e.get("/tables/things/items")["count"], 0)

		now := e.post("/clock/advance", `{"by":"192h"}`)
		require.InDelta(t, time.Now().Add(192*time.Hour).Unix(), now["unixSeconds"], 0)
		require.InDelta(t, 0, e.get("/tables/things/items")["count"], 0, "it has expired")
		e.post("/clock/advance", `{"by":"-1h"}`)
		for _, body := range []string{`{}`, `{"by":"8d"}`, `{"by":3}`} {
			fields, _ := e.fails(http.StatusBadRequest, http.MethodPost, "/clock/advance", body)
			require.Equal(t, "by", fields[0])
		}
		require.InDelta(t, time.Now().Add(191*time.Hour).Unix(), e.get("/clock")["unixSeconds"], 0)
	})
}

// TestLag checks that reads lag until they are settled.
func TestLag(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	require.Equal(t, object{"items": "0s", "indexes": "0s"}, e.get("/lag"))
	require.Equal(t, object{"items": "untilSettled", "indexes": "1m0s"}, e.put("/lag", `{"items":"untilSettled","indexes":"1m"}`))
	require.NoError(t, put(t, client, "a"))
	found := func() bool {
		out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("things"),
			Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}}})
		require.NoError(t, err)
		return out.Item != nil
	}
	require.False(t, found())
	e.post("/settle", "")
	require.True(t, found())
	require.Equal(t, object{"items": "0s", "indexes": "0s"}, e.put("/lag", `{}`))
	fields, _ := e.fails(http.StatusBadRequest, http.MethodPut, "/lag", `{"items":"-1s","indexes":"x"}`)
	require.Equal(t, []string{"items", "indexes"}, fields)
}

func TestSnapshots(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	require.NoError(t, put(t, client, "a"))
	e.post("/snapshots", "")
	require.NoError(t, put(t, client, "b"))
	e.post("/snapshots", "")
	for id, want := range map[string]float64{"1": 1, "2": 2} {
		e.post("/snapshots/"+id+"/restore", "")
		require.InDelta(t, want, e.get("/tables/things/items")["count"], 0)
	}
	require.Len(t, list(t, e.get("/snapshots"), "snapshots"), 2)
	e.delete("/snapshots/1")
	for _, id := range []string{"1", "3", "x", "-2"} {
		_, cures := e.fails(http.StatusNotFound, http.MethodPost, "/snapshots/"+id+"/restore", "")
		require.Contains(t, cures, "2")
	}
}

// TestRestoreOfMore checks that a restored snapshot keeps the clock, the rules and the lag, and
// that members set them to what they were.
func TestRestoreOfMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, client := startThings(t)
		e.post("/clock/advance", `{"by":"1h"}`)
		_, err := client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("things"),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("ttl"), Enabled: aws.Bool(true)}})
		require.NoError(t, err)
		e.post("/fixtures", `{"items":{"things":[{"id":{"S":"t"},"ttl":{"N":"`+strconv.FormatInt(time.Now().Add(3*time.Hour).Unix(), 10)+`"}}]}}`)
		e.post("/faults", `{"effects":[{"effect":"InternalError"}],"operations":["Scan"]}`)
		e.put("/lag", `{"items":"1s"}`)
		e.post("/snapshots", "")
		require.NoError(t, put(t, client, "a"))
		<-time.After(time.Minute) // the real time goes on
		e.post("/clock/advance", `{"by":"192h"}`)
		e.post("/faults", `{"effects":[{"effect":"Reset"}]}`)
		e.put("/lag", `{"items":"untilSettled"}`)
		seconds := func(d time.Duration) float64 { return float64(time.Now().Add(d).Unix()) }
		for _, c := range []struct {
			body  string
			clock time.Duration
			rules int
			lag   string
		}{
			{"", 193 * time.Hour, 2, "untilSettled"}, {`{"clock":false}`, 193 * time.Hour, 2, "untilSettled"}, {`{"faults":true}`, 193 * time.Hour, 1, "untilSettled"},
			{`{"lag":true}`, 193 * time.Hour, 1, "1s"}, {`{"clock":true}`, time.Hour, 1, "1s"}, {`{"clock":true,"faults":true,"lag":true}`, time.Hour, 1, "1s"},
		} {
			require.InDelta(t, seconds(c.clock), e.post("/snapshots/1/restore", c.body)["unixSeconds"], 0, c.body)
			kept := map[bool]int{true: 1, false: 0}[c.clock == time.Hour]
			require.InDelta(t, kept, e.get("/tables/things/items")["count"], 0, "the item expires")
			require.Len(t, list(t, e.get("/faults"), "faults"), c.rules, c.body)
			require.Equal(t, c.lag, e.get("/lag")["items"], c.body)
		}
		require.NoError(t, put(t, client, "a"), "the rule was removed")
		_, err = client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("things")})
		require.Error(t, err, "and the other one acts")
		fields, _ := e.fails(http.StatusBadRequest, http.MethodPost, "/snapshots/1/restore", `{"clok":true}`)
		require.Equal(t, []string{"clok"}, fields)
	})
}

// TestReset checks that a database begins again without anything, or with the initial content.
func TestReset(t *testing.T) {
	t.Parallel()
	e := start(t, databases.Config{Fixtures: contents(t, `{"tables":[`+things+`]}`)})
	e.post("/databases", `{"accessKey":"one","region":"us-east-1"}`)
	require.Equal(t, object{"tables": []any{"things"}}, e.get("/tables"))
	e.post("/fixtures", `{"items":{"things":[{"id":{"S":"a"}}]}}`)
	e.post("/faults", `{"effects":[{"effect":"Reset"}]}`)
	e.post("/snapshots", "")
	e.post("/marks", "")
	e.post("/budgets", `{"limits":[{"quantity":"Requests","atMost":1}]}`)
	e.post("/clock/advance", `{"by":"48h"}`)

	e.post("/reset", `{"initial":true}`)
	require.InDelta(t, 0, e.get("/tables/things/items")["count"], 0)
	require.Less(t, e.get("/clock")["unixSeconds"], float64(time.Now().Add(24*time.Hour).Unix()))
	require.Empty(t, list(t, e.get("/faults"), "faults"))
	require.Empty(t, list(t, e.get("/snapshots"), "snapshots"))
	require.Empty(t, list(t, e.get("/budgets"), "budgets"))
	e.fails(http.StatusNotFound, http.MethodDelete, "/marks/1", "")

	e.post("/reset", `{}`)
	require.Equal(t, object{"tables": []any{}}, e.get("/tables"))
}

// TestForks checks that a fork has the content, and that it changes alone.
func TestForks(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	require.NoError(t, put(t, client, "a"))
	require.Equal(t, "two", e.post("/forks?accessKey=one", `{"accessKey":"two"}`)["accessKey"])
	require.NoError(t, put(t, client, "b"))
	require.InDelta(t, 1, e.get("/tables/things/items?accessKey=two")["count"], 0)
	require.InDelta(t, 2, e.get("/tables/things/items?accessKey=one")["count"], 0)
	e.fails(http.StatusConflict, http.MethodPost, "/forks?accessKey=one", `{"accessKey":"two"}`)
	e.fails(http.StatusBadRequest, http.MethodPost, "/forks?accessKey=one", `{"accessKey":"a-b"}`)
	e.post("/forks?accessKey=one", `{"accessKey":"three"}`)

	for _, of := range []struct{ method, path, body string }{
		{http.MethodDelete, "/databases?accessKey=one", ""}, {http.MethodDelete, "/databases?accessKey=one&closeForks=false", ""},
		{http.MethodPost, "/reset?accessKey=one", ""}, {http.MethodPost, "/reset?accessKey=one", `{"closeForks":false}`},
	} {
		status, text := e.send(of.method, of.path, of.body)
		require.Equal(t, http.StatusConflict, status)
		require.Equal(t, []object{{"accessKey": "three", "region": "us-east-1"}, {"accessKey": "two", "region": "us-east-1"}}, list(t, decode(t, text), "databases"))
		require.Contains(t, string(text), "closeForks")
	}
	require.InDelta(t, 1, e.get("/tables/things/items?accessKey=two")["count"], 0)
	e.fails(http.StatusBadRequest, http.MethodDelete, "/databases?accessKey=one&closeForks=yes", "")
	e.post("/reset?accessKey=one", `{"closeForks":true}`)
	require.Len(t, list(t, e.get("/databases"), "databases"), 1)
	e.post("/forks?accessKey=one", `{"accessKey":"two"}`)
	e.delete("/databases?accessKey=one&closeForks=true")
	require.Empty(t, list(t, e.get("/databases"), "databases"))
}

// TestChoice checks which database a request is about.
func TestChoice(t *testing.T) {
	t.Parallel()
	e := start(t, databases.Config{})
	_, cures := e.fails(http.StatusNotFound, http.MethodGet, "/clock", "")
	require.Contains(t, cures, "POST")
	e.post("/databases", `{"accessKey":"one","region":"us-east-1"}`)
	e.post("/databases", `{"accessKey":"one","region":"us-east-1"}`)
	e.get("/clock")
	e.post("/databases", `{"accessKey":"one","region":"eu-west-1"}`)
	e.post("/databases", `{"accessKey":"two","region":"us-east-1"}`)
	for _, query := range []string{"", "?accessKey=one", "?region=us-east-1", "?accessKey=three"} {
		status, text := e.send(http.MethodGet, "/clock"+query, "")
		require.NotEqual(t, http.StatusOK, status, query)
		require.NotEmpty(t, list(t, decode(t, text), "databases"), query)
	}
	for _, query := range []string{"?accessKey=two", "?region=eu-west-1", "?accessKey=one&region=us-east-1"} {
		e.get("/clock" + query)
	}
	fields, _ := e.fails(http.StatusBadRequest, http.MethodPost, "/databases", `{"accessKey":"a_b","region":"x","regoin":"y"}`)
	require.Equal(t, []string{"regoin", ""}, fields)
	require.Len(t, list(t, e.get("/databases"), "databases"), 3)
}

// TestShared checks that the shared database has every access key and Region.
func TestShared(t *testing.T) {
	t.Parallel()
	e := start(t, databases.Config{Shared: true})
	e.post("/fixtures", `{"tables":[`+things+`]}`)
	for _, query := range []string{"", "?accessKey=one", "?accessKey=two&region=eu-west-1"} {
		require.Equal(t, object{"tables": []any{"things"}}, e.get("/tables"+query))
	}
	e.post("/reset?accessKey=one", `{}`)
	require.Equal(t, object{"tables": []any{}}, e.get("/tables"))
	_, cures := e.fails(http.StatusConflict, http.MethodDelete, "/databases", "")
	require.Contains(t, cures, "-shared")
	_, cures = e.fails(http.StatusConflict, http.MethodPost, "/forks", `{"accessKey":"two"}`)
	require.Contains(t, cures, "-shared")
}

// TestRestoreClockOverItsWholeRange checks that a snapshot takes back any move of the clock.
func TestRestoreClockOverItsWholeRange(t *testing.T) {
	t.Parallel()
	e, db := startOne(t)
	e.post("/clock/advance", `{"by":"2562047h"}`)
	e.post("/snapshots", "")
	before := db.Now()
	e.post("/clock/advance", `{"by":"-2562047h"}`)
	e.post("/clock/advance", `{"by":"-2562047h"}`)
	e.post("/snapshots/1/restore", `{"clock":true}`)
	require.WithinDuration(t, before, db.Now(), time.Minute)
}
