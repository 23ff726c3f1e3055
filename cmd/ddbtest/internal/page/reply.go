package page

import (
	"bytes"
	"errors"
	"html/template"
	"net/http"

	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

// reply is a page to show, or a redirect.
type reply struct {
	location string // of a redirect

	template string
	title    string
	status   int    // 0 stands for 200
	crumbs   []link // to the pages above this one
	data     any
}

// link is a link.
type link struct {
	Text, URL string
	Current   bool // it leads to the page that has it
}

// redirect returns a redirect after a form.
func redirect(location string) *reply { return &reply{location: location} }

// failure returns the page of an error.
func failure(status int, text string) *reply {
	return &reply{template: "error", title: http.StatusText(status), status: status, data: text}
}

// statusError is an error with the status and the text of its page.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

// errNoTable is the error for the name of a table or index that does not exist.
var errNoTable = &statusError{http.StatusNotFound, "There is no such table or index."}

// failureOf returns the page of an error.
func failureOf(err error) *reply {
	var known *statusError
	var rejected smithy.APIError
	switch {
	case errors.As(err, &known):
		return failure(known.status, known.text)
	case errors.As(err, &rejected):
		return failure(http.StatusBadRequest, rejected.ErrorMessage())
	case databases.IsClosed(err): // a fork is closed with its origin
		return failure(http.StatusConflict, "The database was closed or replaced meanwhile. Reload the page.")
	default:
		return failure(http.StatusInternalServerError, err.Error())
	}
}

var templates = template.Must(template.New("").Funcs(functions).ParseFS(files, "templates/*.html"))

// layout is what a template gets.
type layout struct {
	Title  string
	Crumbs []link
	Data   any
}

// write writes a reply. A template is complete before its first byte is sent, so that an error does
// not cut a page.
func write(w http.ResponseWriter, r *http.Request, page *reply) {
	if page.location != "" {
		http.Redirect(w, r, page.location, http.StatusSeeOther)
		return
	}
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, page.template+".html", layout{page.title, page.crumbs, page.data}); err != nil {
		http.Error(w, "a defect of ddbtest: the page cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if page.status != 0 {
		w.WriteHeader(page.status)
	}
	_, _ = w.Write(b.Bytes()) // the browser has gone
}

// serveStyle serves the style sheet.
func serveStyle(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, files, "static/style.css")
}
