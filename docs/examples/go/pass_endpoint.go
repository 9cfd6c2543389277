// Answers for wallet passes as a partner does: credentials and scope first, then the version, the pass and its tag. Copy
// it into a project of your own: it needs Go 1.21 or later and no module.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	scope         = "passes.read"
	versionHeader = "Service-Api-Version"
	version       = "2026-07-01"
)

var (
	bearer    = regexp.MustCompile(`^(?i:bearer) +(\S+)$`)
	reference = regexp.MustCompile(`^[A-Za-z0-9_~:@-][A-Za-z0-9_.~:@-]{0,127}$`)
	requestID = regexp.MustCompile(`^[\x21-\x7e]{1,128}$`)
	entityTag = regexp.MustCompile(`"[^"]*"`)
)

type endpoint struct {
	directory string

	// The scopes of each token, by the token's SHA-256: who reads the file cannot use it.
	tokens map[string][]string
}

func refuse(w http.ResponseWriter, status int, code string) {
	body, _ := json.Marshal(map[string]string{"code": code})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}

// scopes returns those of the caller, and false for a stranger. Here is the place for the tokens of your own issuer.
func (e endpoint) scopes(r *http.Request) ([]string, bool) {
	found := bearer.FindStringSubmatch(r.Header.Get("Authorization"))
	if found == nil {
		return nil, false
	}
	digest := sha256.Sum256([]byte(found[1]))
	scopes, known := e.tokens[hex.EncodeToString(digest[:])]
	return scopes, known
}

// pass returns a pass as it is served: null for one that is gone, nil for one that never was. Here is the place for
// your store.
func (e endpoint) pass(path string) ([]byte, error) {
	name, isPass := strings.CutPrefix(path, "/passes/")
	if !isPass || !reference.MatchString(name) {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(e.directory, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	// Any other failure must not look like a missing pass.
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil, fmt.Errorf("the file of %s is empty: is it being written?", name)
	}
	return text, nil
}

// isNamed says whether If-None-Match names a tag, or any: a list of tags, weak or strong (RFC 9110 13.1.2).
func isNamed(r *http.Request, tag string) bool {
	named := strings.Join(r.Header.Values("If-None-Match"), ", ")
	return strings.TrimSpace(named) == "*" || slices.Contains(entityTag.FindAllString(named, -1), tag)
}

// ServeHTTP answers in this order: a stranger learns nothing, and a tag counts only where the answer would be the pass.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if id := r.Header.Get("Request-Id"); requestID.MatchString(id) {
		w.Header().Set("Request-Id", id)
	}
	scopes, known := e.scopes(r)
	switch {
	case !known:
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "invalid_credentials")
	case !slices.Contains(scopes, scope):
		refuse(w, http.StatusForbidden, "insufficient_scope")
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, http.StatusMethodNotAllowed, "method_not_allowed")
	case r.Header.Get(versionHeader) != version:
		refuse(w, http.StatusBadRequest, "unsupported_version")
	default:
		e.servePass(w, r)
	}
}

func (e endpoint) servePass(w http.ResponseWriter, r *http.Request) {
	pass, err := e.pass(r.URL.Path)
	switch {
	case err != nil:
		log.Print(err)
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "temporarily_unavailable")
		return
	case pass == nil:
		refuse(w, http.StatusNotFound, "not_found")
		return
	case string(pass) == "null":
		refuse(w, http.StatusGone, "gone")
		return
	}
	digest := sha256.Sum256(append([]byte(version+"\n"), pass...))
	tag := `"` + base64.RawURLEncoding.EncodeToString(digest[:]) + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("Vary", "Authorization, "+versionHeader)
	if isNamed(r, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(pass)))
	w.Write(pass)
}

func readTokens(file string) (map[string][]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	tokens := map[string][]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if fields := strings.Fields(line); len(fields) > 0 {
			tokens[strings.ToLower(fields[0])] = fields[1:]
		}
	}
	return tokens, nil
}

func main() {
	log.SetFlags(0)
	tokensFile := flag.String("tokens", "", "one token a line: its SHA-256 in hex, a space, and its scopes")
	port := flag.Int("port", 8080, "0 for any free port")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: go run pass_endpoint.go [options] <directory>")
		fmt.Fprintln(flag.CommandLine.Output(), "\n<reference>.json is the pass, to the letter, or null for one that is gone for good.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || *tokensFile == "" {
		flag.Usage()
		os.Exit(2)
	}
	tokens, err := readTokens(*tokensFile)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, endpoint{flag.Arg(0), tokens}))
}
