// Package fault decides what goes wrong with a request: which rule it meets, and what that rule does to it before, while and after it is
// applied.
//
// A [Spec] says of which requests a rule speaks and what it does to them; [Compile] checks it and makes it a [Rule]; [Rules] asks its rules
// about each request and makes one [Plan] of what they say. [Late] keeps the requests that reach the database after their time.
//
// An effect is one constructor in one of the files outcome.go, loss.go, delay.go and steer.go.
package fault
