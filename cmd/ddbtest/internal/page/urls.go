package page

import (
	"net/url"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

// databasesPath is the path of the pages of databases. An access key may be "v1", which would be
// the path of the control endpoint below Prefix.
const databasesPath = Prefix + "databases/"

// databaseURL returns the address of a database. Its key needs no escaping.
func databaseURL(k databases.Key) string { return databasesPath + k.String() + "/" }

// url returns the address of the database.
func (v *visit) url() string { return databaseURL(v.db.Key) }

// tableURL returns the address of a table, or of a page below it.
func (v *visit) tableURL(table, below string, query url.Values) string {
	address := v.url() + "tables/" + url.PathEscape(table) + "/" + below
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// crumbs returns the links to the pages above the pages of the database.
func (v *visit) crumbs() []link {
	crumbs := []link{{Text: "Databases", URL: Prefix}, {Text: v.db.Key.String(), URL: v.url()}}
	if !v.several { // the list redirects to the database
		return crumbs[1:]
	}
	return crumbs
}

// backToDatabase leads to the database.
func backToDatabase(v *visit) (*reply, error) { return redirect(v.url()), nil }
