package define_test

import (
	"reflect"
	"slices"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
)

// tagged returns a type with tags of its key and of an access pattern of GSI1.
func tagged(key, index string, more ...reflect.StructField) definition {
	fields := []reflect.StructField{{Name: "_", PkgPath: "define_test", Type: markers.Key, Tag: reflect.StructTag(`type:"vote" ` + key)}}
	if index != "" {
		fields = append(fields, reflect.StructField{Name: "_", PkgPath: "define_test", Type: markers.Index, Tag: reflect.StructTag(`name:"by-time" ` + index)})
	}
	for _, f := range more {
		if f.Name == "_" { // markers come first
			fields = append(fields, f)
		}
	}
	for _, f := range []struct{ name, tag string }{{"Poll", "poll"}, {"Voter", "voter"}, {"At", "at"}} {
		fields = append(fields, reflect.StructField{Name: f.name, Type: reflect.TypeFor[string](), Tag: reflect.StructTag(`dynamodbav:"` + f.tag + `"`)})
	}
	two := core.Attribute{Name: "GSI1PK"}
	return definition{
		config: trestle.Config{Indexes: []trestle.IndexConfig{
			{Name: "GSI1"}, {Name: "GSI2", Partition: []core.Attribute{two}},
			{Name: "Several", Partition: []core.Attribute{{Name: "poll"}, {Name: "voter"}}, Sort: []core.Attribute{{Name: "at"}}},
			{Name: "Local", Kind: trestle.LocalIndex},
		}},
		types: []reflect.Type{reflect.StructOf(append(fields, slices.DeleteFunc(more, func(f reflect.StructField) bool { return f.Name == "_" })...))},
	}
}

// fieldOf returns a field of a type.
func fieldOf(name string, value any, tag reflect.StructTag) reflect.StructField {
	return reflect.StructField{Name: name, Type: reflect.TypeOf(value), Tag: tag}
}

