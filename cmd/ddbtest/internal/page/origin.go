package page

import (
	"net/http"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/browser"
)

// isForeign reports whether a script or a form of another site sends the request, or shows the page
// as a part of its own. The origins that CORS allows are foreign too: they may use the control
// endpoint. A link of another site is not foreign, because opening a page changes nothing.
func isForeign(r *http.Request) bool { return browser.IsForeign(r) && !browser.IsLink(r) }
