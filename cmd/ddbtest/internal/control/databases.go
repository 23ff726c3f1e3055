package control

import (
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
	do(http.MethodDelete, "/databases", removeDatabase),
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
	Defects   []string  `json:"defects"`   // of the engine; empty unless there is a bug in ddbtest
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

func removeDatabase(c *call) error { return c.databases.Remove(c.db) }

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
}

func resetDatabase(c *call, r *Reset) (Database, error) {
	db, err := c.databases.Reset(c.db, r.Initial)
	if err != nil {
		return Database{}, err
	}
	return describe(db), nil
}