func invalidShards() []invalidCase {
	const plain = `pk:"V#<poll>" sk:"<voter>"`
	shard := fieldOf("Shard", new(int), `dynamodbav:"shard" entity:"shard"`)
	version := fieldOf("Rev", 0, `dynamodbav:"rev" entity:"version"`)
	type Vote struct {
		Poll  string `dynamodbav:"poll"`
		Voter string `dynamodbav:"voter"`
		Part  string `dynamodbav:"part"`
	}
	spec := func(s trestle.Spec) definition {
		s.Type = "vote"
		d := with(Vote{})
		d.specs = specOf(Vote{}, s)
		return d
	}
	type Sample struct {
		At time.Time `dynamodbav:"at"`
	}
	day := with(Sample{})
	day.specs = specOf(Sample{}, trestle.Spec{Type: "sample", Key: trestle.KeySpec{PK: "S#<at:day>#<shard:at>", SK: "AT", Shards: []int{4}}})
	return []invalidCase{
		{"numbers out of range", 2, tagged(`pk:"V#<poll>#<shard:voter>" sk:"<voter>" shards:"0,16"`, `on:"GSI1" pk:"T#<shard>" sk:"<at>" shards:"16,1001"`)},
		{"no numbers", 2, tagged(`pk:"V#<poll>#<shard:voter>" sk:"<voter>" shards:"16 and 32"`, `on:"GSI1" pk:"T#<shard>" sk:"<at>" shards:""`)},
		{"a number twice", 1, tagged(`pk:"V#<poll>#<shard:voter>" sk:"<voter>" shards:"16,32,16"`, "")},
		{"shards without a placeholder", 2, tagged(plain+` shards:"16"`, `on:"Local" sk:"<at>" shards:"16"`)},
		{"a placeholder without a number", 2, tagged(`pk:"V#<poll>#<shard:voter>" sk:"<voter>"`, `on:"GSI1" pk:"T#<shard>" sk:"<at>"`)},
		{"two shards in a key", 1, tagged(`pk:"V#<shard:poll>#<shard:voter>" sk:"<voter>" shards:"16"`, "")},
		{"a shard in a sort key", 2, tagged(`pk:"V#<poll>" sk:"<shard:voter>#<voter>"`, `on:"GSI1" pk:"T#<shard>" sk:"<shard>#<at>" shards:"16"`)},
		{"a shard and its number in a sort key", 1, tagged(`pk:"V#<poll>" sk:"<shard:voter>#<voter>" shards:"16"`, "")},
		{"a shard alone", 2, tagged(`pk:"<shard:voter>" sk:"<voter>" shards:"16"`, `on:"GSI1" pk:"<shard>" sk:"<at>" shards:"16"`)},
		{"a shard in a key of several attributes", 1, tagged(plain, `on:"Several" pk:"<poll>,<shard>" shards:"16"`)},
		{"a shard beside text in a key of several attributes", 1, tagged(plain, `on:"Several" pk:"<poll>,<voter>#<shard>" shards:"16"`)},
		{"a shard in a unique value", 1, tagged(plain, "", reflect.StructField{Name: "_", PkgPath: "define_test", Type: markers.Unique, Tag: `name:"vote" key:"<poll>#<shard:voter>"`})},
		{"shards in the tag of a unique value", 1, tagged(plain, "", reflect.StructField{Name: "_", PkgPath: "define_test", Type: markers.Unique, Tag: `name:"vote" key:"<poll>" shards:"16"`})},
		{"a shard in the key of a counting item", 1, func() definition {
			type Poll struct {
				_     Key    `type:"poll" pk:"P#<id>" sk:"P"`
				ID    string `dynamodbav:"id"`
				Votes int    `dynamodbav:"votes"`
			}
			d := tagged(plain, "", reflect.StructField{Name: "_", PkgPath: "define_test", Type: markers.Counted, Tag: `in:"poll" as:"votes" pk:"P#<poll>#<shard>" sk:"P"`})
			d.types = append(d.types, reflect.TypeFor[Poll]())
			return d
		}()},
		{"a count in an item with a shard", 1, func() definition {
			type Poll struct {
				_     Key    `type:"poll" pk:"P#<id>#<shard:part>" sk:"P#<part>" shards:"4"`
				ID    string `dynamodbav:"id"`
				Part  string `dynamodbav:"part"`
				Votes int    `dynamodbav:"votes"`
			}
			d := tagged(plain, "", reflect.StructField{Name: "_", PkgPath: "define_test", Type: markers.Counted, Tag: `in:"poll" as:"votes" pk:"P#<poll>" sk:"P"`})
			d.types = append(d.types, reflect.TypeFor[Poll]())
			return d
		}()},
		{"a misspelled field", 2, tagged(`pk:"V#<poll>#<shard:votr>" sk:"<voter>" shards:"16"`, `on:"GSI1" pk:"T#<shard:poll,Voter>" sk:"<at>" shards:"16"`)},
		{"a field that is not in the table's key", 2, tagged(`pk:"V#<poll>#<shard:voter,at>" sk:"<voter>" shards:"16"`, `on:"GSI1" pk:"T#<shard:at>" sk:"<at>" shards:"16"`)},
		{"fields without a name, and twice", 2, tagged(`pk:"V#<poll>#<shard:voter,voter>" sk:"<voter>" shards:"16"`, `on:"GSI1" pk:"T#<shard:poll,>" sk:"<at>" shards:"16"`)},
		{"a format instead of fields", 1, tagged(`pk:"V#<poll>#<shard:03>" sk:"<voter>" shards:"16"`, "")},
		{"spaces", 1, tagged(`pk:"V#<poll>#<shard: voter, poll >" sk:"<voter>" shards:" 16, 32 "`, "")},
		{"the version", 1, tagged(`pk:"V#<poll>#<shard:rev>" sk:"<voter>" shards:"16"`, "", version)},
		{"an issue of the table's key", 1, tagged(`pk:"V#<poll>#<shard:voter>" sk:"<votr>" shards:"16"`, `on:"GSI1" pk:"T#<shard>" sk:"<at>" shards:"16"`)},
		{"a random shard without a field", 1, tagged(`pk:"V#<poll>#<shard>" sk:"<voter>" shards:"16"`, "")},
		{"a random shard with a field without the role", 1, tagged(`pk:"V#<poll>#<shard>" sk:"<voter>" shards:"16"`, "", fieldOf("Shard", new(int), `dynamodbav:"shard"`))},
		{"a table's key without fields", 1, tagged(`pk:"V" sk:"V"`, `on:"GSI1" pk:"T#<shard>" sk:"<at>" shards:"16"`)},
		{"the random shard as a field of a shard", 1, tagged(`pk:"V#<poll>#<shard>" sk:"<voter>" shards:"16"`, `on:"GSI1" pk:"T#<shard:shard>" sk:"<at>" shards:"16"`, shard)},
		{"fields with the role shard that cannot have it", 1, tagged(`pk:"V#<poll>#<shard>" sk:"<voter>" shards:"16"`, "", fieldOf("Shard", 0, `dynamodbav:"shard" entity:"shard"`))},
		{"a text with the role shard", 1, tagged(`pk:"V#<poll>#<shard>" sk:"<voter>" shards:"16"`, "", fieldOf("Shard", "", `dynamodbav:"shard" entity:"shard"`))},
		{"a small integer with the role shard", 1, tagged(`pk:"V#<poll>#<shard>" sk:"<voter>" shards:"16"`, "", fieldOf("Shard", new(int8), `dynamodbav:"shard" entity:"shard"`))},
		{"the role shard without a random shard", 1, tagged(`pk:"V#<poll>#<shard:voter>" sk:"<voter>" shards:"16"`, "", shard)},
		{"the role shard without any shard", 1, tagged(plain, "", shard)},
		{"the role shard, and a random shard without a number", 1, tagged(`pk:"V#<poll>#<shard>" sk:"<voter>"`, "", shard)},
		{"two fields with the role shard", 1, tagged(`pk:"V#<poll>#<shard>" sk:"<voter>" shards:"16"`, "", shard, fieldOf("Part", new(int), `dynamodbav:"part" entity:"shard"`))},
		{"two numbers of one attribute", 1, tagged(plain, `on:"GSI1" pk:"T#<shard>" sk:"<at>" shards:"16"`, reflect.StructField{Name: "_", PkgPath: "define_test", Type: markers.Index, Tag: `name:"by-voter" on:"GSI2" pk:"T#<shard>" sk:"<voter>" shards:"8"`})},
		{"one attribute, once without a number", 1, tagged(plain, `on:"GSI1" pk:"T#<shard>" sk:"<at>" shards:"16"`, reflect.StructField{Name: "_", PkgPath: "define_test", Type: markers.Index, Tag: `name:"by-voter" on:"GSI2" pk:"T#<shard>" sk:"<voter>"`})},
		{"one shard for a partition", 2, tagged(`pk:"V#<poll>#<shard:poll>" sk:"<voter>" shards:"16"`, `on:"GSI1" pk:"T#<voter>#<poll>#<shard>" sk:"<at>" shards:"16"`)},
		{"one shard for a text that the table's key has in lower case", 1, tagged(`pk:"V#<poll:lower>" sk:"<voter>"`, `on:"GSI1" pk:"T#<poll>#<shard:poll>" sk:"<at>" shards:"16"`)},
		{"one shard for a day", 1, day},
		{"a Spec's numbers", 3, spec(trestle.Spec{
			Key:     trestle.KeySpec{PK: "V#<poll>#<shard:voter>", SK: "<voter>", Shards: []int{16, -1}},
			Indexes: []trestle.IndexSpec{{Name: "by-voter", On: "GSI1", PK: "T#<shard:vote>", SK: "<poll>", Shards: []int{2000}}},
		})},
		{"a Spec without numbers", 1, spec(trestle.Spec{Key: trestle.KeySpec{PK: "V#<poll>#<shard:voter>", SK: "<voter>", Shards: []int{}}})},
		{"a Spec without a placeholder", 1, spec(trestle.Spec{Key: trestle.KeySpec{PK: "V#<poll>", SK: "<voter>", Shards: []int{4}}})},
		{"a Spec's role", 1, spec(trestle.Spec{Key: trestle.KeySpec{PK: "V#<poll>#<shard>", SK: "<voter>", Shards: []int{4}}, Roles: map[string]string{"part": "shard"}})},
	}
}
