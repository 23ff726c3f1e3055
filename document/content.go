package document

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"io"
	"reflect"
	"sync"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
)

var typeOfReference = reflect.TypeFor[Reference]()

// contentName is the attribute of a value that is encoded on its own.
const contentName = "v"

// wrappers has a struct type with one field for each type of large values, and its codec.
var wrappers sync.Map // reflect.Type → *wrapper

type wrapper struct {
	typ    reflect.Type
	codec  *codec.Struct
	issues []codec.Issue
}

func wrapperOf(t reflect.Type) *wrapper {
	if w, ok := wrappers.Load(t); ok {
		return w.(*wrapper) //nolint:forcetypeassert // it has no other values
	}
	w := &wrapper{typ: reflect.StructOf([]reflect.StructField{{Name: "Value", Type: t, Tag: `dynamodbav:"` + contentName + `"`}})}
	w.codec, w.issues = codec.Compile(w.typ)
	wrappers.Store(t, w)
	return w
}

func isZero(value any) bool { return reflect.ValueOf(value).Elem().IsZero() }

// encodeContent returns the bytes of the value that a pointer points to. Equal values have equal
// bytes.
func encodeContent(value any) ([]byte, error) {
	switch v := value.(type) {
	case *string:
		return []byte(*v), nil
	case *[]byte:
		return *v, nil
	}
	of := reflect.ValueOf(value).Elem()
	w := wrapperOf(of.Type())
	s := reflect.New(w.typ).Elem()
	s.Field(0).Set(of)
	item := codec.Item{}
	if err := w.codec.Encode(codec.PtrOf(s), item); err != nil {
		return nil, err
	}
	return appendItem(nil, item), nil
}

// decodeContent sets the value that a pointer points to.
func decodeContent(data []byte, value any) error {
	switch v := value.(type) {
	case *string:
		*v = string(data)
		return nil
	case *[]byte:
		*v = data
		if data == nil { // an empty slice has no chunks
			*v = []byte{}
		}
		return nil
	}
	item, err := parseItem(data)
	if err != nil {
		return err
	}
	of := reflect.ValueOf(value).Elem()
	w := wrapperOf(of.Type())
	s := reflect.New(w.typ).Elem()
	if err := w.codec.Decode(item, codec.PtrOf(s), nil); err != nil {
		return err
	}
	of.Set(s.Field(0))
	return nil
}

// blob is content with the bytes to store.
type blob struct {
	ref    Reference
	packed []byte
}

// chunkSize is the maximum number of bytes in a chunk, and maxContent of a large value or a log. An
// item has at most 409,600 bytes, with its key.
const (
	chunkSize  = 380_000
	maxContent = 1 << 28
	maxChunks  = maxContent/chunkSize + 1
)

// newBlob returns content under a new ID. Its chunks have no partitions yet.
func newBlob(id string, data []byte, compress bool) (*blob, error) {
	if len(data) > maxContent {
		return nil, errTooLarge
	}
	sum := sha256.Sum256(data)
	b := &blob{ref: Reference{ID: id, Size: len(data), Sum: sum[:]}, packed: data}
	if compress {
		if small := deflate(data); len(small) < len(data) {
			b.packed, b.ref.Packed = small, true
		}
	}
	b.ref.Chunks = (len(b.packed) + chunkSize - 1) / chunkSize
	return b, nil
}

func deflate(data []byte) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil { // a buffer never fails
		return data
	}
	return out.Bytes()
}

// unpack returns the content of the chunks of a reference. It reads no more than the size of the
// reference.
func (r *Reference) unpack(packed []byte) ([]byte, error) {
	data := packed
	if r.Size < 0 || r.Size > maxContent {
		return nil, errDamaged
	}
	if r.Packed {
		var err error
		in := flate.NewReader(bytes.NewReader(packed))
		if data, err = io.ReadAll(io.LimitReader(in, int64(r.Size)+1)); err != nil {
			return nil, errDamaged
		}
	}
	if sum := sha256.Sum256(data); len(data) != r.Size || !bytes.Equal(sum[:], r.Sum) {
		return nil, errDamaged
	}
	return data, nil
}

var (
	errTooLarge = &errs.ValidationError{Kind: errs.Limit, Problems: []errs.Problem{{
		Reason: "a large value, or what one save changes, exceeds 256 MB", Hint: "store it elsewhere, or split it", Limit: true,
	}}}
	errDamaged = errs.Unassignable("", "the chunks do not have the checksum of their reference", "only this package may change them; read the document with document.Unverified, and save it")
)
