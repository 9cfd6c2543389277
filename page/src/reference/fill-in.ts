import { fromBase64, toBase64 } from "../../../client/src/base64.ts";
import { PKCS8_HEAD } from "../../../client/src/ed25519.ts";
import type { Session } from "../../../local/page/page-questions.ts";

const EXAMPLE_ADDRESS = "http://127.0.0.1:3000";
const MEMBER = /([\w.]+) of \.countinghouse\/demo\.json/g;
const KEY = /the base64 lines of exchange\.privateKeyFile of .* without BEGIN and END/;

/** A text for integrators with the address and the credentials of this start where it names them. */
export const filledIn = (text: string, { baseUrl, credentials }: Pick<Session, "baseUrl" | "credentials">) =>
  text
    .replaceAll(EXAMPLE_ADDRESS, baseUrl)
    .replace(KEY, () =>
      toBase64(Uint8Array.from([...PKCS8_HEAD, ...fromBase64(credentials.exchange.privateJwk.d)])),
    )
    .replaceAll(MEMBER, (_, path: string) => memberOf(credentials, path));

const memberOf = (from: object, path: string): string =>
  String(path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], from));
