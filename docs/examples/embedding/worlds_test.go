package worlds

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestABusyEndpointIsAskedAgain(t *testing.T) {
	opened, err := http.Post(os.Getenv("WORLDS"), "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	var world struct {
		BaseUrl, Control string
		Credentials      struct {
			Ramp struct{ OrderId, ApiKey string }
		}
	}
	json.NewDecoder(opened.Body).Decode(&world)
	end, _ := http.NewRequest("DELETE", world.Control, nil)
	defer http.DefaultClient.Do(end)
	fault := `{"endpoint": "get-sell-order", "kind": "503", "times": 1}`
	http.Post(world.Control+"/fault", "application/json", strings.NewReader(fault))
	order, _ := http.NewRequest("GET", world.BaseUrl+"/sell-orders/"+world.Credentials.Ramp.OrderId, nil)
	order.Header.Set("X-API-KEY", world.Credentials.Ramp.ApiKey)
	for _, want := range []int{503, 200} {
		if answer, err := http.DefaultClient.Do(order); err != nil || answer.StatusCode != want {
			t.Errorf("got %v (%v), want %d", answer, err, want)
		}
	}
}
