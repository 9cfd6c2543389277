import makeFetchHappen from "make-fetch-happen";
import { afterAll, beforeAll, test } from "vitest";
import { temporaryDirectory } from "../support/operator.ts";
import { type PassPoll, startPassPoll } from "../support/pass-poll.ts";

let poll: PassPoll;
beforeAll(async () => {
  poll = await startPassPoll();
});
afterAll(() => poll.close());

test("make-fetch-happen with a cache polls a pass", async () => {
  await using directory = await temporaryDirectory();
  const { baseUrl, headers, expectCached } = poll;
  const fetch = makeFetchHappen.defaults({ cachePath: directory.path, retry: false });
  await expectCached("for-fetch", async () =>
    (await fetch(`${baseUrl}/passes/for-fetch`, { headers })).text(),
  );
});
