package page_test

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"slices"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// screenshot is the file for a screenshot of a page. It is not a golden file, because it depends on
// the fonts of the machine.
var screenshot = flag.String("screenshot", "", "write a screenshot of a database to this `file`")

// photograph takes the screenshot of the documentation.
func (b *browser) photograph(address string) {
	if *screenshot == "" {
		return
	}
	b.t.Helper()
	b.do(chromedp.EmulateViewport(1300, 1040), chromedp.Navigate(address))
	picture, err := png.Decode(bytes.NewReader(value(b, chromedp.CaptureScreenshot())))
	require.NoError(b.t, err)
	var small bytes.Buffer
	require.NoError(b.t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, withPalette(picture)))
	require.NoError(b.t, os.WriteFile(*screenshot, small.Bytes(), 0o644)) //nolint:gosec // for the documentation
	b.do(chromedp.ResetViewport(), chromedp.Reload())
}

// withPalette returns a picture with its 256 most frequent colors, which is half as large.
func withPalette(picture image.Image) image.Image {
	frequency := map[color.Color]int{}
	bounds := picture.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			frequency[picture.At(x, y)]++
		}
	}
	colors := slices.SortedFunc(maps.Keys(frequency), func(a, b color.Color) int { return cmp.Compare(frequency[b], frequency[a]) })
	small := image.NewPaletted(bounds, colors[:min(256, len(colors))])
	draw.Draw(small, bounds, picture, bounds.Min, draw.Src)
	return small
}
