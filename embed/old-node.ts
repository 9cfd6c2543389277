import { readFileSync } from "node:fs";

/**
 * Why a Node.js cannot run the package, as a sentence for its user; undefined for one that can. It loads in an old one.
 * The manifest lies one folder above this module, in a clone and in the package as it was built.
 */
export function oldNode(version = process.versions.node): string | undefined {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { engines } = JSON.parse(manifest) as { engines: { node: string } };
  const [neededMajor, neededMinor] = numbersOf(engines.node.replace(/^\D+/, ""));
  const [major, minor] = numbersOf(version);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return (
    `countinghouse needs Node.js ${neededMajor}.${neededMinor} or later, and this is ${version}. ` +
    "Install a newer one, for example from https://nodejs.org/."
  );
}

function numbersOf(version: string): readonly [major: number, minor: number] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return [major, minor];
}
