package control_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
)

// TestClosedMeanwhile checks the reads of a database that is closed after the request has found it.
func TestClosedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/tables", "/tables/things", "/tables/things/items", "/tables/things/records"} {
		e, _ := startThings(t)
		e.get(path) // the negative control
		e.databases.All()[0].DB.Close()
		_, cures := e.fails(http.StatusConflict, http.MethodGet, path, "")
		require.Contains(t, cures, "again")
	}
}

// TestFixturesClosedMeanwhile checks that fixtures for a database that is closed are not invalid.
func TestFixturesClosedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, body string }{
		{"", `{"tables":[` + strings.Replace(things, "things", "others", 1) + `]}`},
		{"", `{"items":{"things":[{"id":{"S":"a"}}]}}`},
		{"", `{"items":{"none":[{"id":{"S":"a"}}]}}`},
		{"?table=things", `{"Items":[{"id":{"S":"a"}}]}`},
		{"", `{"Items":[{"id":{"S":"a"}}]}`},
		{"", strings.Replace(things, "things", "others", 1)},
	} {
		e, _ := startThings(t)
		e.databases.All()[0].DB.Close()
		_, cures := e.fails(http.StatusConflict, http.MethodPost, "/fixtures"+c.query, c.body)
		require.Contains(t, cures, "again")
	}
}

// TestOthersClosedMeanwhile checks that no other request fails with an internal error.
func TestOthersClosedMeanwhile(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{
		"/fixtures": `{"tables":[` + strings.Replace(things, "things", "others", 1) + `],"items":{"things":[{"id":{"S":"a"}}]}}`,
		"/faults":   `{"effects":[{"effect":"Reset"}]}`, "/clock/advance": `{"by":"1h"}`, "/forks": `{"accessKey":"two"}`, "/reset": `{}`,
		"/lag": `{"items":"1s"}`, "/budgets": `{"limits":[{"quantity":"Requests","atMost":1}]}`, "/partitions/limit": `{"read":1,"write":1}`,
	}
	for _, r := range control.Routes() {
		e, _ := startThings(t)
		e.databases.All()[0].DB.Close()
		body := ""
		if r.In != nil {
			body = bodies[r.Path]
		}
		status, text := e.send(r.Method, strings.NewReplacer("{table}", "things", "{id}", "1").Replace(r.Path), body)
		require.NotEqual(t, http.StatusInternalServerError, status, "%s %s: %s", r.Method, r.Path, text)
	}
}

// TestReadsDuringResets reads tables while resets replace the database.
func TestReadsDuringResets(t *testing.T) {
	t.Parallel()
	e, _ := startThings(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				for _, path := range []string{"/tables", "/tables/things/items", "/tables/things/records"} {
					status, text := e.send(http.MethodGet, path, "")
					require.Less(t, status, http.StatusInternalServerError, "%s: %s", path, text)
				}
			}
		})
	}
	for range 200 {
		e.send(http.MethodPost, "/reset", `{}`)
		e.send(http.MethodPost, "/fixtures", `{"tables":[`+things+`]}`)
	}
	wg.Wait()
}
