package page_test

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// browserPatience is how long a test may use a browser.
const browserPatience = 2 * time.Minute

// browser drives a headless Chromium.
type browser struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // chromedp keeps the browser in it
}

// startBrowser starts Chromium. Without it, the test is skipped.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		if os.Getenv("TRESTLE_REQUIRE_CHROMIUM") == "1" {
			require.Fail(t, "Chromium is not on PATH")
		}
		t.Skip("Chromium is not on PATH: install it, on Debian with `apt-get install chromium`")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Env("TMPDIR="+t.TempDir()), chromedp.DisableGPU, chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-lcd-text", true), chromedp.Flag("disable-component-update", true),
	)
	ctx, giveUp := context.WithTimeout(context.WithoutCancel(t.Context()), browserPatience)
	allocator, endAllocator := chromedp.NewExecAllocator(ctx, options...)
	tab, _ := chromedp.NewContext(allocator) // Cancel ends it
	t.Cleanup(func() {
		_ = chromedp.Cancel(tab)
		endAllocator()
		giveUp()
	})
	return &browser{t, tab}
}

// do carries actions out.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

// follow carries out actions that load a page, and returns its status.
func (b *browser) follow(actions ...chromedp.Action[chromedp.Void]) int {
	b.t.Helper()
	reply, err := chromedp.RunResponse(b.ctx, actions...)
	require.NoError(b.t, err)
	return int(reply.Status)
}

// value returns the value of an action.
func value[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, action)
	require.NoError(b.t, err)
	return v
}

// text returns the text of the first element of a selector.
func (b *browser) text(selector chromedp.CSS) string {
	b.t.Helper()
	return value(b, chromedp.Text(selector))
}

// count returns how many elements a selector has.
func (b *browser) count(selector string) int {
	b.t.Helper()
	return value(b, chromedp.Evaluate[int](`document.querySelectorAll('`+selector+`').length`))
}

