import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { amount, id } from "../../../lib/json/members.ts";
import { object, optional } from "../../../lib/json/object-members.ts";
import { documentSchema } from "../../../local/endpoints/json-schema.ts";
import {
  inTomorrow,
  recordScenes,
  type TomorrowScene,
  tomorrowScenes,
} from "../../../local/tomorrow/scenes.ts";
import { Tomorrow } from "../../../local/tomorrow/tomorrow.ts";

const sceneOf = (endpoint: string, name: string): TomorrowScene => {
  const scene = tomorrowScenes(endpoint).find((one) => one.name === name);
  if (scene === undefined) throw new Error(`${endpoint} has no scene ${name}`);
  return scene;
};

describe("scenes of tomorrow", () => {
  it("follow from the shape of the record: each member of a kind adds its own", () => {
    const shape = object({
      id,
      kind: z.enum(["a", "b"]),
      partner: z.string(),
      venue: z.literal("SVCX"),
      parts: z.array(object({ sum: amount, of: optional(id) })),
      note: optional(z.string()),
      done: optional(z.string()),
    });
    const paths = ["id", "kind", "venue", "parts", "parts[].sum", "parts[].of", "note", "done"];
    const texts = {
      ...Object.fromEntries(paths.map((path) => [path, path])),
      partner: { text: "The partner's word.", examples: ["self", "other"] },
    };
    const schema = documentSchema(shape, { title: "Thing", texts, isClosed: false });
    const names = (isList: boolean) =>
      recordScenes(schema, { isList, telling: ["done"] }).map(({ name }) => name);
    expect(names(false)).toEqual([
      "a new member in `Thing`",
      "a new word in `kind`",
      "a new word in `partner`",
      "a new member in `parts[]`",
      "`parts[].sum` has 38 digits",
      "`parts[].of` is gone",
      "`parts[].of` has 128 characters",
      "`note` is gone",
    ]);
    expect(names(true)).toContain("`id` has 128 characters");
  });

  it.each(["get-transaction", "list-transactions", "get-pass", "list-trades", "get-sell-order"])(
    "of %s have names of their own, and leave constants and what is always there",
    (endpoint) => {
      const scenes = tomorrowScenes(endpoint);
      const names = scenes.map(({ name }) => name);
      expect(new Set(names).size).toBe(scenes.length);
      for (const path of [
        "payment",
        "data[].ve",
        "data[].vp",
        "completed_at",
        "metadata.next_cursor",
        "legs",
        "fees",
      ])
        expect(
          names.filter((name) => name.includes(`\`${path}\``) && !name.startsWith("a new member")),
        ).toEqual([]);
    },
  );

  const order =
    '{"id":"x","fiat":{"amount":2860.520,"currency":"EUR"},"fees":{"partner_fee":{"amount":1.0,"currency":"EUR"}},"exchange_rate":-0.10,"status":"FAILED","fees_partner_currency":{"ramp_fee":{"amount":33.80,"currency":"USD"}}}';

  it.each([
    ["a new word in `status`", '"status":"FAILED"', '"status":"ADDED_LATER"'],
    ["`fees.partner_fee` is gone", '"partner_fee":{"amount":1.0,"currency":"EUR"}', ""],
    ["`fees_partner_currency.ramp_fee` is gone", '"ramp_fee":{"amount":33.80,"currency":"USD"}', ""],
    ["`fiat.amount` has 38 digits", "2860.520", "2860.5201234567891234567891234567891234"],
    ["`exchange_rate` has 38 digits", "-0.10", "-0.1012345678912345678912345678912345678"],
    ["a new member in `fiat`", '"fiat":{', '"fiat":{"added_later":{"kind":"unknown","values":[1,null]},'],
    ["`wallet` is gone", "", ""],
  ])("change nothing of a body beside it: %s", (name, today, tomorrow) => {
    expect(inTomorrow(order, sceneOf("get-sell-order", name))).toBe(order.replace(today, tomorrow));
  });

  it("reach each record of a list, and what is left empty goes unless it is always there", () => {
    const list =
      '[{"merchant":{"city":"Bern"},"legs":[{"amount":-1.50},{"amount":2},{"amount":1e2}]},{"legs":[]}]';
    expect(inTomorrow(list, sceneOf("list-transactions", "`merchant.city` is gone"))).toBe(
      '[{"legs":[{"amount":-1.50},{"amount":2},{"amount":1e2}]},{"legs":[]}]',
    );
    expect(inTomorrow('[{"merchant":{}}]', sceneOf("list-transactions", "a new member in `merchant`"))).toBe(
      '[{"merchant":{"added_later":{"kind":"unknown","values":[1,null]}}}]',
    );
    expect(inTomorrow(list, sceneOf("list-transactions", "`legs[].amount` has 38 digits"))).toBe(
      '[{"merchant":{"city":"Bern"},"legs":[{"amount":-1.5012345678912345678912345678912345678},{"amount":2.1234567891234567891234567891234567891},{"amount":1e2}]},{"legs":[]}]',
    );
  });

  it("leave a record as JSON that is asked for by a longer id, whatever characters that has", async () => {
    const record = (requestId: string) => JSON.stringify([{ id: "tx-1", request_id: requestId, legs: [] }]);
    const invoke = async () => ({ statusCode: 200, headers: {}, body: Buffer.from(record("a$'b")) });
    const meet = new Tomorrow(() => 0).around(() => undefined)({ routeKey: "GET /transactions" } as never);
    const event = { headers: {}, queryStringParameters: { request_id: "a$'b-of-tomorrow" } };
    const { body } = (await meet?.(invoke, event as never)) ?? {};
    expect(JSON.parse(String(body))).toMatchObject(JSON.parse(record("a$'b-of-tomorrow")));
  });

  it("make an id exactly as long as the contract lets it be", () => {
    const long = inTomorrow('[{"id":"tx-1"}]', sceneOf("list-transactions", "`id` has 128 characters"));
    expect(long).toMatch(/^\[\{"id":"tx-1-[a-z-]{123}"\}\]$/);
    const near = `[{"id":"${"x".repeat(120)}"}]`;
    expect(inTomorrow(near, sceneOf("list-transactions", "`id` has 128 characters"))).toBe(near);
    const wide = inTomorrow(
      '[{"request_id":"😀"}]',
      sceneOf("list-transactions", "`request_id` has 128 characters"),
    );
    expect(wide).toMatch(/^\[\{"request_id":"😀-of-tomorrow-{115}"\}\]$/u);
  });
});
