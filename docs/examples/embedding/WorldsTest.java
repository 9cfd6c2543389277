import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.*;
import java.util.regex.Pattern;
import org.junit.jupiter.api.*;

class WorldsTest {
  static final HttpClient client = HttpClient.newHttpClient();
  String control, baseUrl, key;

  static HttpResponse<String> send(String method, String url, String body, String key) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url)).header("X-API-KEY", key);
    return client.send(request.method(method, HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
  }

  static String member(String name, String json) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  @BeforeEach void open() throws Exception {
    var world = send("POST", System.getenv("WORLDS"), "{\"demo\": false}", "-").body();
    control = member("control", world);
    baseUrl = member("baseUrl", world);
    key = member("apiKey", world.substring(world.indexOf("\"ramp\"")));
  }

  @AfterEach void end() throws Exception {
    send("DELETE", control, "", "-");
  }

  @Test void anOrderIsThereOnceItIsImported() throws Exception {
    var order = """
        {"id": "0b0e3f7e-5a65-4f0a-9c0e-111111111111", "status": "AWAITING_DEPOSIT", "payment": "service",
        "fiat": {"amount": 250.00, "currency": "EUR"}, "crypto": {"amount": 0.1, "currencyId": "ETH"},
        "fees": {"ramp_fee": {"amount": 2.50, "currency": "EUR"}}, "fees_partner_currency": {}, "exchange_rate": 2500.00,
        "created_at": "2026-01-02T03:04:05.006Z", "updated_at": "2026-01-02T03:04:05.006Z"}""".replace("\n", " ");
    var url = baseUrl + "/sell-orders/" + member("id", order.replace(": ", ":"));
    assertEquals(404, send("GET", url, "", key).statusCode());
    send("POST", control + "/import/sell-orders", order, "-");
    assertEquals(200, send("GET", url, "", key).statusCode());
  }
}
