import { readFile } from "node:fs/promises";
import { FlattenedSign, importJWK, type JWK } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { certificateId, jwsKeyId, subjectId } from "../../../lib/auth/credential.ts";
import { systemClock } from "../../../lib/clock.ts";
import { PassRegister } from "../../../lib/passes/pass-register.ts";
import { putPass } from "../../../lib/passes/put-pass.ts";
import { CredentialRegister } from "../../../local/credentials/credential-register.ts";
import {
  createAuthority,
  issueCertificate,
  type KeyedCertificate,
} from "../../../local/identity/certificates.ts";
import { localAudiences, localIssuer } from "../../../local/identity/local-identity.ts";
import { voidPass } from "../../../local/records/void-pass.ts";
import { exchange, NoAnswer, type SeenResponse, type TlsFiles } from "../../../ops/wallet/http-exchange.ts";
import { plainStore, type StoreKind } from "../../support/engine.ts";
import type { TestService } from "../../support/service.ts";
import { fingerprintId } from "../../support/wallet.ts";

const HOUR_MS = 3_600_000;
const OWNER = "wallet";

interface Presented {
  readonly token?: string;
  readonly jws?: string;
  readonly tls?: TlsFiles;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The tests of the endpoint, against a service that is open on a store of this kind. */
export const describeGetPass = (kind: StoreKind, opened: () => TestService): void => {
  describe(`GET /passes/{partner_reference} on ${kind}`, () => {
    let service: TestService;
    let token: string;
    let key: JWK & { readonly kid: string };
    let trusted: TlsFiles;
    let client: TlsFiles;
    let stranger: TlsFiles;
    let localAuthority: KeyedCertificate;
    const reference = "ref:one-1";

    const readPem = async (cert: string, privateKey: string): Promise<TlsFiles> => ({
      ...trusted,
      cert: await readFile(cert, "utf8"),
      key: await readFile(privateKey, "utf8"),
    });

    /** One request: over TLS when it presents a certificate, else over the plain port. */
    async function get(
      { token: bearer, jws, tls, headers }: Presented,
      path = reference,
    ): Promise<SeenResponse> {
      const { passes } = service.demo;
      const base = tls === undefined ? service.baseUrl : passes.mtls.url;
      const all = {
        [passes.versionHeader]: passes.version,
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(jws !== undefined && { "Jws-Signature": jws }),
        ...headers,
      };
      return exchange(new URL(`${base}/passes/${path}`), all, tls ?? {});
    }
    const statusOf = async (presented: Presented, path?: string): Promise<number> =>
      (await get(presented, path)).status;

    async function sign(header: Record<string, unknown> = {}, path = reference): Promise<string> {
      const iat = Math.floor(systemClock() / 1000);
      const all = { alg: "EdDSA", kid: key.kid, iat, htm: "GET", htp: `/passes/${path}`, ...header };
      const jws = await new FlattenedSign(new Uint8Array())
        .setProtectedHeader(all)
        .sign(await importJWK(key));
      return `${jws.protected}..${jws.signature}`;
    }
    const mint = (subject: string, scope: string, claims = {}): Promise<string> =>
      service.mint(subject, scope, { aud: localAudiences.passes, ...claims });
    const register = () => new CredentialRegister(service.table("Credentials"));
    const passes = () => new PassRegister(service.table("Passes"));

    /** A certificate of the authority that the gateway trusts, registered unless the caller says otherwise. */
    async function issue({
      owner = OWNER,
      scopes = ["passes.read"],
      days = 1,
      revoked = false,
    } = {}): Promise<TlsFiles> {
      const now = systemClock();
      const validity = { notBefore: now - 48 * HOUR_MS, notAfter: now + days * 24 * HOUR_MS };
      const issued = await issueCertificate(localAuthority, {
        subject: "CN=made",
        use: "client",
        ...validity,
      });
      const id = fingerprintId(issued.certificate);
      await register().add({
        id,
        kind: "certificate",
        owner,
        scopes,
        createdAt: now,
        ...(revoked && { revokedAt: now }),
      });
      return { ...trusted, cert: issued.certificate, key: issued.key };
    }

    beforeAll(async () => {
      service = opened();
      const { mtls, jws, token: minted } = service.demo.passes;
      token = minted;
      key = JSON.parse(await readFile(jws.privateKeyFile, "utf8")) as typeof key;
      const ca = await readFile(mtls.ca, "utf8");
      trusted = { ca };
      localAuthority = {
        certificate: ca,
        key: await readFile(mtls.ca.replace(/\.pem$/, "-key.pem"), "utf8"),
      };
      client = await readPem(mtls.cert, mtls.key);
      stranger = await readPem(mtls.otherCert, mtls.otherKey);
      const text = `{"partner_reference":"${reference}","template_id":"t","type":"loyalty_pass","version":1,"semantics":{"points":10.50}}`;
      expect(await putPass(passes(), text)).toEqual({ outcome: "written" });
    });

    describe("200", () => {
      test("answers each credential alone, and a certificate with either of the others", async () => {
        const jws = await sign();
        const presented = [
          { token },
          { jws },
          { tls: client },
          { jws, tls: client },
          { token, tls: client },
          { token, jws, tls: client },
        ];
        for (const one of presented) {
          const { status, body, headers } = await get(one);
          expect([status, body]).toEqual([
            200,
            `{"partner_reference":"${reference}","type":"loyalty_pass","version":1,"semantics":{"points":10.50}}`,
          ]);
          expect(headers).toMatchObject({
            "cache-control": "private, no-cache",
            vary: "Service-Api-Version",
            "content-type": "application/json",
          });
        }
      });

      test("answers a token that is bound to the certificate that it comes with, and no other", async () => {
        const digest = Buffer.from(fingerprintId(client.cert ?? "").split("#")[1] ?? "", "hex").toString(
          "base64url",
        );
        const bound = await mint(OWNER, "passes.read", { cnf: { "x5t#S256": digest } });
        expect(await statusOf({ token: bound, tls: client })).toBe(200);
        expect(await statusOf({ token: bound })).toBe(401);
        expect(await statusOf({ token: bound, tls: await issue() })).toBe(401);
      });
    });

    describe("304", () => {
      test("has no byte of a body on the wire, and the type of the 200, over both ports", async () => {
        for (const tls of [undefined, client]) {
          const presented: Presented = tls === undefined ? { token } : { tls };
          const { headers } = await get(presented);
          const again = await get({
            ...presented,
            headers: { "If-None-Match": String(headers.etag), "Request-Id": "r-1" },
          });
          expect([again.status, again.body, again.headers.etag]).toEqual([304, "", headers.etag]);
          expect(again.headers["request-id"]).toBe("r-1");
          expect(again.headers["content-type"]).toBe(headers["content-type"]);
        }
      });
    });

    describe("404 and 410", () => {
      test("distinguish a pass that never existed from one that is gone", async () => {
        const text = '{"partner_reference":"to-void","type":"event_pass","version":1}';
        await putPass(passes(), text);
        expect(await statusOf({ token }, "to-void")).toBe(200);
        await voidPass(passes(), "to-void", systemClock);
        expect(await statusOf({ token, headers: { "If-None-Match": "*" } }, "to-void")).toBe(410);
        expect(await statusOf({ token, headers: { "If-None-Match": "*" } }, "never-was")).toBe(404);
        expect(await statusOf({ token }, "ref%2Fone")).toBe(404);
        expect(await statusOf({ token }, "a".repeat(2_049))).toBe(404);
      });
    });

    describe("401 by what the store says", () => {
      test("answers a subject, a key and a certificate from the moment they are revoked", async () => {
        const subject = subjectId(localIssuer, "revoked-wallet");
        await register().add({
          id: subject,
          kind: "subject",
          owner: "revoked-wallet",
          scopes: [],
          createdAt: 0,
          revokedAt: 1,
        });
        expect(await statusOf({ token: await mint("revoked-wallet", "passes.read") })).toBe(401);
        expect(await statusOf({ tls: await issue({ revoked: true }) })).toBe(401);
        const { d: _, ...publicJwk } = key;
        await register().add({
          id: jwsKeyId("revoked-key"),
          kind: "jws",
          owner: OWNER,
          scopes: ["passes.read"],
          publicKey: JSON.stringify({ ...publicJwk, alg: "EdDSA" }),
          createdAt: 0,
          revokedAt: 1,
        });
        expect(await statusOf({ jws: await sign({ kid: "revoked-key" }) })).toBe(401);
      });
    });

    // What follows does not depend on the store.
    if (kind !== plainStore) return;

    describe("401", () => {
      test("answers a request without credentials, and an unregistered certificate", async () => {
        expect(await statusOf({})).toBe(401);
        expect(await statusOf({ tls: stranger })).toBe(401);
        expect(await statusOf({ tls: stranger, token })).toBe(401);
      });
    });

    describe("no connection, as the gateway would refuse it", () => {
      const refusal = (tls: TlsFiles): Promise<unknown> => get({ tls }).catch((error: unknown) => error);

      test("for a client without a certificate", async () => {
        expect(await refusal(trusted)).toBeInstanceOf(NoAnswer);
      });

      test("for a certificate that has expired, though it is registered", async () => {
        expect(await refusal(await issue({ days: -1 }))).toBeInstanceOf(NoAnswer);
      });

      test("for a certificate of another authority, though it is registered", async () => {
        const now = systemClock();
        const validity = { notBefore: now - HOUR_MS, notAfter: now + HOUR_MS };
        // The same name, so that only the signature distinguishes the two.
        const other = await createAuthority("CN=countinghouse local authority", validity);
        const issued = await issueCertificate(other, { subject: "CN=made", use: "client", ...validity });
        await register().add({
          id: fingerprintId(issued.certificate),
          kind: "certificate",
          owner: OWNER,
          scopes: ["passes.read"],
          createdAt: now,
        });
        expect(await refusal({ ...trusted, cert: issued.certificate, key: issued.key })).toBeInstanceOf(
          NoAnswer,
        );
      });
    });

    describe("no credential is valid at another endpoint", () => {
      test("those of the other endpoints are refused here", async () => {
        const { business, ramp, exchange: trading } = service.demo;
        const signed = [
          `${trading.headerPrefix}API-Key`,
          `${trading.headerPrefix}Signature`,
          `${trading.headerPrefix}Timestamp`,
        ];
        const values = [trading.apiKey, Buffer.alloc(64).toString("base64"), String(systemClock())];
        expect(
          await statusOf({ headers: Object.fromEntries(signed.map((name, at) => [name, values[at] ?? ""])) }),
        ).toBe(401);
        expect(await statusOf({ token: trading.apiKey })).toBe(401);
        expect(await statusOf({ token: business.token })).toBe(401);
        expect(await statusOf({ token: ramp.apiKey })).toBe(401);
        expect(await statusOf({ headers: { "X-API-KEY": ramp.apiKey } })).toBe(401);
        expect(await statusOf({ jws: await sign({ kid: certificateId(Buffer.from("x")) }) })).toBe(401);
      });

      test("those of this endpoint are refused there, even over mutual TLS", async () => {
        const { business, ramp, passes: section } = service.demo;
        const paths = [
          `/transaction/${business.transactionId}`,
          "/transactions",
          `/sell-orders/${ramp.orderId}`,
          "/1.0/trades/all/BTC-USD",
        ];
        for (const path of paths) {
          const jws = await sign({ htp: path });
          const headers = [
            { Authorization: `Bearer ${token}` },
            { "Jws-Signature": jws },
            { "X-API-KEY": token },
            {},
          ];
          for (const one of headers) {
            expect((await service.get(path, one as Record<string, string>)).status).toBe(401);
            expect(
              (await exchange(new URL(`${section.mtls.url}${path}`), one as Record<string, string>, client))
                .status,
            ).toBe(401);
          }
        }
      });
    });

    test("the log names a request as its answer does", async () => {
      const { headers } = await get({ token });
      const named = `"gateway_request_id":"${headers["apigw-requestid"] as string}"`;
      await expect.poll(() => service.lines.filter((line) => line.includes(named)).length).toBe(1);
    });
  });
};
