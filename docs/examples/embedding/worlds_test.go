package worlds

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

type world struct {
	BaseUrl, Control string
	Credentials      struct{ Ramp struct{ OrderId, ApiKey string } }
}

func send(t *testing.T, method, url, body, key string, into any) int {
	request, _ := http.NewRequest(method, url, strings.NewReader(body))
	request.Header.Set("X-API-KEY", key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	json.NewDecoder(answer.Body).Decode(into)
	return answer.StatusCode
}

func TestABusyEndpointIsAskedAgain(t *testing.T) {
	var w world
	var ignored any
	send(t, "POST", os.Getenv("WORLDS"), "", "", &w)
	defer send(t, "DELETE", w.Control, "", "", &ignored)
	send(t, "POST", w.Control+"/fault", `{"endpoint": "get-sell-order", "kind": "503", "times": 1}`, "", &ignored)
	ramp := w.Credentials.Ramp
	for _, want := range []int{503, 200} {
		if got := send(t, "GET", w.BaseUrl+"/sell-orders/"+ramp.OrderId, "", ramp.ApiKey, &ignored); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
}
