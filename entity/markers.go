package entity

// Key declares the entity type and the key of the table, in the tags of a blank field:
//
//	_ entity.Key `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
//
// pk and sk are templates. A template has literals and placeholders such as <id>, which name an
// attribute. Numbers and times may need a format, as in <at:s>; package keys lists the formats and
// the Go types that keys accept. A type with a text form, such as netip.Addr or an enumeration, is
// written and sorted as that text. Information that a format drops is not part of the key: with
// sk:"AT#<at:s>", two times in the same second are one item. A template that is a single
// placeholder writes the value as it is.
//
// The tag shared:"yes" declares that another type has the same templates on purpose. The type
// attribute then distinguishes the types, and a write never replaces an item of another type.
// Instead, a put returns [trestle.ErrExists], and an update or delete returns
// [trestle.ErrNotFound].
//
// The tag entity gives other fields a role. Roles are for the entity's own fields, including those
// of embedded structs without a name. A role or a marker inside a nested struct is a definition
// error, at any depth. So is an entity type nested in another entity: use a separate Go type for
// the nested part. Types that marshal themselves are not inspected.
//
//	version  an int64 (or int, uint, uint64) that every write increments; writes check it if the
//	         example or entity has one
//	created  a time.Time, set by writes if it is zero; Put keeps a given time
//	updated  a time.Time, set by every write
//	ttl      a time.Time, or an int64 of seconds since 1970: the TTL attribute, stored in seconds.
//	         A zero is not stored. Reads return expired items until the service deletes them
//	rest     a map[string]types.AttributeValue that preserves attributes without a field in Get
//	         and Put
//	key      the field has no attribute of its own: it is written to keys and read back from them.
//	         If only the key of an index holds it, it is lost when the item leaves the index.
//	         If the formats drop a part of a value, such as a fraction of a second, the library
//	         rejects values that the formats would change
type Key struct{}

// Index declares an access pattern through an index of the table, in the tags of a blank field:
//
//	_ entity.Index `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
//
// name is the name that queries use, on is the index. Omit a template if the index key is an
// attribute that the item has anyway.
//
// An item is on an index if every part of the index key is present. Absent are the empty string,
// nil, a zero time, a zero array, and values that omitempty omits, so an index can be sparse. A 0
// or false is present, also for a number type with a text form, such as an enumeration. For any
// other type with a text form the zero is absent: the nil UUID, a zero netip.Addr.
type Index struct{}
