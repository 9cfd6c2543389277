import { endpoints } from "../../../infra/endpoints.ts";
import { type Probe, plain } from "../probe.ts";

/** A path of each endpoint. Without credentials no record is looked for, so that any name will do. */
const paths = endpoints.map(({ contract: { name, route } }) => ({
  name,
  path: route.replaceAll(/\{[^}]+\}/g, "compare"),
}));

/** Without credentials: the challenge of the 401. */
export const challengeProbes: readonly Probe[] = paths.map(({ name, path }) => ({
  name: `${name}-invalid-credentials`,
  shows: "A 401 names the scheme in `WWW-Authenticate`.",
  meant: 401,
  sending: plain({ target: path }),
}));

/** The path of each endpoint with a slash at its end. */
export const trailingSlashProbes: readonly Probe[] = paths.map(({ name, path }) => ({
  name: `${name}-trailing-slash`,
  shows: "A route without a slash at its end does not match a path with one.",
  sending: plain({ target: `${path}/` }),
}));

/** Each endpoint asked by HEAD. */
export const headProbes: readonly Probe[] = paths.map(({ name, path }) => ({
  name: `${name}-head`,
  shows: "A route for GET does not answer HEAD.",
  sending: plain({ method: "HEAD", target: path }),
}));
