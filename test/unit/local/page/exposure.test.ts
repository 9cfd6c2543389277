import { expect, test } from "vitest";
import { exposureWarnings } from "../../../../local/gateway/port.ts";

test.each(["127.0.0.1", "127.8.0.9", "::1", "localhost"])("a page on %s is this machine's alone", (host) => {
  expect(exposureWarnings({ host, hasPage: true })).toEqual([]);
});

test.each(["0.0.0.0", "::", "192.168.1.20", "build-box", "127.example.com"])(
  "a page on %s is announced, unless it is left out",
  (host) => {
    expect(exposureWarnings({ host, hasPage: true })).toEqual([
      expect.stringMatching(`^Everybody who reaches ${host} can open the page.* --no-page leaves it out\\.$`),
    ]);
    expect(exposureWarnings({ host, hasPage: false })).toEqual([]);
  },
);
