package server

import (
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/page"
)

const headerTarget = "X-Amz-Target"

// dynamoHandler passes requests of DynamoDB and of DynamoDB Streams to the database of their
// access key and Region.
type dynamoHandler struct{ databases *databases.Databases }

// ServeHTTP implements [http.Handler].
func (h *dynamoHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	authorization := r.Header.Get("Authorization")
	if authorization == "" {
		writeError(w, http.StatusBadRequest, "MissingAuthenticationTokenException", "Request is missing Authentication Token")
		return
	}
	key, ok := databases.ParseScope(authorization)
	if !ok {
		writeError(w, http.StatusBadRequest, "IncompleteSignatureException",
			"Authorization header requires 'Credential' parameter, with the scope access key/date/Region/service/aws4_request.")
		return
	}
	db, signer, err := h.databases.OpenFor(key)
	switch {
	case errors.Is(err, databases.ErrInvalidKey):
		writeError(w, http.StatusBadRequest, "UnrecognizedClientException", "The security token included in the request is invalid: "+key.Validate()+".")
	case errors.Is(err, databases.ErrClosed): // the server is ending
		w.WriteHeader(http.StatusServiceUnavailable)
	case err != nil: // its file
		writeError(w, http.StatusInternalServerError, "InternalServerError", "ddbtest cannot open the database: "+err.Error())
	default:
		if signer != "" { // the database knows the policy by this access key
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", strings.Replace(authorization, "Credential="+key.AccessKey+"/", "Credential="+signer+"/", 1))
		}
		db.DB.ServeHTTP(w, r)
	}
}

// writeError writes an error of a request that reaches no database.
func writeError(w http.ResponseWriter, status int, code, message string) {
	body, err := json.Marshal(map[string]string{"__type": "com.amazon.coral.service#" + code, "message": message})
	if err != nil { // texts can be encoded
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-amz-json-1.0")
	h.Set("X-Amzn-Requestid", "DDBTEST0000000000000000000000000000000000000000UNSIGNED")
	h.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// serveRead replies to requests that read a path of no operation: health checks, as in the service.
// It leads browsers to the pages.
func serveRead(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if path == "/" {
		w.Header().Add("Vary", "Accept")
	}
	switch {
	case path == "/" && strings.Contains(r.Header.Get("Accept"), "text/html"), path+"/" == page.Prefix:
		http.Redirect(w, r, page.Prefix, http.StatusFound)
	case path == "/" || path == "/ping":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, health)
	default:
		writeError(w, http.StatusNotFound, "UnknownOperationException",
			"ddbtest has no such path: requests of DynamoDB are POST requests to /, and the pages and the control endpoint are below "+page.Prefix)
	}
}

const health = "ddbtest is healthy. It is a DynamoDB for tests and development.\n" +
	"Its control endpoint is described in /_ddbtest/v1/openapi.yaml\n"
