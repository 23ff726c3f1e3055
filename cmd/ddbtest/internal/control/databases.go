package control

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

var databaseRoutes = []Route{
	ofServer(read("/databases", listDatabases)),
	ofServer(send(http.MethodPost, "/databases", openDatabase)),
	do(http.MethodDelete, "/databases", removeDatabase, queryCloseForks),
	send(http.MethodPost, "/forks", forkDatabase),
	send(http.MethodPost, "/reset", resetDatabase),
}

// DatabaseList has the open databases.
type DatabaseList struct {
	Databases []Database `json:"databases"`
}

// Database describes a database.
type Database struct {
	AccessKey string    `json:"accessKey"`
	Region    string    `json:"region"`
	Now       time.Time `json:"now"`
	Requests  int       `json:"requests"`  // their number so far
	Seed      string    `json:"seed"`      // a number of 64 bits, which some languages cannot read as one
	Recording bool      `json:"recording"` // its requests are recorded
	Defects   []string  `json:"defects"`   // of ddbtest, and errors of its file; empty unless there is one
}

func describe(db *databases.Database) Database {
	defects := []string{}
	for _, p := range problemsOf(db.DB.Err()) {
		first, _, _ := strings.Cut(p.Message, "\n") // the stack follows
		defects = append(defects, first)
	}
	return Database{
		AccessKey: db.Key.AccessKey, Region: db.Key.Region, Now: db.DB.Now(), Requests: db.DB.Cost().Total(),
		Seed: strconv.FormatUint(db.DB.Seed(), 10), Recording: db.RecordingFile != "", Defects: defects,
	}
}

func listDatabases(c *call) (DatabaseList, error) {
	list := DatabaseList{Databases: []Database{}}
	for _, db := range c.databases.All() {
		list.Databases = append(list.Databases, describe(db))
	}
	return list, nil
}

// DatabaseKey names a database.
type DatabaseKey struct {
	AccessKey string `json:"accessKey"`
	Region    string `json:"region"`
}

func (k *DatabaseKey) validate(*call) []strict.Problem {
	if reason := databases.Key(*k).Validate(); reason != "" {
		return []strict.Problem{{Message: "the access key or the Region is invalid", Cure: reason}}
	}
	return nil
}

func openDatabase(c *call, k *DatabaseKey) (Database, error) {
	db, err := c.databases.Open(databases.Key(*k))
	if err != nil {
		return Database{}, err
	}
	return describe(db), nil
}

// queryCloseForks is a query parameter, and the member of [Reset].
const queryCloseForks = "closeForks"

func removeDatabase(c *call) error {
	text := c.request.URL.Query().Get(queryCloseForks)
	closeForks, err := strconv.ParseBool(text)
	if text != "" && err != nil {
		return fail(http.StatusBadRequest, queryCloseForks, "is not true or false", "")
	}
	return withCure(c.databases.Remove(c.db, closeForks), "?"+queryCloseForks+"=true closes them too")
}

// withCure returns the error of a database that has forks as a reply with the cure.
func withCure(err error, closeForks string) error {
	var forks *databases.ForksError
	if !errors.As(err, &forks) {
		return err
	}
	e := fail(http.StatusConflict, "", "the database has forks, which would close with it", "remove them first; "+closeForks)
	e.Databases = forks.Forks
	return e
}

// Fork names the database that gets the content of another one.
type Fork struct {
	AccessKey string `json:"accessKey"`
}

func (f *Fork) validate(c *call) []strict.Problem {
	return (&DatabaseKey{AccessKey: f.AccessKey, Region: c.db.Key.Region}).validate(c)
}

func forkDatabase(c *call, f *Fork) (Database, error) {
	fork, err := c.databases.Fork(c.db, f.AccessKey)
	if err != nil {
		return Database{}, err
	}
	return describe(fork), nil
}

// Reset says with what a database begins again.
type Reset struct {
	// Initial is true for the content of -load and -replay, and false for no content.
	Initial bool `json:"initial,omitempty"`
	// CloseForks closes the forks of the database too. Otherwise forks are an error.
	CloseForks bool `json:"closeForks,omitempty"`
}

func resetDatabase(c *call, r *Reset) (Database, error) {
	db, err := c.databases.Reset(c.db, r.Initial, r.CloseForks)
	if err != nil {
		return Database{}, withCure(err, `{"`+queryCloseForks+`":true} closes them too`)
	}
	return describe(db), nil
}
