// Verifies tokens with golang-jwt, as often as each line of input says; answers with the nanoseconds that took.
//
// usage: golang-jwt FOLDER ALGORITHM
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readKey(path, algorithm string) interface{} {
	var key interface{}
	if strings.HasPrefix(algorithm, "HS") {
		text, err := os.ReadFile(path + ".jwk")
		check(err)
		var members struct{ K string }
		check(json.Unmarshal(text, &members))
		key, err = base64.RawURLEncoding.DecodeString(members.K)
		check(err)
		return key
	}
	pem, err := os.ReadFile(path + ".pem")
	check(err)
	switch algorithm[:2] {
	case "RS", "PS":
		key, err = jwt.ParseRSAPublicKeyFromPEM(pem)
	case "ES":
		key, err = jwt.ParseECPublicKeyFromPEM(pem)
	default:
		key, err = jwt.ParseEdPublicKeyFromPEM(pem)
	}
	check(err)
	return key
}

func main() {
	folder, algorithm := os.Args[1], os.Args[2]
	path := folder + "/" + algorithm
	text, err := os.ReadFile(path + ".jwt")
	check(err)
	token, key := string(text), readKey(path, algorithm)
	parser := jwt.NewParser(jwt.WithValidMethods([]string{algorithm}))
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		count, err := strconv.Atoi(input.Text())
		check(err)
		start := time.Now()
		for i := 0; i < count; i++ {
			parsed, err := parser.Parse(token, func(*jwt.Token) (interface{}, error) { return key, nil })
			check(err)
			claims := parsed.Claims.(jwt.MapClaims)
			if !claims.VerifyIssuer("https://issuer.example.com", true) || !claims.VerifyAudience("client", true) {
				os.Exit(1)
			}
		}
		fmt.Println(time.Since(start).Nanoseconds())
	}
}
