import { createHash, createHmac } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import type { FetchTerms } from "../../../lib/auth/fetch-text.ts";
import { ObjectStore } from "../../../lib/upkeep/object-store.ts";

const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "not-a-secret", sessionToken: "session" };
const { config } = new DynamoDBClient({ region: "eu-central-1", credentials });

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** The signature as S3's documentation computes it ("Signature Calculations for the Authorization Header"). */
function signatureOf(url: URL, headers: Readonly<Record<string, string>>): string {
  const [, day = "", names = ""] =
    /Credential=AKIDEXAMPLE\/(\d{8})\/eu-central-1\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+),/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const signed = names.split(";").map((name) => `${name}:${headers[name]}\n`);
  const request = ["GET", url.pathname, url.search.slice(1), signed.join(""), names, sha256("")].join("\n");
  const scope = `${day}/eu-central-1/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(request)].join("\n");
  const key = ["eu-central-1", "s3", "aws4_request"].reduce(hmac, hmac("AWS4not-a-secret", day));
  return hmac(key, text).toString("hex");
}

describe("an object of S3 is asked for by a request that is signed as S3 demands", () => {
  test.each([
    "https://bucket.s3.eu-central-1.amazonaws.com/truststore.pem",
    "https://bucket.s3.eu-central-1.amazonaws.com/a/b/truststore.pem?versionId=v.1_x-2",
    "https://bucket.s3.eu-central-1.amazonaws.com/a%21b%28c%29%27%2A.pem",
  ])("%s", async (address) => {
    const asked: [URL, FetchTerms][] = [];
    const url = new URL(address);
    const store = new ObjectStore(config, async (given, terms = {}) => {
      asked.push([given, terms]);
      return "the text";
    });
    expect(await store.read(url)).toBe("the text");
    const [[given, { headers = {}, bytesMax }] = [url, {}]] = asked;
    expect([given.href, bytesMax]).toEqual([address, 1_048_576]);
    expect(headers).toMatchObject({
      host: "bucket.s3.eu-central-1.amazonaws.com",
      "x-amz-security-token": "session",
      "x-amz-content-sha256": sha256(""),
    });
    expect(headers.authorization?.split("Signature=")[1]).toBe(signatureOf(url, headers));
  });
});
