package main

import (
	"context"
	"iter"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/shard"
)

// Store is what one tenant can do.
type Store struct {
	albums *entity.Repo[Album]
	photos *entity.Repo[Photo]
	views  *shard.Counters
}

// StoreOf returns the store of a tenant. A service calls it for each request, with the tenant of
// the caller's verified token.
func StoreOf(table *entity.Table, tenant string) Store {
	own := table.Tenant(tenant)
	return Store{albums: Albums.In(own), photos: Photos.In(own), views: shard.NewCounters(own, "views", shard.Config{})}
}

// AddAlbum stores a new album.
func (s Store) AddAlbum(ctx context.Context, a *Album) error { return s.albums.Create(ctx, a) }

// Add stores a new photo.
func (s Store) Add(ctx context.Context, p *Photo) error { return s.photos.Create(ctx, p) }

// Photo returns a photo.
func (s Store) Photo(ctx context.Context, p Photo) (Photo, error) { return s.photos.Get(ctx, p) }

// Publish sets the URL of a photo.
func (s Store) Publish(ctx context.Context, p Photo, url string) error {
	_, err := s.photos.Update(ctx, p, URL.Set(url))
	return err
}

// At returns the photos of a place, the oldest first.
func (s Store) At(ctx context.Context, place string) iter.Seq2[Photo, error] {
	return query.On(s.photos, "by-place", Photo{Place: place}).All(ctx)
}

// View counts a view of a photo, and returns the number of views. The key of a view is counted
// once.
func (s Store) View(ctx context.Context, photo, key string) (int64, error) {
	if err := s.views.Add(ctx, photo, 1, shard.Once(key)); err != nil {
		return 0, err
	}
	return s.views.Total(ctx, photo)
}
