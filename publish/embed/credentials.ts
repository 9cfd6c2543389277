import type { DemoFile } from "../../local/demo/demo-file.ts";
import type { PrivateFileName } from "../../local/store/data-files.ts";
import type { Credentials, PrivateKey } from "./types.ts";

/** The sections of the demo with the texts of its private files in place of their paths, which are their names. */
export function credentialsOf(demo: DemoFile, files: ReadonlyMap<PrivateFileName, string>): Credentials {
  const text = (path: string): string => files.get(path as PrivateFileName) ?? "";
  const jwk = (path: string): PrivateKey => JSON.parse(text(path)) as PrivateKey;
  const { keyFile, ...issuer } = demo.issuer;
  const { privateKeyFile, publicKeyFile, ...exchange } = demo.exchange;
  const { mtls, jws, ...passes } = demo.passes;
  return {
    issuer: { ...issuer, privateKey: jwk(keyFile) },
    business: demo.business,
    ramp: demo.ramp,
    exchange: { ...exchange, privateKey: text(privateKeyFile), publicKey: text(publicKeyFile) },
    passes: {
      ...passes,
      mtls: {
        url: mtls.url,
        ca: text(mtls.ca),
        cert: text(mtls.cert),
        key: text(mtls.key),
        otherCert: text(mtls.otherCert),
        otherKey: text(mtls.otherKey),
      },
      jws: { privateKey: jwk(jws.privateKeyFile), kid: jws.kid },
    },
  };
}
