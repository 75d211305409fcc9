import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { existsPacked } from '../../workspace/packed.ts';
import { decodeText } from '../../workspace/safety/limits.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { appendTo, assertKnown, momentOf, time, type AppendedTurn } from './message.ts';

const input = z.object({
  session: z.string().min(1).describe('The session’s id.'),
  name: z.string().trim().min(1).max(1000).describe('The file’s name.'),
  content: z.base64().min(1).describe('Its bytes, as base64.'),
  note: z.string().trim().min(1).max(500).optional().describe('What it is, in a line.'),
  time,
});

export interface AttachedFile extends AppendedTurn {
  /** Relative to raw/; null in a private session. */
  readonly path: string | null;
}

export const attachFile = defineVerb({
  name: 'session attach',
  summary: 'Keep a file beside a conversation, which refers to it.',
  description:
    'Keep a file beside a conversation, which refers to it. It is kept once under raw/attachments/, named by its content, and never changes.',
  examples: ['mneme session attach s1 plan.png --note "the kitchen, from above"'],
  input,
  args: ['session', 'name'],
  effect: 'write',
  withoutLease: 'own',
  reach: 'filtered',
  async run(context, { session, name, content, note, time: given }): Promise<AttachedFile> {
    assertKnown(context, session);
    const timeMs = momentOf(context, given);
    if (context.parts.sessions().isPrivate(session)) return { session, turn: null, path: null };
    const kept = await keepOnce(context, { session, name, bytes: Buffer.from(content, 'base64') });
    const told = [path.basename(name), ...(note === undefined ? [] : [note])].join(': ').replaceAll(/\s+/gu, ' ');
    const part = { kind: 'attachment', path: kept, note: told } as const;
    const appended = await appendTo(context, session, (open) => open.append({ role: 'user', parts: [part], timeMs }));
    return { ...appended, path: kept };
  },
  cli: {
    args: ['session', 'name'],
    options: { content: false, note: { value: 'words' }, time: { value: 'when', help: 'when (default: now)' } },
    prepare: ({ input: typed }) => {
      const { session = '', name = '' } = typed;
      return { ...typed, session, name, content: readFile(name).toString('base64') };
    },
  },
  render: ({ style }, { turn, path: kept }) =>
    `${kept === null ? style.yellow('private: not kept') : `${turn} ${kept}`}\n`,
});

function readFile(file: string): Buffer {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === true && stats.size > 0) return fs.readFileSync(file);
  throw new MnemeError('not-found', `${file} is no file with anything in it.`, { hint: 'Name the file to be kept.' });
}

/** Long enough that no two files share it, short enough for a line. */
const NAME_CHARS = 32;

/** The same bytes are one file, whichever conversations refer to it. */
async function keepOnce(
  { workspace }: OperationContext,
  { session, name, bytes }: { readonly session: string; readonly name: string; readonly bytes: Buffer },
): Promise<string> {
  const content = await withoutSecrets(workspace.redactor, bytes);
  const extension = /\.[a-z0-9]{1,8}$/u.exec(name.toLowerCase())?.[0] ?? '.bin';
  const target = `attachments/${createHash('sha256').update(content).digest('hex').slice(0, NAME_CHARS)}${extension}`;
  const { workTree } = workspace.paths.repositories.raw;
  if (existsPacked(nodeFileSystem, path.join(workTree, target))) return target;
  await workspace.commit({
    repository: 'raw',
    changes: [{ path: target, content, base: undefined }],
    actor: 'system:capture',
    approval: 'auto',
    session,
    // Without its name: a conversation may be of a private scope.
    summary: 'attachment of a conversation',
  });
  return target;
}

/** Named by what is kept: a text loses its secrets first. */
async function withoutSecrets(
  redactor: OperationContext['workspace']['redactor'],
  bytes: Buffer,
): Promise<Uint8Array | string> {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? (await redactor.redact(decoded.text)).text : bytes;
}
