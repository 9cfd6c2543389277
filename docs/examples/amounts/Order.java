// Reads a sell order, waits as the service says, and keeps every digit of its amounts. It needs Java 17 or later and Jackson.
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import java.net.http.*;

public class Order {
    static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .nodeFactory(JsonNodeFactory.withExactBigDecimals(true))
            .build();

    static JsonNode get(String url, String key) throws Exception {
        var client = HttpClient.newHttpClient();
        var request = HttpRequest.newBuilder(URI.create(url)).header("X-API-KEY", key).build();
        for (int attempt = 1; ; attempt++) {
            var response = client.send(request, HttpResponse.BodyHandlers.ofString());
            JsonNode body = JSON.readTree(response.body());
            if (response.statusCode() == 200) return body;
            if (!body.has("retry_after_ms") || attempt == 5)
                throw new Exception(response.statusCode() + " " + body.path("code").asText() + ": " + body.path("message").asText());
            Thread.sleep(body.get("retry_after_ms").asLong());
        }
    }

    public static void main(String[] args) throws Exception {
        JsonNode order = get(args[0], System.getenv("API_KEY"));
        System.out.println(order.at("/crypto/amount").decimalValue().toPlainString());
    }
}
