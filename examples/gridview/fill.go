package main

import (
	"context"
	"errors"
	"time"
)

// fill stores two tenants with one project each.
func fill(ctx context.Context, s Store) error {
	return errors.Join(fillBridge(ctx, s), fillNews(ctx, s))
}

func fillBridge(ctx context.Context, s Store) error {
	return errors.Join(
		s.AddTenant(ctx, &Tenant{ID: "0807", Name: "ACME Engineering"}),
		s.AddProject(ctx, &Project{ID: "35e9", TenantID: "0807", Name: "Forth Rail Bridge"}),
		s.AddField(ctx, &Field{ProjectID: "35e9", ID: "3812", Name: "Start", Position: 1, Kind: Date}),
		s.AddField(ctx, &Field{ProjectID: "35e9", ID: "882a", Name: "End", Position: 2, Kind: Date}),
		s.AddField(ctx, &Field{ProjectID: "35e9", ID: "3fe6", Name: "Num Items", Position: 3, Kind: Int}),
		s.AddField(ctx, &Field{ProjectID: "35e9", ID: "47e5", Name: "Sign Off", Position: 4, Kind: Text}),
		s.AddIssue(ctx, &Issue{ID: "020e", ProjectID: "35e9", Number: 1, Name: "Needs Painting", State: "open"}),
		s.SetDate(ctx, &DateValue{IssueID: "020e", FieldID: "3812", Number: 1, Value: in2023(5, 1)}),
		s.SetDate(ctx, &DateValue{IssueID: "020e", FieldID: "882a", Number: 1, Value: in2023(6, 1)}),
		s.AddIssue(ctx, &Issue{ID: "67d1", ProjectID: "35e9", Number: 2, Name: "Check for rust", State: "closed"}),
		s.SetDate(ctx, &DateValue{IssueID: "67d1", FieldID: "3812", Number: 2, Value: in2023(5, 2)}),
		s.SetDate(ctx, &DateValue{IssueID: "67d1", FieldID: "882a", Number: 2, Value: in2023(6, 2)}),
		s.AddIssue(ctx, &Issue{ID: "af34", ProjectID: "35e9", Number: 3, Name: "Girder needs replacing", State: "open"}),
		s.SetInt(ctx, &IntValue{IssueID: "af34", FieldID: "3fe6", Number: 3, Value: 42}),
		s.SetText(ctx, &TextValue{IssueID: "af34", FieldID: "47e5", Number: 3, Value: "Approved"}),
	)
}

func fillNews(ctx context.Context, s Store) error {
	return errors.Join(
		s.AddTenant(ctx, &Tenant{ID: "3cc8", Name: "Big Media"}),
		s.AddProject(ctx, &Project{ID: "7b7e", TenantID: "3cc8", Name: "The Daily News"}),
		s.AddIssue(ctx, &Issue{ID: "3544", ProjectID: "7b7e", Number: 1, Name: "Launch new newspaper!", State: "closed"}),
		s.AddIssue(ctx, &Issue{ID: "83a4", ProjectID: "7b7e", Number: 2, Name: "Hire reporter for showbiz desk", State: "open"}),
	)
}

// in2023 returns a day in 2023, the year of all dates.
func in2023(month time.Month, day int) time.Time {
	return time.Date(2023, month, day, 0, 0, 0, 0, time.UTC)
}
