package transport

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// The encodings of bodies that the service knows.
const (
	encodingGzip    = "gzip"
	encodingDeflate = "deflate" // the format of zlib
)

const (
	headerAcceptEncoding  = "Accept-Encoding"
	headerContentEncoding = "Content-Encoding"
)

// minCompressed is the size of the bodies of replies from which on the service compresses them.
const minCompressed = 4 << 10

var errTooLong = errors.New("the decoded body exceeds the size limit")

// decoded returns a body without its encoding, at most maxBody bytes.
func decoded(body []byte, encoding string) ([]byte, error) {
	if encoding == "" {
		return body, nil
	}
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return body, nil
	case encodingGzip:
		return gunzip(body)
	case encodingDeflate:
		z, err := zlib.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("deflate: %w", err)
		}
		return appendDecoded(nil, z)
	default:
		return nil, errors.New("unknown content encoding")
	}
}

// gunzip decodes all members of a gzip file. What follows the members is ignored, as the service
// does.
func gunzip(body []byte) (text []byte, err error) {
	in := bytes.NewReader(body)
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	for another := true; another; another = z.Reset(in) == nil {
		z.Multistream(false)
		if text, err = appendDecoded(text, z); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// appendDecoded appends what a decoder returns, up to a length of maxBody.
func appendDecoded(text []byte, decoder io.Reader) ([]byte, error) {
	buffer := bytes.NewBuffer(text)
	_, err := buffer.ReadFrom(io.LimitReader(decoder, int64(maxBody+1-len(text))))
	switch {
	case err != nil:
		return nil, fmt.Errorf("decode the body: %w", err)
	case buffer.Len() > maxBody:
		return nil, errTooLong
	default:
		return buffer.Bytes(), nil
	}
}

// compress compresses the body if it is large and the header of the request accepts an encoding.
func (r *Reply) compress(request http.Header) {
	if len(r.Body) < minCompressed {
		return
	}
	var out bytes.Buffer
	var w io.WriteCloser
	switch r.encoding = chosenEncoding(first(request, headerAcceptEncoding)); r.encoding {
	case encodingGzip:
		w = gzip.NewWriter(&out)
	case encodingDeflate:
		w = zlib.NewWriter(&out)
	default:
		return
	}
	_, _ = w.Write(r.Body) // a buffer returns no error
	_ = w.Close()
	r.Body = out.Bytes()
}

// chosenEncoding returns the encoding that the service chooses for an Accept-Encoding header, or
// "". It is the one with the highest weight, and of several the first. A "*" stands for those that
// the header does not name, gzip before deflate, and is the last choice of several. The service
// ignores "identity".
func chosenEncoding(accept string) (best string) {
	if accept == "" || accept == "identity" {
		return ""
	}
	most, others := 0.0, 0.0
	named := map[string]bool{}
	for entry := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(entry, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		weight := weightIn(parameters)
		switch name {
		case encodingGzip, encodingDeflate:
			named[name] = true
			if weight > most {
				best, most = name, weight
			}
		case "*":
			others = weight
		}
	}
	for _, name := range []string{encodingGzip, encodingDeflate} {
		if !named[name] && others > most {
			return name
		}
	}
	return best
}

// weightIn returns the weight in the parameters of an encoding, such as "q=0.5". It is at most 1,
// and 1 if there is no valid one. The service takes the first "q=", also as the end of a name.
func weightIn(parameters string) float64 {
	_, text, found := strings.Cut(parameters, "q=")
	if !found {
		return 1
	}
	text, _, _ = strings.Cut(text, ";")
	weight, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 1
	}
	return min(weight, 1)
}
