package databases

import (
	"cmp"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/ddbtest"
)

// DefaultRegion is the Region of the shared database if none is configured.
const DefaultRegion = "us-east-1"

// Config configures databases.
type Config struct {
	Shared   bool              // one database for all access keys and Regions
	Options  ddbtest.Options   // of all databases; Region is only for the shared one
	Fixtures *fixture.Files    // nil if there are none
	Log      func(text string) // gets what a test would log of the fixtures; may be nil
	Replayed *ddbtest.DB       // has the initial content, before the fixtures; nil if there is none
	// Recording is the file for recordings, or "".
	Recording string
	// Folder has the files of the databases, or is "": they are in memory only.
	Folder string
	Sync   bool // each write waits for the disk of the folder
}

// region returns the Region of the shared database.
func (c *Config) region() string { return cmp.Or(c.Options.Region, DefaultRegion) }

func (c *Config) options(region string) ddbtest.Options {
	o := c.Options
	o.Region, o.Record = region, c.Recording != ""
	return o
}

// empty makes a database without content. Every database begins with one of these, as a fork, or
// with the content of a file.
func (d *Databases) empty(region string) *ddbtest.DB {
	return ddbtest.New(d.config.options(region))
}

// initial returns a new database with the initial content. The content is made once for a Region,
// and the databases are forks of it, which takes constant time.
func (d *Databases) initial(region string) (*ddbtest.DB, error) {
	if d.config.Fixtures.Empty() && d.config.Replayed == nil {
		return d.empty(region), nil
	}
	if base := d.bases[region]; base != nil {
		return base.Fork(), nil
	}
	base := d.empty(region)
	if replayed := d.config.Replayed; replayed != nil {
		base.Advance(replayed.Now().Sub(base.Now()))
		base.Restore(replayed.Snapshot())
	}
	notes, err := d.config.Fixtures.Load(base)
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		if d.config.Log != nil {
			d.config.Log(note)
		}
	}
	d.bases[region] = base
	return base.Fork(), nil
}
