package databases

import (
	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/ddbtest"
)

// DefaultRegion is the Region of the shared database if none is configured.
const DefaultRegion = "us-east-1"

// Config configures databases.
type Config struct {
	Shared   bool            // one database for all access keys and Regions
	Options  ddbtest.Options // of all databases; Region is only for the shared one
	Fixtures []*fixture.Content
	Replayed *ddbtest.DB // has the initial content, before the fixtures; nil if there is none
	// Recording is the file for recordings, or "".
	Recording string
}

func (c *Config) options(region string) ddbtest.Options {
	o := c.Options
	o.Region, o.Record = region, c.Recording != ""
	return o
}

// empty makes a database without content. Every database begins with one of these, or as a fork.
func (d *Databases) empty(region string) *ddbtest.DB {
	return ddbtest.New(d.config.options(region))
}

// initial returns a new database with the initial content. The content is made once for a Region,
// and the databases are forks of it, which takes constant time.
func (d *Databases) initial(region string) (*ddbtest.DB, error) {
	if len(d.config.Fixtures) == 0 && d.config.Replayed == nil {
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
	for _, content := range d.config.Fixtures {
		if err := content.Load(base); err != nil {
			return nil, err
		}
	}
	d.bases[region] = base
	return base.Fork(), nil
}
