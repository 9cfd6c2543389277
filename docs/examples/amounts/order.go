// Reads a sell order, waits as the service says, and keeps every digit of its amounts.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

type order struct {
	Crypto struct {
		Amount json.Number `json:"amount"` // the text of the number: give it to a decimal type, or to big.Rat
	} `json:"crypto"`
}

type failure struct {
	Code         string `json:"code"`
	Message      string `json:"message"`
	RetryAfterMs *int64 `json:"retry_after_ms"`
}

func get(url, key string, into any) error {
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			return err
		}
		request.Header.Set("X-API-KEY", key)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		decoder := json.NewDecoder(response.Body)
		if response.StatusCode == http.StatusOK {
			err = decoder.Decode(into)
			response.Body.Close()
			return err
		}
		var failed failure
		err = decoder.Decode(&failed)
		response.Body.Close()
		if err != nil || failed.RetryAfterMs == nil || attempt == 5 {
			return fmt.Errorf("%d %s: %s", response.StatusCode, failed.Code, failed.Message)
		}
		time.Sleep(time.Duration(*failed.RetryAfterMs) * time.Millisecond)
	}
}

func main() {
	var answer order
	if err := get(os.Args[1], os.Getenv("API_KEY"), &answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(answer.Crypto.Amount)
}
