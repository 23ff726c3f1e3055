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

// forgetPolicies removes the policies of a database that was removed. The caller holds the lock.
func (d *Databases) forgetPolicies(of Key) {
	maps.DeleteFunc(d.restricted, func(_ Key, r *Restricted) bool { return r.of == of })
}

// addPolicies gives the policies of a key to its new database. The caller holds the lock.
func (d *Databases) addPolicies(db *Database) error {
	var errs []error
	for _, r := range d.restricted {
		if r.of == db.Key {
			errs = append(errs, r.addTo(db))
		}
	}
	return errors.Join(errs...)
}
