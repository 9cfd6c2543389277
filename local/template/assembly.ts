import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The parts of a CloudFormation template that are read here. */
interface Template {
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>
  >;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface AssemblyStack {
  /** Name that the stack would be deployed under. */
  readonly name: string;
  readonly template: Template;
  /** Directory of each file asset, by the object key under which it would be uploaded. */
  readonly assets: ReadonlyMap<string, string>;
}

interface Manifest {
  readonly artifacts?: Readonly<Record<string, Artifact>>;
}

interface Artifact {
  readonly type: string;
  readonly properties?: {
    readonly templateFile?: string;
    readonly stackName?: string;
    readonly file?: string;
    readonly directoryName?: string;
  };
}

interface AssetManifest {
  readonly files?: Readonly<
    Record<
      string,
      {
        readonly source: { readonly path: string };
        readonly destinations: Readonly<Record<string, { readonly objectKey: string }>>;
      }
    >
  >;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

/** Every stack of a cloud assembly, nested stages included. Throws when a file that the manifest names is missing. */
export function readAssembly(directory: string): AssemblyStack[] {
  const { artifacts = {} } = readJson(join(directory, "manifest.json")) as Manifest;
  const entries = Object.entries(artifacts);
  const assets = new Map(entries.flatMap(([, artifact]) => assetsOf(directory, artifact)));
  return entries.flatMap(([id, { type, properties = {} }]) => {
    if (type === "cdk:cloud-assembly") return readAssembly(join(directory, properties.directoryName ?? ""));
    if (type !== "aws:cloudformation:stack") return [];
    const template = readJson(join(directory, properties.templateFile ?? "")) as Template;
    return [{ name: properties.stackName ?? id, template, assets }];
  });
}

/** Assets by the object key in a function's `Code`: the CDK writes asset paths into metadata only on request. */
function assetsOf(directory: string, { type, properties }: Artifact): [objectKey: string, path: string][] {
  if (type !== "cdk:asset-manifest" || properties?.file === undefined) return [];
  const { files = {} } = readJson(join(directory, properties.file)) as AssetManifest;
  return Object.values(files).flatMap(({ source, destinations }) =>
    Object.values(destinations).map(({ objectKey }): [string, string] => [
      objectKey,
      join(directory, source.path),
    ]),
  );
}
