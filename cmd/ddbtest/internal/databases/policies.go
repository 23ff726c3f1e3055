package databases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest"
)

// Restricted is an access key that uses the database of another one, and may do only what a policy
// allows.
type Restricted struct {
	AccessKey string
	Policy    ddbtest.Policy
	of        Key
	signer    string // the access key by which the database knows the policy
}

// PolicyError is the error of an invalid policy.
type PolicyError struct{ err error }

func (e *PolicyError) Error() string { return e.err.Error() }

// Unwrap returns everything that is wrong with the policy.
func (e *PolicyError) Unwrap() error { return e.err }

// Restrict adds an access key to a database, or replaces its policy. It must not be that of another
// open database.
func (d *Databases) Restrict(db *Database, accessKey string, p ddbtest.Policy) error {
	k := Key{accessKey, db.Key.Region}
	if reason := k.Validate(); reason != "" {
		return fmt.Errorf("%w: %s", ErrInvalidKey, reason)
	}
	check := ddbtest.New(ddbtest.Options{}) // the database would keep the error
	defer check.Close()
	check.PolicyCredentials(p)
	if err := check.Err(); err != nil {
		return &PolicyError{err}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	other := d.restricted[k]
	switch {
	case d.closed || d.byKey[db.Key] != db:
		return ErrClosed
	case d.byKey[k] != nil || d.hasFile(k) || other != nil && other.of != db.Key:
		return ErrExists
	}
	r := &Restricted{AccessKey: accessKey, Policy: p, of: db.Key}
	if err := r.addTo(db); err != nil {
		return err
	}
	d.restricted[k] = r
	return nil
}

// addTo gives a database the policy.
func (r *Restricted) addTo(db *Database) error {
	credentials, err := db.DB.PolicyCredentials(r.Policy).Retrieve(context.Background())
	r.signer = credentials.AccessKeyID
	return err
}

// Restricted returns the access keys that use a database with a policy, in order.
func (d *Databases) Restricted(db *Database) (list []Restricted) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.restricted {
		if r.of == db.Key {
			list = append(list, *r)
		}
	}
	slices.SortFunc(list, func(a, b Restricted) int { return cmp.Compare(a.AccessKey, b.AccessKey) })
	return list
}

// forgetPolicies removes the policies of databases that are no longer open. The caller holds the
// lock.
func (d *Databases) forgetPolicies() {
	maps.DeleteFunc(d.restricted, func(_ Key, r *Restricted) bool { return d.byKey[r.of] == nil })
}

// keepPolicies gives the policies of a key to its new database. The caller holds the lock.
func (d *Databases) keepPolicies(db *Database) error {
	d.forgetPolicies()
	var errs []error
	for _, r := range d.restricted {
		if r.of == db.Key {
			errs = append(errs, r.addTo(db))
		}
	}
	return errors.Join(errs...)
}

// OpenFor is [Databases.Open] for a client. If its access key has a policy, the database knows it
// as signer, and otherwise signer is "".
func (d *Databases) OpenFor(k Key) (db *Database, signer string, err error) {
	d.mu.Lock()
	r := d.restrictedKey(k)
	if r != nil {
		db, signer = d.byKey[r.of], r.signer
	}
	d.mu.Unlock()
	if db != nil {
		return db, signer, nil
	}
	db, err = d.Open(k)
	return db, "", err
}

// restrictedKey returns the restricted access key, or nil. The shared database has every Region.
// The caller holds the lock.
func (d *Databases) restrictedKey(k Key) *Restricted {
	if d.config.Shared {
		k.Region = cmp.Or(d.config.Options.Region, DefaultRegion)
	}
	return d.restricted[k]
}
