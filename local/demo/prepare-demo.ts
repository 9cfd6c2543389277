import { CredentialStore } from "../../lib/auth/credential-store.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { CredentialRegister } from "../credentials/credential-register.ts";
import { type Issuer, issuerKeyFile } from "../identity/issuer.ts";
import type { LocalAuthority } from "../identity/local-authority.ts";
import type { PrivatePlace } from "../store/private-file.ts";
import { businessSection } from "./business-section.ts";
import { type DemoFile, readDemoFile, writeDemoFile } from "./demo-file.ts";
import type { DemoRecords } from "./demo-records.ts";
import { exchangeSection } from "./exchange-section.ts";
import { passesSection } from "./passes-section.ts";
import { rampSection } from "./ramp-section.ts";
import { type SeedParts, seedRecords } from "./seed-records.ts";
import { continueDemoTrades, type DemoTradesParts } from "./trades.ts";

export interface DemoParts extends SeedParts, Pick<DemoTradesParts, "first"> {
  readonly dataDir: PrivatePlace;
  /** What clients put before every route: origin and base path. */
  readonly baseUrl: string;
  /** The same for clients with certificates. */
  readonly mutualTlsUrl: string;
  readonly issuer: Pick<Issuer, "issuer" | "jwksUrl" | "mintToken">;
  readonly authority: LocalAuthority;
  /** Called with one line when stored demo records have another own-account word than this start. */
  readonly warn?: (line: string) => void;
}

/**
 * Fills the store on first start, gives every demo caller its credentials, and writes all that they need to
 * `demo.json` (mode 600). Keys and ids stay from start to start; tokens are issued anew.
 */
export async function prepareDemo(parts: DemoParts): Promise<DemoFile> {
  const { brand } = parts;
  const { records, ownAccount } = await seedRecords(parts);
  await continueDemoTrades(parts);
  if (ownAccount !== brand.ownAccount) {
    parts.warn?.(
      `The demo records say "${ownAccount}", not "${brand.ownAccount}": start with --fresh to rewrite them.`,
    );
  }
  return admitCallers(parts, records);
}

/** Gives every demo caller its credentials in a store that has the records, and writes them to `demo.json`. */
export async function admitCallers(parts: DemoParts, records: DemoRecords): Promise<DemoFile> {
  const { dataDir, client, stage, baseUrl, brand, clock, issuer } = parts;
  const kept = await readDemoFile(dataDir);
  const table = physicalTableName(stage, "Credentials");
  const register = new CredentialRegister({ client, name: table });
  const demo: DemoFile = {
    baseUrl,
    issuer: { issuer: issuer.issuer, keyFile: issuerKeyFile(dataDir), jwksUrl: issuer.jwksUrl },
    business: await businessSection(records, issuer),
    ramp: await rampSection({ records, register, clock, kept: kept.ramp }),
    exchange: await exchangeSection({
      dataDir,
      headerPrefix: brand.headerPrefix,
      register,
      credentials: new CredentialStore({ client, name: table }, clock),
      clock,
      kept: kept.exchange,
    }),
    passes: await passesSection({ ...parts, register, records }),
  };
  await writeDemoFile(dataDir, demo);
  return demo;
}
