// Package folder keeps databases in files of a folder, with bbolt.
package folder
