import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class WorldsTest {
  String send(String method, String url, String body, String token) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url)).method(method, BodyPublishers.ofString(body));
    request.header("Authorization", "Bearer " + token);
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
  }

  String member(String name, String json) {
    return json.replaceFirst(".*?\"" + name + "\":\"(.*?)\".*", "$1");
  }

  @Test
  void aTransactionIsListedOnceItIsImported() throws Exception {
    var world = send("POST", System.getenv("WORLDS"), "{\"demo\": false}", "");
    var list = member("baseUrl", world) + "/transactions";
    var token = member("token", world);
    var before = send("GET", list, "", token);
    var record = """
        {"id": "t-1", "type": "atm", "state": "created",\
         "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z",\
         "legs": [{"leg_id": "l-1", "amount": -20.00, "currency": "GBP", "account_id": "a-1",\
         "counterparty": {"account_type": "self"}}]}""";
    send("POST", member("control", world) + "/import/transactions", record, "");
    var after = send("GET", list, "", token);
    send("DELETE", member("control", world), "", "");
    assertEquals("[]", before);
    assertEquals("t-1", member("id", after));
  }
}
