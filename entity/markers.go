package entity

// Key marks the field that declares an entity's type and the table's key, as tags of a blank field:
//
//	_ entity.Key `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
//
// pk and sk are templates: literals, and fields by attribute name, <id>, with a format where a number or a time needs one, <at:s>; package
// keys lists the formats and which Go types can stand in a key. A type with a text form, such as netip.Addr or an enumeration, stands there as
// that text and sorts by it. What a format drops is no part of an item's identity: under sk:"AT#<at:s>" two moments of one second
// are one item. A template that is a single placeholder writes the value as it is.
//
// The tag shared:"yes" says that another type has the same templates on purpose; then the type attribute tells them apart, and a write
// never replaces an item of another type ([ErrExists] of a put, [ErrNotFound] of an update or delete).
//
// Other fields get roles by the tag entity. Roles work on the entity's own fields, which include
// those of embedded structs without a name. A role or a marker inside a nested struct is a fault,
// at any depth. So is an entity type as a part of another entity: give the part a type of its own.
// Types that marshal themselves are not looked into.
//
//	version  an int64 (or int, uint, uint64) that every write advances; writes check it where it is
//	         given
//	created  a time.Time, set by the writes that find it zero: a Put that gives one keeps it
//	updated  a time.Time, set by every write
//	ttl      a time.Time, or an int64 of seconds since 1970: the table's time to live, stored in
//	         seconds; a zero is not stored. Expired items are returned until the service has
//	         deleted them
//	rest     a map[string]types.AttributeValue that keeps attributes without a field through Get and Put
//	key      the field has no attribute of its own: it is written in keys only, and read back from
//	         them. Where only an index's key holds it, it is lost when the item leaves the index.
//	         Where its formats drop something, such as a fraction of a second, values that they
//	         would not give back are refused
type Key struct{}

// Index marks a field that declares an access pattern through an index of the table, as tags of a blank field:
//
//	_ entity.Index `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
//
// name is how queries ask for it, on is the index. A template is left out where the index is keyed by an attribute that the item has anyway.
//
// An item is on an index where every part of the index's key is there. Absent are the empty string, nil,
// a zero time, the zero of an array, and what omitempty leaves out: so an index may hold some items
// only. A 0 or false is a value, also of a number type with a text form, such as an enumeration. Of
// any other type with a text form the zero is absent: the nil UUID, a zero netip.Addr.
type Index struct{}
