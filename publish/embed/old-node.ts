import { existsSync, readFileSync } from "node:fs";

/**
 * Why a Node.js cannot run the package, as a sentence for its user; undefined for one that can. It loads in an old one.
 */
export function oldNode(version = process.versions.node): string | undefined {
  const [neededMajor, neededMinor] = numbersOf(neededBy(import.meta.url).replace(/^\D+/, ""));
  const [major, minor] = numbersOf(version);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return (
    `countinghouse needs Node.js ${neededMajor}.${neededMinor} or later, and this is ${version}. ` +
    "Install a newer one, for example from https://nodejs.org/."
  );
}

/** The Node.js that the nearest manifest above a module asks for: the clone's, or that of the package as it was built. */
function neededBy(module: string): string {
  const manifest = new URL("../package.json", module);
  const { engines } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {};
  return engines?.node ?? neededBy(manifest.href);
}

function numbersOf(version: string): readonly [major: number, minor: number] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return [major, minor];
}
