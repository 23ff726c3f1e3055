package transport_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

func deflated(text string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

// inBothWays runs a test with a server in memory, and over a network with a client that does not
// decompress by itself.
func inBothWays(t *testing.T, reply transport.Reply, f func(*testing.T, target)) {
	t.Helper()
	t.Run("in memory", func(t *testing.T) {
		t.Parallel()
		f(t, inMemory(&fake{reply: reply}))
	})
	t.Run("over a network", func(t *testing.T) {
		t.Parallel()
		to := overNetwork(t, &fake{reply: reply})
		to.client.Transport.(*http.Transport).DisableCompression = true
		f(t, to)
	})
}

// exchanged sends a request with one header field.
func exchanged(t *testing.T, to target, body, header, value string) (reply *http.Response, content []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to.url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.GetItem")
	r.Header.Set(header, value)
	reply, err = to.client.Do(r)
	require.NoError(t, err)
	defer reply.Body.Close()
	content, err = io.ReadAll(reply.Body)
	require.NoError(t, err)
	return reply, content
}

// TestCompressedRequest checks that the server gets the JSON.
func TestCompressedRequest(t *testing.T) {
	t.Parallel()
	const text = `{"TableName":"things"}`
	packed := gzipped(text)
	spaces := strings.Repeat(" ", 16<<20-len(text))
	inBothWays(t, transport.Reply{Status: 200}, func(t *testing.T, to target) {
		for _, c := range []struct {
			name, encoding, body string
			want                 string // "" if the body cannot be decoded
		}{
			{"plain", "", text, text},
			{"identity", "identity", text, text},
			{"gzip", "gzip", packed, text},
			{"letter case", "GZIP", packed, text},
			{"members", "gzip", gzipped(text[:9]) + gzipped("") + gzipped(text[9:]), text},
			{"something behind it", "gzip", packed + "junk", text},
			{"deflate", "deflate", deflated(text), text},
			{"something behind it, deflate", "deflate", deflated(text) + "junk", text},
			{"at the limit", "gzip", gzipped(text + spaces), text + spaces},
			{"at the limit, members", "gzip", gzipped(text) + gzipped(spaces), text + spaces},
			{"at the limit, deflate", "deflate", deflated(text + spaces), text + spaces},
			{"beyond the limit", "gzip", gzipped(text + spaces + " "), ""},
			{"beyond the limit, members", "gzip", gzipped(text+spaces) + gzipped(" "), ""},
			{"beyond the limit, deflate", "deflate", deflated(text + spaces + " "), ""},
			{"no gzip", "gzip", text, ""},
			{"no deflate", "deflate", text, ""},
			{"the other one", "gzip", deflated(text), ""},
			{"empty", "gzip", "", ""},
			{"empty, deflate", "deflate", "", ""},
			{"cut", "gzip", packed[:len(packed)-1], ""},
			{"cut in the text", "gzip", packed[:len(packed)/2], ""},
			{"damaged", "gzip", packed[:len(packed)-8] + "damaged!", ""},
			{"unknown", "br", text, ""},
		} {
			exchanged(t, to, c.body, "Content-Encoding", c.encoding)
			arrived := to.fake.arrived()
			last := arrived[len(arrived)-1]
			require.Equal(t, c.want == "", last.Undecodable, c.name)
			require.Len(t, last.Body, len(c.want), c.name)
			require.Equal(t, strings.TrimSpace(c.want), strings.TrimSpace(string(last.Body)), c.name)
			require.False(t, last.TooLarge, c.name)
		}
	})
}

// TestCompressionBomb checks that decoding stops at the limit: it must not take the memory of the
// whole text.
func TestCompressionBomb(t *testing.T) {
	t.Parallel()
	part := gzipped(strings.Repeat(" ", 32<<20))
	bomb := strings.Repeat(part, 15<<20/len(part)) // 15 GB
	server := &fake{reply: transport.Reply{Status: 200}}
	exchanged(t, inMemory(server), bomb, "Content-Encoding", "gzip")
	require.True(t, server.arrived()[0].Undecodable)
	require.Empty(t, server.arrived()[0].Body)
}

// TestCompressedReply checks bodies around the size from which on they are compressed. The checksum
// is that of the sent body.
func TestCompressedReply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, accept string
		size         int
		want         string
	}{
		{"small", "gzip", 4095, ""},
		{"large", "gzip", 4096, "gzip"},
		{"deflate", "deflate", 4096, "deflate"},
		{"not accepted", "identity", 100_000, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Repeat("x", c.size)
			inBothWays(t, transport.Reply{Status: 200, Body: []byte(text)}, func(t *testing.T, to target) {
				reply, body := exchanged(t, to, "{}", "Accept-Encoding", c.accept)
				require.Equal(t, c.want, reply.Header.Get("Content-Encoding"))
				require.Equal(t, strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10), reply.Header.Get("X-Amz-Crc32"))
				require.Equal(t, strconv.Itoa(len(body)), reply.Header.Get("Content-Length"))
				require.Equal(t, int64(len(body)), reply.ContentLength)
				var err error
				plain := io.Reader(bytes.NewReader(body))
				switch c.want {
				case "gzip":
					plain, err = gzip.NewReader(plain)
				case "deflate":
					plain, err = zlib.NewReader(plain)
				}
				require.NoError(t, err)
				decoded, err := io.ReadAll(plain)
				require.NoError(t, err)
				require.Equal(t, text, string(decoded))
			})
		})
	}
}

// TestAcceptEncoding lists what the service chooses for a header.
func TestAcceptEncoding(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]string{
		"": "", "identity": "", "br": "", "x-gzip": "", `"gzip"`: "", "gzip br": "", "gzip:q=1": "",
		"gzip": "gzip", "deflate": "deflate", "Gzip, identity": "gzip", "a, gzip ,, b": "gzip",
		"gzip, deflate": "gzip", "br, deflate, gzip": "deflate",
		"deflate;q=0.2, gzip;q=0.4": "gzip", "gzip;q=0.2, deflate;q=0.4": "deflate", "gzip;q=0, deflate;q=0.1": "deflate",
		"gzip;q=0": "", "gzip ; q=0": "", "gzip;q= 0": "", "gzip;q=0.001, identity": "gzip",
		"*": "gzip", "*;q=0": "", "*, deflate": "deflate", "*, deflate;q=0.5": "gzip", "*, gzip;q=0.5": "deflate", "gzip;q=0, *": "deflate", "*;q=0.5, identity": "gzip",
		"gzip;q=7, deflate;q=9": "gzip", "deflate;q=0.5, gzip;q=7": "gzip", "deflate;q=0.5, gzip;q=-1": "deflate",
		"deflate;q=0.5, gzip;q=0.": "deflate", "deflate;q=0.5, gzip;q=0.y": "gzip", "deflate;q=0.5, gzip;q=1;q=0": "gzip", "gzip;q=0, gzip;q=1": "gzip",
		"gzip;xq=0;q=1": "", "gzip;q =0;q=1": "gzip",
	} {
		reply, _ := exchanged(t, inMemory(&fake{reply: transport.Reply{Status: 200, Body: make([]byte, 5000)}}), "{}", "Accept-Encoding", accept)
		require.Equal(t, want, reply.Header.Get("Content-Encoding"), accept)
	}
}
