// Package services explores ten small services with a bug each, as they are met in the wild, and
// their mended twins. It has only tests.
package services
