// Plain JavaScript, loaded before anything else: an old Node could not even read the TypeScript that follows.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [neededMajor, neededMinor] = engines.node.replace(/^\D+/, "").split(".").map(Number);
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(
    `countinghouse needs Node ${neededMajor}.${neededMinor} or later, and this is ${process.versions.node}. ` +
      "`npm ci` installs one beside the project, which npm's scripts run on, unless optional packages are left out " +
      "(--omit=optional): run it without that, or install a newer Node.",
  );
  process.exit(1);
}
