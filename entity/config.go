package entity

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/keys"
)

// None disables an attribute of [Config], as in TypeAttribute: entity.None.
const None = trestle.None

// Config configures a table and the entity types on it; its fields are those of [trestle.Config].
// The zero value is a table with the string keys PK and SK, no index, and the type name in the
// attribute _type.
type Config = trestle.Config

// IndexConfig is a secondary index of a [Config]: [trestle.IndexConfig].
type IndexConfig = trestle.IndexConfig

// The kinds of secondary indexes. A global index may have up to four attributes on each side of its
// key; its keys are then the attributes themselves, without templates. A local index has the
// table's partition key and is created with the table.
const (
	GlobalIndex = trestle.GlobalIndex
	LocalIndex  = trestle.LocalIndex
)

// Attribute is the name and type of a key attribute: [trestle.Attribute].
type Attribute = trestle.Attribute

// S returns a key attribute of type string.
func S(name string) Attribute { return Attribute{Name: name, Type: keys.S} }

// N returns a key attribute of type number.
func N(name string) Attribute { return Attribute{Name: name, Type: keys.N} }

// B returns a key attribute of type binary.
func B(name string) Attribute { return Attribute{Name: name, Type: keys.B} }

// Spec declares what struct tags declare, for types that cannot import this package; see
// [DefineSpec] and [trestle.Spec].
type Spec = trestle.Spec

// KeySpec is what the tags of a [Key] field declare: [trestle.KeySpec].
type KeySpec = trestle.KeySpec

// IndexSpec is what the tags of an [Index] field declare: [trestle.IndexSpec].
type IndexSpec = trestle.IndexSpec

// UniqueSpec is what the tags of a [Unique] field declare: [trestle.UniqueSpec].
type UniqueSpec = trestle.UniqueSpec
