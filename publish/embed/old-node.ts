import { existsSync, readFileSync } from "node:fs";

/**
 * Why a Node.js cannot run the package, as a sentence for its user; undefined for one that can. It loads in an old one.
 */
export function oldNode(version = process.versions.node): string | undefined {
  const { engines } = JSON.parse(readFileSync(manifestAbove(import.meta.url), "utf8"));
  const [neededMajor, neededMinor] = numbersOf(engines.node.replace(/^\D+/, ""));
  const [major, minor] = numbersOf(version);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return (
    `countinghouse needs Node.js ${neededMajor}.${neededMinor} or later, and this is ${version}. ` +
    "Install a newer one, for example from https://nodejs.org/."
  );
}

/** The manifest that lies nearest above a module: of the clone, or of the package as it was built. */
function manifestAbove(module: string): URL {
  const manifest = new URL("../package.json", module);
  return existsSync(manifest) ? manifest : manifestAbove(manifest.href);
}

function numbersOf(version: string): readonly [major: number, minor: number] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return [major, minor];
}
