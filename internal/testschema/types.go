package testschema

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/netip"
	"reflect"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// known are the types that every text can name.
var known = map[string]reflect.Type{
	"entity.Key": markers.Key, "entity.Index": markers.Index, "entity.Unique": markers.Unique,
	"any": reflect.TypeFor[any](), "bool": reflect.TypeFor[bool](), "byte": reflect.TypeFor[byte](), "string": reflect.TypeFor[string](),
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](), "int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
	"json.Number": reflect.TypeFor[json.Number](), "netip.Addr": reflect.TypeFor[netip.Addr](), "time.Time": reflect.TypeFor[time.Time](),
	"types.AttributeValue": reflect.TypeFor[types.AttributeValue](), "attributevalue.UnixTime": reflect.TypeFor[attributevalue.UnixTime](),
}

// resolver makes Go types of type expressions.
type resolver struct {
	source Source
	exprs  map[string]ast.Expr // the types of the text
	made   map[string]reflect.Type
}

// types returns the struct types of Go source that have an entity.Key, in order.
func (s Source) types(source string) (defined []reflect.Type, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; "+source, 0)
	if err != nil {
		return nil, err
	}
	r := resolver{source: s, exprs: map[string]ast.Expr{}, made: map[string]reflect.Type{}}
	var names []string
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, spec := range g.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					r.exprs[t.Name.Name] = t.Type
					names = append(names, t.Name.Name)
				}
			}
		}
	}
	for _, name := range names {
		t, err := r.named(name)
		if err != nil {
			return nil, fmt.Errorf("type %s: %w", name, err)
		}
		if t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == markers.Key {
			defined = append(defined, t)
		}
	}
	return defined, nil
}

// named returns the type of a name.
func (r *resolver) named(name string) (reflect.Type, error) {
	for _, types := range []map[string]reflect.Type{r.source.Types, known, r.made} {
		if t, ok := types[name]; ok {
			return t, nil
		}
	}
	e, ok := r.exprs[name]
	if !ok {
		return nil, fmt.Errorf("unknown type %s, or a type that contains itself", name)
	}
	delete(r.exprs, name)
	t, err := r.of(e)
	r.made[name] = t
	return t, err
}

// of returns the type of a type expression.
func (r *resolver) of(e ast.Expr) (t reflect.Type, err error) {
	// reflect panics on types that it cannot make, such as an embedded type with methods.
	defer func() {
		if reason := recover(); reason != nil && err == nil {
			err = fmt.Errorf("%v", reason)
		}
	}()
	switch e := e.(type) {
	case *ast.Ident:
		return r.named(e.Name)
	case *ast.SelectorExpr:
		return r.named(e.X.(*ast.Ident).Name + "." + e.Sel.Name)
	case *ast.StarExpr:
		t, err = r.of(e.X)
		return reflect.PointerTo(t), err
	case *ast.ArrayType:
		if t, err = r.of(e.Elt); err != nil || e.Len == nil {
			return reflect.SliceOf(t), err
		}
		n, err := strconv.Atoi(e.Len.(*ast.BasicLit).Value)
		return reflect.ArrayOf(n, t), err
	case *ast.MapType:
		key, err := r.of(e.Key)
		if err != nil {
			return nil, err
		}
		t, err = r.of(e.Value)
		return reflect.MapOf(key, t), err
	case *ast.FuncType:
		return reflect.TypeFor[func()](), nil
	case *ast.StructType:
		return r.structOf(e)
	}
	return nil, fmt.Errorf("unknown type expression %T", e)
}

func (r *resolver) structOf(e *ast.StructType) (reflect.Type, error) {
	var fields []reflect.StructField
	for _, f := range e.Fields.List {
		t, err := r.of(f.Type)
		if err != nil {
			return nil, err
		}
		field := reflect.StructField{Type: t}
		if f.Tag != nil {
			tag, err := strconv.Unquote(f.Tag.Value)
			if err != nil {
				return nil, err
			}
			field.Tag = reflect.StructTag(tag)
		}
		if len(f.Names) == 0 {
			field.Name, field.Anonymous = embeddedName(f.Type), true
			fields = append(fields, field)
		}
		for _, name := range f.Names {
			if field.Name = name.Name; !name.IsExported() {
				field.PkgPath = "testschema"
			}
			fields = append(fields, field)
		}
	}
	return reflect.StructOf(fields), nil
}

// embeddedName returns the field name of an embedded type.
func embeddedName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return embeddedName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return "" // reflect.StructOf rejects it
}
