import { fileURLToPath } from 'node:url';
import {
  API,
  SignatureKind,
  SymbolFlags,
  TypeFlags,
  type Checker,
  type Project,
  type Symbol,
  type Type,
} from 'typescript/unstable/sync';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas of every property of a type, and of the named types they are made of. */
export interface TypeSchemas {
  readonly answers: Readonly<Record<string, JsonSchema>>;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/**
 * What `JSON.stringify` makes of values of the properties of a type, as JSON Schema. Written by hand, schemas of a hundred
 * and more answers would soon say something else than the code.
 */
export function readTypeSchemas(config: string, file: string, typeName: string): TypeSchemas {
  const api = new API({ cwd: fileURLToPath(new URL('../../', import.meta.url)) });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [config] });
    const project = snapshot.getProject(config);
    if (project === undefined) throw new Error(`There is no project ${config}.`);
    return new Converter(project).convert(file, typeName);
  } finally {
    api.close();
  }
}

/** Their names say nothing about what they hold. */
const GENERIC_ALIASES: ReadonlySet<string> = new Set(['Omit', 'Pick', 'Partial', 'Readonly', 'Record', 'Required']);

class Converter {
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #named = new Map<string, JsonSchema>();
  readonly #names = new Map<number, string>();

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  convert(file: string, typeName: string): TypeSchemas {
    const source = this.#project.program.getSourceFile(file);
    const module = source === undefined ? undefined : this.#checker.getSymbolAtLocation(source);
    const symbol = module === undefined ? undefined : this.#checker.getMemberInModuleExports(module, typeName);
    if (symbol === undefined) throw new Error(`${file} exports no ${typeName}.`);
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    const answers: Record<string, JsonSchema> = {};
    for (const property of this.#checker.getPropertiesOfType(type)) {
      answers[property.name] = this.#schemaOf(this.#typeOf(property));
    }
    const named = [...this.#named].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return { answers, named: Object.fromEntries(named) };
  }

  #typeOf(symbol: Symbol): Type {
    const type = this.#checker.getTypeOfSymbol(symbol);
    if (type === undefined) throw new Error(`Nobody knows the type of ${symbol.name}.`);
    return type;
  }

  #schemaOf(type: Type): JsonSchema {
    if (type.isUnionType()) {
      const members = type.getTypes() ?? [];
      const hasObjects = members.some((member) => member.isObjectType());
      const alias = hasObjects ? type.getAliasSymbol()?.name : undefined;
      return alias === undefined ? this.#union(members) : this.#refer(type, alias, () => this.#union(members));
    }
    const { flags } = type;
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return { const: type.value };
    if (flags & TypeFlags.BooleanLiteral) return { const: this.#checker.typeToString(type) === 'true' };
    if (flags & TypeFlags.StringLike) return { type: 'string' };
    if (flags & TypeFlags.NumberLike) return { type: 'number' };
    if (flags & TypeFlags.BooleanLike) return { type: 'boolean' };
    if (flags & TypeFlags.Null) return { type: 'null' };
    if (flags & (TypeFlags.Unknown | TypeFlags.Any)) return {};
    if (flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never)) return { not: {} };
    if (type.isObjectType() || type.isIntersectionType()) return this.#object(type);
    throw new Error(`${this.#checker.typeToString(type)} has no JSON.`);
  }

  #union(members: readonly Type[]): JsonSchema {
    const present = members.filter(({ flags }) => !(flags & (TypeFlags.Undefined | TypeFlags.Void)));
    const schemas = present.map((member) => this.#schemaOf(member));
    const constants = schemas.flatMap((schema) => ('const' in schema ? [schema['const']] : []));
    const others = schemas.filter((schema) => !('const' in schema));
    const isBoolean = constants.includes(true) && constants.includes(false);
    const values = isBoolean ? constants.filter((value) => typeof value !== 'boolean') : constants;
    const merged = [
      ...(values.length === 0
        ? []
        : [
            values.length === 1
              ? { const: values[0] }
              : { enum: values.toSorted((one, other) => (String(one) < String(other) ? -1 : 1)) },
          ]),
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...others,
    ];
    const [only] = merged;
    return merged.length === 1 && only !== undefined ? only : { anyOf: merged };
  }

  #object(type: Type): JsonSchema {
    const name = type.getSymbol()?.name;
    if (name === 'Date' || name === 'Buffer') return { type: 'string' };
    if (type.isTupleType() || this.#checker.isTupleType(type)) return { type: 'array' };
    if (this.#checker.isArrayType(type)) {
      const [item] = type.isTypeReference() ? this.#checker.getTypeArguments(type) : [];
      return { type: 'array', items: item === undefined ? {} : this.#schemaOf(item) };
    }
    if (name === 'Map' || name === 'ReadonlyMap') {
      const [, value] = type.isTypeReference() ? this.#checker.getTypeArguments(type) : [];
      return { type: 'object', additionalProperties: value === undefined ? true : this.#schemaOf(value) };
    }
    return this.#inner(type);
  }

  /** Types with a name of ours stand apart once, which also ends those that contain themselves. */
  #inner(type: Type): JsonSchema {
    const symbol = type.getSymbol();
    const isInterface = symbol !== undefined && (symbol.flags & SymbolFlags.Interface) !== 0;
    const wanted = isInterface && this.#hasNoArguments(type) ? symbol.name : type.getAliasSymbol()?.name;
    const hasName = wanted !== undefined && !wanted.startsWith('__') && !GENERIC_ALIASES.has(wanted);
    return hasName ? this.#refer(type, wanted, () => this.#members(type)) : this.#members(type);
  }

  #refer(type: Type, wanted: string, describe: () => JsonSchema): JsonSchema {
    const known = this.#names.get(type.id);
    const name = known ?? this.#freeName(wanted);
    if (known === undefined) {
      this.#names.set(type.id, name);
      this.#named.set(name, {});
      this.#named.set(name, describe());
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #hasNoArguments(type: Type): boolean {
    return !type.isTypeReference() || this.#checker.getTypeArguments(type).length === 0;
  }

  #freeName(wanted: string): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : `${wanted}${number}`;
      if (!this.#named.has(name)) return name;
    }
  }

  #members(type: Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of this.#checker.getPropertiesOfType(type)) {
      const own = this.#typeOf(property);
      // Functions vanish in JSON.
      if (this.#checker.getSignaturesOfType(own, SignatureKind.Call).length > 0) continue;
      properties[property.name] = this.#schemaOf(own);
      if (!this.#mayBeMissing(property, own)) required.push(property.name);
    }
    const [index] = this.#checker.getIndexInfosOfType(type);
    return {
      type: 'object',
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      ...(index === undefined ? {} : { additionalProperties: this.#schemaOf(index.valueType) }),
    };
  }

  #mayBeMissing({ flags }: Symbol, type: Type): boolean {
    const members = type.isUnionType() ? (type.getTypes() ?? []) : [type];
    const isUndefined = members.some(
      (member) => (member.flags & (TypeFlags.Undefined | TypeFlags.Unknown | TypeFlags.Any)) !== 0,
    );
    return isUndefined || (flags & SymbolFlags.Optional) !== 0;
  }
}
