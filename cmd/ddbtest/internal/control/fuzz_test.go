package control_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

// FuzzRequests checks that no request is a defect, such as a panic.
func FuzzRequests(f *testing.F) {
	routes := control.Routes()
	for i := range routes {
		f.Add(uint8(i), "1", "accessKey=one&since=1", `{}`)
	}
	for i, body := range []string{
		`{"operations":["PutItem"],"key":{"id":{"N":"1e999"}},"rate":-0.5,"for":"9999999h","effects":[{"effect":"Error","code":"","status":-1}]}`,
		`{"limits":[{"quantity":"Requests","atMost":-1e300}]}`, `{"by":"-2562047h"}`, `{"items":"-1s"}`,
		`{"tables":[{"TableName":""},null,{"KeySchema":[{}],"Replicas":[{}]}],"items":{"":[{"a":{"M":{}}}],"x":[null]}}`,
		`{"read":1e308,"write":1e308}`, `{"effects":[{"effect":"Delay","duration":"-1s"},{"effect":"Cancel","action":-1,"reason":"x"}]}`,
	} {
		for j := range routes {
			f.Add(uint8(j), "1", "accessKey=one", body)
		}
		f.Add(uint8(i), "things", "first=1", body)
	}
	f.Fuzz(func(t *testing.T, index uint8, parameter, query, body string) {
		route := routes[int(index)%len(routes)]
		dbs, err := databases.New(databases.Config{})
		require.NoError(t, err)
		db, err := dbs.Open(databases.Key{AccessKey: "one", Region: "us-east-1"})
		require.NoError(t, err)
		r := httptest.NewRequest(route.Method, "http://x/", strings.NewReader(body))
		r.URL.Path = strings.TrimSuffix(control.Prefix, "/") + strings.NewReplacer("{id}", parameter, "{table}", parameter).Replace(route.Path)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		control.New(dbs).ServeHTTP(w, r)
		require.Less(t, w.Code, http.StatusInternalServerError, "%s", w.Body)
		require.NoError(t, db.DB.Err())
		_, err = dbs.Close()
		require.NoError(t, err)
	})
}
