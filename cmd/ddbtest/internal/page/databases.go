package page

import (
	"net/http"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

// databaseRow is a database in the list.
type databaseRow struct {
	Key      databases.Key
	URL      string
	Requests int
	Now      time.Time
}

// serveDatabases shows the databases, or leads to the only one.
func (h *Handler) serveDatabases(w http.ResponseWriter, r *http.Request) {
	var rows []databaseRow
	for _, db := range h.databases.All() {
		rows = append(rows, databaseRow{db.Key, databaseURL(db.Key), db.DB.Cost().Total(), db.DB.Now()})
	}
	if len(rows) == 1 {
		write(w, r, redirect(rows[0].URL))
		return
	}
	write(w, r, &reply{template: "databases", title: "Databases", data: rows})
}