// TestBrowser does in a browser what a person would do.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := start(t)
	listening := httptest.NewServer(s.handler)
	t.Cleanup(listening.Close)
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(listening.URL), Region: "us-east-1", Credentials: credentials{}, RetryMaxAttempts: 1, HTTPClient: listening.Client(),
	})
	createOrders(t, client)
	soon := time.Now().Add(2 * time.Hour).Unix()
	for _, o := range []item{
		order("ada", "2026-001", "monday", "12.50", item{"status": str("shipped"), "items": number("2")}),
		order("ada", "2026-002", "tuesday", "99", item{"status": str("cart"), "expires": number(jsonNumber(soon))}),
		order("grace", "2026-003", "tuesday", "7", item{"status": str("open"), "note": str("<script>document.title='run'</script>")}),
	} {
		require.NoError(t, put(t.Context(), client, o))
	}

	_, err := client.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String("orders"), IndexName: aws.String("byDay"), KeyConditionExpression: aws.String("#d = :d"),
		ExpressionAttributeNames: map[string]string{"#d": "day"}, ExpressionAttributeValues: item{":d": str("tuesday")},
	})
	require.NoError(t, err)

	// The root leads to the only database. Its table has three items.
	require.Equal(t, 200, b.follow(chromedp.Navigate(listening.URL)))
	require.Equal(t, listening.URL+base, value(b, chromedp.Location()))
	require.Equal(t, 200, b.follow(chromedp.Click(chromedp.CSS(`tbody a[href$="/tables/orders/"]`))))
	require.Equal(t, 3, b.count("table.items tbody tr"))
	require.NotEqual(t, "run", value(b, chromedp.Title()))

	// A filter by the key.
	require.Equal(t, 200, b.follow(
		chromedp.SendKeys(chromedp.CSS("#filter-key0"), "ada"), chromedp.SetValue(chromedp.CSS("#filter-compare1"), "begins with"),
		chromedp.SendKeys(chromedp.CSS("#filter-key1"), "2026-\r"),
	))
	require.Equal(t, 2, b.count("table.items tbody tr"))
	require.Equal(t, "ada", value(b, chromedp.Value(chromedp.CSS("#filter-key0"))))

	// A rule lets a request fail. Its first try is invalid: its field shows the problem.
	require.Equal(t, 200, b.follow(chromedp.Click(chromedp.CSS(`header nav a[href="`+base+`"]`))))
	visible := func(selector string) bool {
		return value(b, chromedp.Evaluate[bool](`document.querySelector('`+selector+`').checkVisibility()`))
	}
	require.False(t, visible("#rule-effect"))
	b.do(chromedp.Click(chromedp.CSS("#rules ~ details > summary")), chromedp.WaitVisible(chromedp.CSS("#rule-effect")))
	b.do(chromedp.SetValue(chromedp.CSS("#rule-effect"), "Error"))
	require.True(t, visible("#rule-code"))
	require.False(t, visible("#rule-duration"), "no field of another effect")
	require.Equal(t, 422, b.follow(
		chromedp.Click(chromedp.CSS(`input[value=PutItem]`)), chromedp.SendKeys(chromedp.CSS("#rule-first"), "x"),
		chromedp.SendKeys(chromedp.CSS("#rule-code"), "LimitExceededException"), chromedp.SendKeys(chromedp.CSS("#rule-status"), "400"),
		chromedp.Click(chromedp.CSS(".rule > button")),
	))
	require.NotEmpty(t, b.text("#rule-first-problem"))
	require.Equal(t, "x", value(b, chromedp.Value(chromedp.CSS("#rule-first"))))
	require.Equal(t, 200, b.follow(
		chromedp.SetValue(chromedp.CSS("#rule-first"), "1"), chromedp.Click(chromedp.CSS(".rule > button")),
	))
	require.Equal(t, 1, b.count("form[action$=remove]"))
	again := order("ada", "2026-004", "monday", "1", nil)
	require.Error(t, put(t.Context(), client, again))
	require.NoError(t, put(t.Context(), client, again))
	b.do(chromedp.Reload())
	require.Equal(t, 1, b.count("tr.failed"))
	require.Contains(t, b.text("tr.failed"), "LimitExceededException")
	b.photograph(listening.URL + base)
	require.Equal(t, 200, b.follow(chromedp.Click(chromedp.CSS("form[action$=remove] button"))))
	require.Zero(t, b.count("form[action$=remove]"))

	// An item expires when the clock moves.
	require.Equal(t, "4", b.text("#tables ~ .scroll tbody td.number"))
	require.Equal(t, 200, b.follow(chromedp.Click(chromedp.CSS(`button[value="24h"]`))))
	require.Equal(t, "3", b.text("#tables ~ .scroll tbody td.number"))
	require.Equal(t, 200, b.follow(chromedp.Click(chromedp.CSS(`a[href$="/records"]`))))
	require.Contains(t, b.text("tbody th"), "REMOVE")
}

// TestBrowserStyles checks that no page is wider than a phone, that dark colors are used if the
// browser asks for them, and that texts have the contrast that WCAG demands, 4.5:1.
func TestBrowserStyles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := startOrders(t)
	s.put(order("ada", "1", "monday", "1", item{"long": str(longText)}))
	listening := httptest.NewServer(s.handler)
	t.Cleanup(listening.Close)
	b.do(chromedp.EmulateViewport(360, 640))
	backgrounds := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		require.NoError(t, err)
		for _, path := range []string{base, orders, orders + "definition", orders + "records", base + "tables/none/"} {
			b.follow(chromedp.Navigate(listening.URL + path))
			require.LessOrEqual(t, value(b, chromedp.Evaluate[int]("document.documentElement.scrollWidth")), 360, path)
			require.GreaterOrEqual(t, value(b, chromedp.Evaluate[float64](lowestContrast)), 4.5, path)
		}
		backgrounds[value(b, chromedp.Evaluate[string]("getComputedStyle(document.body).backgroundColor"))] = true
	}
	require.Len(t, backgrounds, 2)
}

// lowestContrast is the lowest contrast of the texts that are visible, as a script.
const lowestContrast = `(() => {
	const rgba = c => c.match(/[\d.]+/g).map(Number);
	const light = c => rgba(c).slice(0, 3).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const back = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgba(c)[3] !== 0) return c } return 'rgb(255, 255, 255)' };
	let lowest = 21;
	for (const e of document.querySelectorAll('body *')) {
		if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const [a, b] = [light(getComputedStyle(e).color), light(back(e))].sort((x, y) => y - x);
		lowest = Math.min(lowest, (a + .05) / (b + .05));
	}
	return lowest;
})()`
