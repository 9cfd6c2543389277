import fc from "fast-check";
import { expect, test } from "vitest";
import {
  headersOf,
  linkedForm,
  linkOf,
  targetOf,
  valuesAt,
} from "../../../../page/src/try-it/form-values.ts";

const parameter = (name: string, place: "path" | "query" | "header", isRepeatable = false) => ({
  name,
  in: place,
  isRepeatable,
});
const parameters = [
  parameter("id", "path"),
  parameter("state", "query", true),
  parameter("cursor", "query"),
  parameter("If-None-Match", "header"),
];
const endpoint = { route: "/things/{id}/all", parameters };

test("an empty field leaves its parameter out", () => {
  expect(targetOf(endpoint, { id: "a" })).toBe("/things/a/all");
  expect(targetOf(endpoint, { id: "a", cursor: "", state: " " })).toBe("/things/a/all");
  expect(headersOf(parameters, { "If-None-Match": "" })).toEqual({});
  expect(headersOf(parameters, { "If-None-Match": '"tag"', id: "a" })).toEqual({ "If-None-Match": '"tag"' });
});

test("a field of several values is sent as one parameter for each", () => {
  expect(targetOf(endpoint, { id: "a", state: "created  pending" })).toBe(
    "/things/a/all?state=created&state=pending",
  );
});

test("what is added goes behind the form's own query, as it was typed", () => {
  expect(targetOf(endpoint, { id: "a", cursor: "c" }, "status=%41")).toBe(
    "/things/a/all?cursor=c&status=%41",
  );
  expect(targetOf(endpoint, { id: "a" }, "x=1")).toBe("/things/a/all?x=1");
});

test("any value reaches the server as it was typed", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), fc.string({ minLength: 1 }), (id, cursor) => {
      const url = new URL(targetOf(endpoint, { id, cursor }), "http://127.0.0.1");
      expect(url.searchParams.get("cursor")).toBe(cursor);
      // A URL swallows a segment of one dot or two.
      fc.pre(!/^\.{1,2}$/.test(id));
      expect(decodeURIComponent(url.pathname)).toBe(`/things/${id}/all`);
    }),
  );
});

test("a form takes over the query of an address, and keeps its path and headers", () => {
  const values = { id: "a", state: "created", cursor: "old", "If-None-Match": "tag" };
  const url = new URL("http://127.0.0.1/things/a/all?cursor=n%2Bw&state=x&state=y");
  const next = valuesAt(url, parameters, values);
  expect(next).toEqual({ id: "a", state: "x y", cursor: "n+w", "If-None-Match": "tag" });
  expect(targetOf(endpoint, next)).toBe("/things/a/all?state=x&state=y&cursor=n%2Bw");
});

test("a link fills a form by names, leaves out what it does not name, and keeps what names nothing as it is", () => {
  const demo = { id: "a", state: "", cursor: "5", "If-None-Match": "" };
  const asked = parameters.map((one) => ({ ...one, isRequired: one.in === "path" }));
  expect(linkedForm("state=x&statsu=%41&state=y&If-None-Match=%22t%22", asked, demo)).toEqual({
    values: { id: "a", state: "x y", cursor: "", "If-None-Match": '"t"' },
    more: "statsu=%41",
  });
  expect(linkedForm("id=b%2Fc&cursor=n%2Bw", asked, demo)).toEqual({
    values: { id: "b/c", state: "", cursor: "n+w", "If-None-Match": "" },
    more: "",
  });
});

test("the link to a form asks for that form, and for nothing where it is the demo's", () => {
  const demo = { id: "a", state: "", cursor: "5", "If-None-Match": "" };
  const asked = parameters.map((one) => ({ ...one, isRequired: one.in === "path" }));
  expect(linkOf({ values: demo, more: "" }, demo)).toBe("");
  const form = fc.record({
    values: fc.record({
      id: fc.string({ minLength: 1 }),
      state: fc.string(),
      cursor: fc.constantFrom("", "5", "n+w"),
      "If-None-Match": fc.string(),
    }),
    more: fc.constantFrom("", "statsu=%41", "x&y=1"),
  });
  fc.assert(
    fc.property(form, (one) => {
      const link = linkOf(one, demo);
      fc.pre(link !== "");
      expect(linkedForm(link, asked, demo)).toEqual(one);
    }),
  );
});
