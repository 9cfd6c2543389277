import { contractBrand } from "../../lib/brand.ts";
import type { ServiceOptions } from "../../local/options.ts";
import { plainBehaviour } from "../../local/store/store-behaviour.ts";

/** The settings of a plain `npm start` on a data directory and a free port. */
export const serviceOptions = (dataDir: string): ServiceOptions => ({
  port: 0,
  host: "127.0.0.1",
  brand: contractBrand,
  dataDir,
  corsOrigins: [],
  stockSdk: false,
  isFresh: false,
  hasPage: false,
  allowedHosts: [],
  engineEndpoint: undefined,
  behaviour: plainBehaviour,
});

/** A reporter that shows nothing. */
export const silent = { progress: () => {}, log: () => {} } as const;
