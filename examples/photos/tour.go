package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/schema"
)

// run shows two tenants in one table.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "photos")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, client: client, table: table, u1: StoreOf(table, "u1"), u10: StoreOf(table, "u10")}
	return program.RunSteps(ctx, t.fill, t.read, t.refuse, t.stored, t.policy, t.remove)
}

type tour struct {
	program.Tour
	client  trestle.Client
	table   *entity.Table
	u1, u10 Store
}

var taken = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

func (t tour) fill(ctx context.Context) error {
	t.Printf("two tenants store an album and a photo with the same IDs and the same handle:")
	for _, s := range []Store{t.u1, t.u10} {
		a := &Album{ID: "2024", Handle: "Norway"}
		if err := s.AddAlbum(ctx, a); err != nil {
			return err
		}
		p := &Photo{ID: "a.jpg", TakenAt: taken, Place: "Bergen"}
		if err := s.Add(ctx, p); err != nil {
			return err
		}
		if err := s.Publish(ctx, *p, "https://photos.example/"+p.Tenant+"/a.jpg"); err != nil {
			return err
		}
		t.Printf("  the photo has the tenant %s now", p.Tenant)
	}
	err := t.u1.AddAlbum(ctx, &Album{ID: "2025", Handle: "norway"})
	t.Printf("  u1 uses the handle norway again; it is taken: %t", errors.Is(err, trestle.ErrTaken))
	return nil
}

func (t tour) read(ctx context.Context) error {
	t.Printf("\neach tenant reads its own photos of Bergen, and counts its own views:")
	for _, s := range []Store{t.u1, t.u10} {
		for p, err := range s.At(ctx, "Bergen") {
			if err != nil {
				return err
			}
			views, err := s.View(ctx, p.ID, "session-1")
			if err != nil {
				return err
			}
			t.Printf("  %s, %d view", p.URL, views)
		}
	}
	return nil
}

func (t tour) refuse(ctx context.Context) error {
	t.Printf("\nwhat u1 cannot do:")
	_, err := t.u1.Photo(ctx, Photo{Tenant: "u10", TakenAt: taken, ID: "a.jpg"})
	t.refused("read a photo of u10", err)
	t.refused("store a photo for u10", t.u1.Add(ctx, &Photo{Tenant: "u10", TakenAt: taken, ID: "b.jpg"}))
	var scan error
	for _, scan = range query.ScanTable(t.table.Tenant("u1")).All(ctx) {
	}
	t.refused("scan the table", scan)
	return nil
}

// refused prints the sentinel error of a call, which sends nothing.
func (t tour) refused(what string, err error) {
	switch {
	case errors.Is(err, trestle.ErrTenant):
		t.Printf("  %s: ErrTenant", what)
	case errors.Is(err, trestle.ErrInvalid):
		t.Printf("  %s: ErrInvalid", what)
	default:
		t.Printf("  %s: %v", what, err)
	}
}

func (t tour) stored(ctx context.Context) error {
	t.Printf("\nevery key of theirs starts with the tenant, also those of the library's own items:")
	return t.Table(ctx, t.client, "photos", "PK", "GSI1PK", "_type")
}

func (t tour) policy(context.Context) error {
	p, err := schema.TenantPolicy(Schema, schema.PolicyConfig{TableARN: "arn:aws:dynamodb:eu-north-1:123456789012:table/photos", Tenant: "u1"})
	if err != nil {
		return err
	}
	t.Printf("\nan IAM policy for the programs of u1 (%d bytes):", len(p.Document))
	for line := range strings.Lines(p.Document) {
		if strings.Contains(line, "TENANT") || strings.Contains(line, "LeadingKeys") {
			fmt.Fprint(t.Out, line)
		}
	}
	t.Printf("it does not restrict everything:")
	for _, limit := range p.Limits {
		t.Printf("  - %s", limit)
	}
	return nil
}

func (t tour) remove(ctx context.Context) error {
	t.Printf("\nu1 leaves, and none of its programs runs any more:")
	report, err := maintain.RemoveTenant(ctx, t.table, "u1", maintain.Run{})
	if err != nil {
		return err
	}
	t.Printf("  deleted: %d albums, %d photos, %d items of its counter, %d guard", report.ByType["album"], report.ByType["photo"],
		report.ByType["$U#count"]+report.ByType["$U#mark"], report.Deleted)
	if _, err := maintain.RemoveTenant(ctx, t.table, "u1", maintain.Run{Scan: true, DryRun: true}); err != nil {
		return err
	}
	t.Printf("  a scan finds nothing of u1")
	_, err = t.u10.Photo(ctx, Photo{TakenAt: taken, ID: "a.jpg"})
	t.Printf("  u10 has its photo: %t", err == nil)
	return nil
}
