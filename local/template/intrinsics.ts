import { isMembers } from "../../lib/json-value.ts";
import { ownMember } from "../../lib/own-member.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../store/local-account.ts";
import type { AssemblyStack, Resource } from "./assembly.ts";
import { ARN_FORMS, NAME_PROPERTIES, QUEUES_AT_AWS, queueAddress } from "./local-names.ts";
import { TemplateError } from "./template-error.ts";

/**
 * Resolves CloudFormation's intrinsic functions as a deployment to the local stage would. It throws a `TemplateError`
 * instead of guessing, because a wrong table name would only show as missing data.
 */
export class Intrinsics {
  readonly #stack: AssemblyStack;
  readonly #all: readonly AssemblyStack[];

  constructor(stack: AssemblyStack, all: readonly AssemblyStack[]) {
    this.#stack = stack;
    this.#all = all;
  }

  /** A value with every intrinsic function in it resolved. `at` is the place that an error names. */
  resolve(value: unknown, at: string): unknown {
    if (Array.isArray(value)) return value.map((item, index) => this.resolve(item, `${at}[${index}]`));
    if (!isMembers(value)) return value;
    const [name, ...others] = Object.keys(value);
    if (name !== undefined && others.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) {
      return this.#apply(name, ownMember(value, name), at);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.resolve(item, `${at}.${key}`)]),
    );
  }

  /** A value that must resolve to text. */
  text(value: unknown, at: string): string {
    const resolved = this.resolve(value, at);
    if (typeof resolved === "string" || typeof resolved === "number" || typeof resolved === "boolean")
      return `${resolved}`;
    throw this.#error(at, "does not resolve to text");
  }

  #apply(name: string, operand: unknown, at: string): unknown {
    switch (name) {
      case "Ref":
        return this.#ref(this.text(operand, at), at);
      case "Fn::GetAtt":
        return this.#attribute(operand, at);
      case "Fn::Join":
        return this.#join(operand, at);
      case "Fn::Sub":
        return this.#substitute(operand, at);
      case "Fn::ImportValue":
        return this.#import(this.text(operand, at), at);
      default:
        throw this.#error(at, `uses ${name}, which the local gateway cannot resolve`);
    }
  }

  #ref(id: string, at: string): string {
    const pseudo = this.#pseudoParameter(id);
    if (pseudo !== undefined) return pseudo;
    const parameter = ownMember(this.#stack.template.Parameters, id)?.Default;
    if (typeof parameter === "string" && !parameter.startsWith("/")) return parameter;
    const resource = this.#resource(id, at);
    if (resource.Type === "AWS::Lambda::Alias") return this.#aliasArn(resource, at);
    const name = this.#nameOf(id, resource, at);
    // A reference to a queue is its address.
    return resource.Type === "AWS::SQS::Queue" ? queueAddress(QUEUES_AT_AWS, name) : name;
  }

  /** A reference to an alias is its ARN, unlike one to a function. */
  #aliasArn({ Properties }: Resource, at: string): string {
    const [name, alias] = ["FunctionName", "Name"].map((property) =>
      this.text(ownMember(Properties, property), at),
    );
    return `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}:${alias}`;
  }

  #pseudoParameter(id: string): string | undefined {
    const values: Readonly<Record<string, string>> = {
      "AWS::AccountId": LOCAL_ACCOUNT,
      "AWS::Region": LOCAL_REGION,
      "AWS::Partition": "aws",
      "AWS::StackName": this.#stack.name,
      "AWS::URLSuffix": "amazonaws.com",
    };
    return ownMember(values, id);
  }

  #attribute(operand: unknown, at: string): string {
    const [id, attribute] =
      typeof operand === "string" ? operand.split(/\.(.*)/s) : (operand as [string, string]);
    const resource = this.#resource(id as string, at);
    const form = ownMember(ARN_FORMS, resource.Type);
    if (attribute === "QueueName" && resource.Type === "AWS::SQS::Queue")
      return this.#nameOf(id as string, resource, at);
    if (attribute !== "Arn" || form === undefined) {
      throw this.#error(
        at,
        `asks for the attribute ${attribute} of a ${resource.Type}, which does not exist locally`,
      );
    }
    return `arn:aws:${form(this.#nameOf(id as string, resource, at))}`;
  }

  #join(operand: unknown, at: string): string {
    const [separator, parts] = operand as [string, unknown];
    const resolved = this.resolve(parts, at);
    if (!Array.isArray(resolved)) throw this.#error(at, "joins a value that is not a list");
    return resolved.map((part) => this.text(part, at)).join(separator);
  }

  #substitute(operand: unknown, at: string): string {
    const [text, values] = (Array.isArray(operand) ? operand : [operand, {}]) as [
      string,
      Record<string, unknown>,
    ];
    return text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal !== "") return `\${${name}}`;
      if (Object.hasOwn(values, name)) return this.text(ownMember(values, name), at);
      return name.includes(".") ? this.#attribute(name, at) : this.#ref(name, at);
    });
  }

  #import(exportName: string, at: string): string {
    for (const stack of this.#all) {
      const intrinsics = new Intrinsics(stack, this.#all);
      for (const [id, output] of Object.entries(stack.template.Outputs ?? {})) {
        const place = `${stack.name} output ${id}`;
        if (output.Export === undefined || intrinsics.text(output.Export.Name, place) !== exportName)
          continue;
        return intrinsics.text(output.Value, place);
      }
    }
    throw this.#error(at, `imports ${exportName}, which no stack of this assembly exports`);
  }

  #resource(id: string, at: string): Resource {
    const resource = ownMember(this.#stack.template.Resources, id);
    if (resource === undefined)
      throw this.#error(at, `refers to ${id}, which is not a resource of its stack`);
    return resource;
  }

  /** A resource's name. CloudFormation generates a missing one; here the logical id takes its place. */
  #nameOf(id: string, { Type, Properties }: Resource, at: string): string {
    const property = ownMember(NAME_PROPERTIES, Type);
    if (property === undefined) throw this.#error(at, `refers to a ${Type}, which has no name locally`);
    const given = ownMember(Properties, property);
    return given === undefined ? id : this.text(given, at);
  }

  #error(at: string, problem: string): TemplateError {
    return new TemplateError(`${this.#stack.name}: ${at} ${problem}.`);
  }
}
