import { describe, expect, test } from "vitest";
import { bytesOf } from "../../../../ops/compare/message.ts";

const AGENT = "User-Agent: countinghouse-compare\r\n";

describe("the bytes of a message", () => {
  test("are its lines as they were given, one byte for each character", () => {
    const message = { target: "/a/../%2F?\u00e9", headers: [["X-a", " b"]] as const, body: "c" };
    expect(bytesOf(message, "h:1").toString("latin1")).toBe(
      `GET /a/../%2F?\u00e9 HTTP/1.1\r\nHost: h:1\r\n${AGENT}X-a:  b\r\nConnection: close\r\n\r\nc`,
    );
    expect(bytesOf({ bytes: "\u00ff\n" }, "h")).toEqual(Buffer.from([255, 10]));
  });

  test.each([
    ["no Host", [], `GET / HTTP/1.1\r\n${AGENT}Connection: close\r\n\r\n`],
    ["two of them", ["a", "b"], `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${AGENT}Connection: close\r\n\r\n`],
  ])("have %s when the message says so", (_, hosts, text) => {
    expect(bytesOf({ target: "/", hosts }, "h").toString()).toBe(text);
  });

  test.each(["h", "a-longer-host.example:8443"])(
    "are filled up to a size that does not depend on the host %s",
    (host) => {
      const text = bytesOf({ target: "/p", fillToBytes: 10_240 }, host).toString();
      const [line = "", ...fields] = text.trimEnd().split("\r\n");
      const values = fields.map((field) => field.slice(field.indexOf(": ") + 2));
      expect(line.length + values.join("").length).toBe(10_240);
    },
  );
});
