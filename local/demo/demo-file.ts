import { isMembers, parsedJson } from "../../lib/json-value.ts";
import { StartError } from "../process/start-error.ts";
import { dataNames } from "../store/data-files.ts";
import { type PrivatePlace, privatePath, readPrivateFile, writePrivateFile } from "../store/private-file.ts";

/** Who signs the demo's tokens, for tests that sign their own with the key in `keyFile`. */
interface IssuerSection {
  readonly issuer: string;
  /** Path of the private JWK. */
  readonly keyFile: string;
  /** Where the public key stands until this run ends. */
  readonly jwksUrl: string;
}

/** What a caller of the business interface needs. Tokens last 30 days and are new at each start; ids stay. */
export interface BusinessSection {
  readonly id: string;
  readonly audience: string;
  /** May read the transactions of `id`. */
  readonly token: string;
  readonly otherId: string;
  /** May read those of `otherId`, and none of `id`. */
  readonly otherToken: string;
  /** For `id`, without the scope that reading takes. */
  readonly noScopeToken: string;
  /** A completed transfer of `id`. */
  readonly transactionId: string;
  /** The request id of that transfer, which no other transaction has. */
  readonly requestId: string;
  /** A `from` and a `to` that a lookup by request id can use: they enclose it and lie less than 14 days apart. */
  readonly requestWindow: { readonly from: string; readonly to: string };
  /** A completed transaction of `otherId`. */
  readonly otherTransactionId: string;
  /** The account most transactions of `id` are on. */
  readonly accountId: string;
  /** One completed transaction of each type. */
  readonly types: Readonly<Record<string, string>>;
  /** One transaction in each state. */
  readonly states: Readonly<Record<string, string>>;
}

/**
 * What of the partner's an order shows: `withoutPartnerFee` has no `partner_fee` anywhere, `withoutPartnerRate` has `{}`
 * for `fees_partner_currency`, and `bare` is both.
 */
export type OrderShape = "full" | "withoutPartnerFee" | "withoutPartnerRate" | "bare";

/** What a ramp partner needs. Keys and ids stay across starts. */
export interface RampSection {
  readonly partnerId: string;
  readonly apiKey: string;
  readonly otherPartnerId: string;
  /** The key of a partner that must not see the orders below. */
  readonly otherApiKey: string;
  /** A completed order. */
  readonly orderId: string;
  readonly otherOrderId: string;
  /** One order of each status and, for the failed ones, of each reason. */
  readonly orders: Readonly<Record<string, string>>;
  /** One order of each shape that follows from the partner's settings: some members are there in some of them only. */
  readonly orderShapes: Readonly<Record<OrderShape, string>>;
}

/** What the wallet service needs to read passes, with any of its credentials. Tokens are new at each start, the rest stays. */
export interface PassesSection {
  /** Whom every credential below proves, but for the ones that prove nobody. */
  readonly walletId: string;
  readonly audience: string;
  readonly token: string;
  /** For the wallet, without the scope that reading takes. */
  readonly noScopeToken: string;
  /** A contract version that is implemented, and the header that carries it. */
  readonly version: string;
  readonly versionHeader: string;
  /** A pass that can be read. */
  readonly partnerReference: string;
  /** One pass of each type. */
  readonly references: Readonly<Record<string, string>>;
  /** A pass that was voided. */
  readonly voidReference: string;
  /** Paths of PEM files, and what stands before every route for clients with certificates. */
  readonly mtls: {
    readonly url: string;
    /** Whom the server's certificate is judged by. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** Of the same authority, and registered for nobody. */
    readonly otherCert: string;
    readonly otherKey: string;
  };
  /** The key that requests are signed with: path of a private JWK, and its `kid`. */
  readonly jws: { readonly privateKeyFile: string; readonly kid: string };
}

/** What a trading client needs. Keys stay across starts; both API keys are of one key pair. */
export interface ExchangeSection {
  /** Whose limit is charged. */
  readonly owner: string;
  /** What the names of the three headers begin with. */
  readonly headerPrefix: string;
  readonly apiKey: string;
  /** Path of the private key, PEM (PKCS #8). */
  readonly privateKeyFile: string;
  /** Path of the public key, PEM (SPKI). */
  readonly publicKeyFile: string;
  /** The key of the same client without the scope that reading takes. */
  readonly noScopeApiKey: string;
  /** The market with most trades. */
  readonly symbol: string;
  /** All markets: the busy one, one with a few trades, and one with none. */
  readonly symbols: readonly string[];
}

/** `demo.json`: all that a caller needs, one section for each interface. */
export interface DemoFile {
  /** What stands before every route: origin and base path. */
  readonly baseUrl: string;
  readonly issuer: IssuerSection;
  readonly business: BusinessSection;
  readonly ramp: RampSection;
  readonly passes: PassesSection;
  readonly exchange: ExchangeSection;
}

export const demoFilePath = (dataDir: PrivatePlace): string => privatePath(dataDir, dataNames.demo);

/**
 * What an earlier start wrote, as far as it goes: an older version of the project knew fewer sections.
 * Throws when the file exists and is not a JSON object.
 */
export async function readDemoFile(dataDir: PrivatePlace): Promise<Partial<DemoFile>> {
  const content = parsedJson((await readPrivateFile(dataDir, dataNames.demo)) ?? "{}");
  if (!isMembers(content)) {
    throw new StartError(
      `${demoFilePath(dataDir)} is not a JSON object. Delete it to have new demo keys made.`,
    );
  }
  return content;
}

/** Replaces `demo.json`, readable by its owner only. */
export const writeDemoFile = (dataDir: PrivatePlace, demo: DemoFile): Promise<void> =>
  writePrivateFile(dataDir, dataNames.demo, `${JSON.stringify(demo, null, 2)}\n`);
