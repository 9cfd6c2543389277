import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/**
 * The names and values that one request's expressions refer to. Every name goes through an alias, so that no reserved
 * word of DynamoDB can break a query. Every alias is used, because DynamoDB refuses unused ones.
 */
export class Expression {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, AttributeValue>();

  /** The alias of an attribute's name. */
  name(attribute: string): string {
    const alias = `#${attribute}`;
    this.#names.set(alias, attribute);
    return alias;
  }

  /** Aliases of several attributes, separated by commas. */
  names(attributes: readonly string[]): string {
    return attributes.map((attribute) => this.name(attribute)).join(", ");
  }

  /** A placeholder for a value. */
  value(value: AttributeValue): string {
    const placeholder = `:v${this.#values.size}`;
    this.#values.set(placeholder, value);
    return placeholder;
  }

  /** Placeholders for several texts, separated by commas. */
  texts(texts: readonly string[]): string {
    return texts.map((text) => this.value({ S: text })).join(", ");
  }

  /** `attribute = value`; without a value, that the attribute is absent. */
  equals(attribute: string, value: AttributeValue | undefined): string {
    const alias = this.name(attribute);
    return value === undefined ? `attribute_not_exists(${alias})` : `${alias} = ${this.value(value)}`;
  }

  /** The request members that resolve what the expressions refer to. */
  get references() {
    return {
      ExpressionAttributeNames: Object.fromEntries(this.#names),
      ...(this.#values.size > 0 && { ExpressionAttributeValues: Object.fromEntries(this.#values) }),
    };
  }
}
