package ddblocal

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

const (
	// givenPatience is the time to wait for the server that the environment names. It may still be
	// starting.
	givenPatience = 30 * time.Second
	pollInterval  = 25 * time.Millisecond
)

// meet waits for the server that the environment names.
func meet(ctx context.Context, endpoint string) (*Server, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%s is not a URL such as http://127.0.0.1:8000", endpointVariable)
	}
	ctx, cancel := context.WithTimeout(ctx, givenPatience)
	defer cancel()
	if err := awaitHTTP(ctx, endpoint, anyAnswer, nil); err != nil {
		return nil, fmt.Errorf("%s: nothing answers at %s: %w", endpointVariable, u.Host, err)
	}
	return newServer(Given, endpoint, "", func() error { return nil }), nil
}

// anyAnswer accepts every HTTP response: DynamoDB responds to a GET without a signature with an
// error.
func anyAnswer(*http.Response) bool { return true }

// fromDynamoDB accepts only responses with DynamoDB's request ID. It rejects another program's
// server on the port.
func fromDynamoDB(r *http.Response) bool { return r.Header.Get("X-Amzn-Requestid") != "" }

// awaitHTTP polls the endpoint until accept returns true, ctx ends or gone is closed. If gone is
// closed, the error is errGone.
func awaitHTTP(ctx context.Context, endpoint string, accept func(*http.Response) bool, gone <-chan struct{}) error {
	// Connections are not kept, so none is left open when this function returns.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		if answers(ctx, client, endpoint, accept) {
			return nil
		}
		select {
		case <-tick.C:
		case <-gone:
			return errGone
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func answers(ctx context.Context, client *http.Client, endpoint string, accept func(*http.Response) bool) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
	if err != nil {
		return false
	}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer func() { _ = response.Body.Close() }()
	return accept(response)
}
