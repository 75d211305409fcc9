import { MnemeError } from '../../model/errors.ts';
import type { Ontology } from '../../workspace/formats/relations.ts';

/** Properties as the ontology types them: what a person types at a shell is text until then. */
export function readProperties(
  { entityTypes }: Ontology,
  type: string,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = entityTypes.get(type)?.properties;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (name.trim() === '' || name.length > 60) throw new MnemeError('usage', `"${name}" is no name for a property.`);
      return [name, typeof value === 'string' ? typed(value, known?.get(name)) : value];
    }),
  );
}

/** `role=engineer`, as typed; null where nothing stands behind the sign. */
export function parseProperties(given: string | readonly string[]): Record<string, string | null> {
  const pairs = typeof given === 'string' ? [given] : given;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) {
        throw new MnemeError('usage', `"${pair}" is no property.`, {
          hint: 'Write NAME=VALUE, such as role=engineer.',
        });
      }
      const value = pair.slice(at + 1).trim();
      return [pair.slice(0, at).trim(), value === '' ? null : value];
    }),
  );
}

function typed(value: string, wanted: string | undefined): unknown {
  if (wanted === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (wanted === 'boolean' && /^(?:true|false|yes|no)$/iu.test(value)) return /^(?:true|yes)$/iu.test(value);
  if (wanted === 'list') {
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  return value;
}
