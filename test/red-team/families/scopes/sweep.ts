import path from 'node:path';
import { z } from 'zod';
import { loadRoutes, type ServedRoute } from '../../../../src/interfaces/http/routes/routes.ts';
import { attack, control, type RedTeamCase } from '../../table.ts';
import { everyByte } from '../../world.ts';
import { leaks, OUTSIDERS, PRIVATE, type ScopeWorld, type Who } from './world.ts';

const routes = await loadRoutes();

/** What is put where an input has a field of this name: as much as an outsider could have heard of. */
function knownValues({ item, session, fact, shared }: ScopeWorld): Readonly<Record<string, string>> {
  const company = `${PRIVATE} Corporation`;
  return {
    id: item.id,
    ids: item.id,
    item: item.id,
    fact,
    path: item.path,
    file: item.path,
    target: item.path,
    session,
    receipt: 'last',
    query: 'the word of Apollo',
    text: 'the word of Apollo',
    message: 'the word of Apollo',
    prompt: 'the word of Apollo',
    entity: company,
    name: company,
    from: 'Harbour Company',
    to: company,
    other: company,
    into: shared.id,
    type: 'organization',
    time: '2026-01-01',
  };
}

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Field;
}

function valueFor(name: string, field: Field, known: Readonly<Record<string, string>>, isRequired: boolean): unknown {
  if (field.type === 'array') {
    const one = valueFor(name, field.items ?? {}, known, isRequired);
    return one === undefined ? undefined : [one];
  }
  if (field.enum !== undefined) return isRequired ? field.enum[0] : undefined;
  if (field.type === 'number' || field.type === 'integer') return isRequired ? 1 : undefined;
  if (field.type === 'boolean') return isRequired ? true : undefined;
  return Object.hasOwn(known, name) ? known[name] : isRequired ? 'x' : undefined;
}

function inputFor({ operation }: ServedRoute, world: ScopeWorld): Record<string, unknown> {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const known = knownValues(world);
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (name === 'scope' || typeof field === 'boolean') return [];
    const value = valueFor(name, field as Field, known, required.has(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}

async function send(world: ScopeWorld, who: Who, served: ServedRoute): Promise<{ status: number; text: string }> {
  const input = inputFor(served, world);
  const url = new URL(`${world.server.url}${served.path}`);
  const headers = { authorization: `Bearer ${world.tokens[who]}`, 'content-type': 'application/json' };
  if (served.method === 'GET')
    for (const [name, value] of Object.entries(input)) url.searchParams.append(name, String(value));
  const body = served.method === 'GET' ? {} : { body: JSON.stringify(input) };
  const response = await fetch(url, { method: served.method, headers, ...body });
  return { status: response.status, text: await response.text() };
}

/** Answered, or refused in a way that is meant: a fault of the server would say nothing about the scope. */
const MEANT: ReadonlySet<number> = new Set([200, 400, 403, 404, 409]);

/** What stands in the scope before anybody outside has tried anything. */
let scopeBytes: string | undefined;

function bytesOfScope({ workspace }: ScopeWorld): string {
  return everyByte(path.join(workspace, 'memory/scopes/project--apollo'));
}

function sweepCase(served: ServedRoute): RedTeamCase<ScopeWorld> {
  return attack(`whoever is outside, by ${served.name}, naming all they could have heard of`, async (world) => {
    scopeBytes ??= bytesOfScope(world);
    const asked = Object.values(knownValues(world));
    for (const who of OUTSIDERS) {
      const { status, text } = await send(world, who, served);
      const leaked = leaks(text, asked);
      if (leaked !== undefined) return `${who} was told ${leaked}`;
      if (text.includes(world.server.home)) return `${who} was told where the home lies: ${text.slice(0, 300)}`;
      if (!MEANT.has(status)) return `${who} was answered ${status} ${text.slice(0, 300)}`;
      const isForbidden = who !== 'zeus' && (served.needs === 'write' || served.needs === 'own');
      if ((isForbidden || served.needs === 'own') && status !== 403)
        return `${who} was answered ${status}, not refused`;
    }
    return undefined;
  });
}

/** Verbs that must tell an agent of the scope what is private there: a server that refuses everything would pass otherwise. */
const TELLING = ['similar', 'why', 'read', 'files read', 'session show', 'graph show', 'recall', 'context'] as const;

export const SWEEP: readonly RedTeamCase<ScopeWorld>[] = [
  ...routes.map(sweepCase),
  attack('none of that changed anything in the scope', async (world) =>
    scopeBytes === bytesOfScope(world) ? undefined : 'it is not what it was',
  ),
  ...TELLING.map((name) =>
    control<ScopeWorld>(`an agent of the scope, by ${name}, with the same input`, async (world) => {
      const served = routes.find((one) => one.name === name);
      if (served === undefined) return 'there is no such route';
      const { status, text } = await send(world, 'apollo', served);
      return status === 200 && text.toLowerCase().includes(PRIVATE) ? undefined : `${status} ${text.slice(0, 300)}`;
    }),
  ),
];
