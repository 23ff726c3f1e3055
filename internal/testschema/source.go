package testschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/keys"
)

// The types of the blank fields that declare keys, which texts write as entity.Key and
// entity.Index.
type (
	keyMarker     struct{}
	indexMarker   struct{}
	uniqueMarker  struct{}
	countedMarker struct{}
)

var markers = define.Markers{Key: reflect.TypeFor[keyMarker](), Index: reflect.TypeFor[indexMarker](), Unique: reflect.TypeFor[uniqueMarker](), Counted: reflect.TypeFor[countedMarker]()}

// Source makes schemas of text. The zero value is ready for use.
type Source struct {
	Types   map[string]reflect.Type // Go types by the name in the text, such as "netip.Addr"
	Formats map[string]keys.Format
	Clock   func() time.Time
}

// Schema returns the schema of a text. The error lists all faults of the schema, as users see them.
func (s Source) Schema(text string) (*core.Schema, error) {
	config := trestle.Config{Formats: s.Formats, Clock: s.Clock}
	rest := text
	for rest != "" && !strings.HasPrefix(rest, "type ") {
		line, after, _ := strings.Cut(rest, "\n")
		if err := configure(&config, line); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		rest = after
	}
	types, err := s.types(rest)
	if err != nil {
		return nil, err
	}
	schema, faults := define.Schema(config)
	for _, t := range types {
		plan, more := define.Compile(schema, t, markers, nil)
		faults = append(faults, more...)
		if plan != nil {
			schema.Add(plan)
		}
	}
	if err := define.Err(append(faults, define.Validate(schema)...)); err != nil {
		return nil, errors.New(strings.TrimSpace(err.Error()))
	}
	return schema, nil
}

// Plan returns the type with a name.
func Plan(s *core.Schema, name string) (*core.Plan, error) {
	for _, p := range s.Plans {
		if p.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("the schema has no type %q", name)
}

// New returns a pointer to a new value of the type, filled from a JSON object with the names of the
// Go fields. codec.PtrTo takes the result.
func New(p *core.Plan, object string) (any, error) {
	v := reflect.New(p.Type).Interface()
	if object == "" {
		return v, nil
	}
	d := json.NewDecoder(strings.NewReader(object))
	d.DisallowUnknownFields()
	return v, d.Decode(v)
}

// configure reads a line of the configuration.
func configure(c *trestle.Config, line string) error {
	args, err := testdriven.ParseArgs(line)
	if err != nil || strings.TrimSpace(line) == "" {
		return err
	}
	pk, sk := attributes(args.Value("pk")), attributes(args.Value("sk"))
	switch {
	case args.Has("table"):
		if len(pk) > 0 {
			c.Partition = pk[0]
		}
		if len(sk) > 0 {
			c.Sort = sk[0]
		}
		c.NoSort, c.Raw, c.Delimiter = args.Has("nosort"), args.Has("raw"), args.Value("delimiter")
		c.TenantIndex = args.Value("tenants")
		c.TypeAttribute, c.WriteID, c.TTL = args.Value("type"), args.Value("writeid"), args.Value("ttl")
	case args.Has("index"):
		x := trestle.IndexConfig{Partition: pk, Sort: sk, NoSort: args.Has("nosort"), KeysOnly: args.Has("keysonly")}
		if args.Has("local") {
			x.Kind = trestle.LocalIndex
		}
		if include := args.Value("include"); include != "" {
			x.Include = strings.Split(include, ",")
		}
		if words := args.Unread(); len(words) == 1 {
			x.Name = words[0]
			c.Indexes = append(c.Indexes, x)
			return nil
		}
		return errors.New("an index has one name")
	}
	if words := args.Unread(); len(words) > 0 {
		return fmt.Errorf("unknown argument %s", words[0])
	}
	return nil
}

func attributes(list string) (attributes []core.Attribute) {
	if list == "" {
		return nil
	}
	for text := range strings.SplitSeq(list, ",") {
		name, kind, _ := strings.Cut(text, ":")
		attributes = append(attributes, core.Attribute{Name: name, Type: keys.AttrType(kind)})
	}
	return attributes
}
