package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// lossy is a connection that breaks once, after the server has applied the request and before its
// response arrives.
type lossy struct {
	dynamodb.HTTPClient

	sent int
}

// use is an SDK option that sends the requests of a call through the connection.
func (l *lossy) use(o *dynamodb.Options) {
	l.HTTPClient = o.HTTPClient
	o.HTTPClient = l
}

func (l *lossy) Do(request *http.Request) (*http.Response, error) {
	reply, err := l.HTTPClient.Do(request)
	if l.sent++; l.sent > 1 || err != nil {
		return reply, err
	}
	return nil, errors.Join(errors.New("connection reset by peer"), reply.Body.Close())
}

// lostReply sends the same payment through two lossy connections: with the SDK alone and with
// Trestle.
func (t tour) lostReply(ctx context.Context) error {
	t.Printf("\n3. A write whose reply is lost")
	t.Printf("   An account has 100 credits and pays 30. DynamoDB subtracts them, then the connection breaks.")
	t.Printf("                requests  error               OutcomeOf  credits left")
	for _, c := range []struct {
		who string
		pay func(l *lossy, from Account) error
	}{
		{"SDK alone", func(l *lossy, from Account) error {
			in, err := t.accounts.Op().Update(from, attr.Add(Credits, -30)).Input()
			if err != nil {
				return err
			}
			_, err = t.client.UpdateItem(ctx, in.Update, l.use)
			return err
		}},
		{"Trestle", func(l *lossy, from Account) error {
			_, err := t.accounts.With(entity.ClientOptions(l.use)).Update(ctx, from, attr.Add(Credits, -30))
			return err
		}},
	} {
		key, connection := Account{Tenant: "acme", User: c.who}, &lossy{}
		if err := t.accounts.Create(ctx, &Account{Tenant: "acme", User: c.who, Credits: 100}); err != nil {
			return err
		}
		payErr := c.pay(connection, key)
		left, err := t.accounts.Strong().Get(ctx, key)
		if err != nil {
			return err
		}
		t.Printf("     %-9s  %-8d  %-18s  %-9s  %d", c.who, connection.sent, nameOf(payErr), trestle.OutcomeOf(payErr), left.Credits)
	}
	t.Printf("   The SDK paid twice and reported success. Trestle paid once and reported that the outcome is unknown.")
	return nil
}
