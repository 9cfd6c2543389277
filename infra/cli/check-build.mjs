import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * `node infra/cli/check-build.mjs <directory of cdk synth>` refuses a build that would make the CDK's command line run
 * a program: an asset whose source is a command (`executable`), or an image, which is built as its Dockerfile says. A
 * build comes from a job that ran the code of many packages. No asset may be a file from outside of the build either.
 *
 * It needs no package, and runs on whatever Node.js a machine has.
 */
const [directory = ""] = process.argv.slice(2);

const isName = (value) => typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(value);
const isPlainFile = (source) =>
  Object.keys(source).every((member) => member === "path" || member === "packaging") && isName(source.path);

function read(name) {
  if (!isName(name)) throw new Error(`${name} is not a file of the build.`);
  return JSON.parse(readFileSync(join(directory, name), "utf8"));
}

/** What is wrong with a list of assets. */
function findInAssets(list) {
  const { files = {}, dockerImages = {} } = read(list);
  return [
    ...Object.keys(dockerImages).map((id) => `${list}: ${id} is an image.`),
    ...Object.entries(files)
      .filter(([, { source }]) => !isPlainFile(source))
      .map(([id]) => `${list}: ${id} is not a plain file or folder of the build.`),
  ];
}

/** Earlier forms of a build name their assets in what is told of a stack, outside of any list. */
function findInStack({ metadata = {}, additionalMetadataFile }) {
  const told = [metadata, additionalMetadataFile === undefined ? {} : read(additionalMetadataFile)];
  return told
    .flatMap((places) => Object.values(places).flat())
    .filter(({ type }) => type === "aws:cdk:asset")
    .map(({ data }) => `${data?.id} is an asset outside of any list.`);
}

/** The command line follows links when it packs a folder. */
const findLinks = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isSymbolicLink()) return [`${entry.name} is a link.`];
    return entry.isDirectory() ? findLinks(join(folder, entry.name)) : [];
  });

const artifacts = Object.entries(read("manifest.json").artifacts);
const foundInArtifacts = artifacts.flatMap(([name, artifact]) => {
  if (artifact.type === "cdk:cloud-assembly") return [`${name} is a build within the build.`];
  if (artifact.type === "cdk:asset-manifest") return findInAssets(artifact.properties.file);
  return findInStack(artifact);
});
const found = [...findLinks(directory), ...foundInArtifacts];
for (const sentence of found) console.error(sentence);
if (found.length > 0) process.exitCode = 1;
