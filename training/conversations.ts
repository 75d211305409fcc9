import fs from 'node:fs';
import path from 'node:path';
import { KNOWLEDGE_KINDS, type KnowledgeKind } from '../src/model/knowledge.ts';
import type { HeardConversation, HeardTurn } from '../src/reasoner/port.ts';

/** Something to keep, as the author labelled it: see data/DATA-CARD.md. */
export interface Item {
  readonly turns: readonly string[];
  readonly kind: KnowledgeKind;
  readonly whose: string;
  readonly holds: string;
  readonly statement: string;
}

interface Session {
  readonly id: string;
  readonly conversation: HeardConversation;
  readonly items: readonly Item[];
}

interface WrittenConversation {
  readonly kind: string;
  readonly name: string;
  readonly sessions: readonly Session[];
}

const SESSION = /^== (?<id>\d+) \| (?<day>\d{4}-\d\d-\d\d) (?<clock>\d\d:\d\d) \| [^|]+ \| (?<project>.+)$/u;
const TURN = /^(?<id>\d+\.\d+) (?<speaker>[^\s:]+): (?<text>.*)$/u;
const ROLES: Readonly<Record<string, HeardTurn['role']>> = { agent: 'agent', tool: 'tool' };

/** The conversations of `data/conversations/KIND/`, session by session. */
export function readConversations(folder: string): WrittenConversation[] {
  return fs
    .readdirSync(folder)
    .sort()
    .flatMap((kind) =>
      fs
        .readdirSync(path.join(folder, kind))
        .filter((file) => file.endsWith('.txt'))
        .sort()
        .map((file) => {
          const name = file.replace(/\.txt$/u, '');
          return { kind, name, sessions: readSessions(path.join(folder, kind, name)) };
        }),
    );
}

function readSessions(base: string): Session[] {
  const items = readItems(`${base}.items.tsv`);
  const sessions: { id: string; project: string; startMs: number; turns: { head: HeardTurn; lines: string[] }[] }[] =
    [];
  for (const line of fs.readFileSync(`${base}.txt`, 'utf8').split('\n')) {
    const header = SESSION.exec(line)?.groups;
    const said = TURN.exec(line)?.groups;
    const current = sessions.at(-1);
    if (header !== undefined) {
      const startMs = Date.parse(`${header['day']}T${header['clock']}:00Z`);
      sessions.push({ id: header['id'] ?? '', project: header['project'] ?? '-', startMs, turns: [] });
    } else if (said !== undefined && current !== undefined) {
      const role = ROLES[said['speaker'] ?? ''] ?? 'user';
      const timeMs = current.startMs + current.turns.length * 60_000;
      const head = { id: said['id'] ?? '', role, name: said['speaker'], text: '', timeMs, trust: role } as HeardTurn;
      current.turns.push({ head, lines: [said['text'] ?? ''] });
    } else current?.turns.at(-1)?.lines.push(line);
  }
  return sessions.map(({ id, project, turns }) => ({
    id,
    conversation: {
      session: id,
      user: turns.find(({ head }) => head.role === 'user')?.head.name,
      project: project === '-' ? undefined : project,
      timeZone: 'UTC',
      turns: turns.map(({ head, lines }) => ({ ...head, text: lines.join('\n').trim() })),
    },
    items: items.filter((item) => item.turns.some((turn) => turn.startsWith(`${id}.`))),
  }));
}

function readItems(file: string): Item[] {
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [turns = '', kind = '', whose = '', holds = '', statement = ''] = line.split('\t');
      const known = KNOWLEDGE_KINDS.find((each) => each === kind);
      if (known === undefined) throw new Error(`${file} has the unknown kind ${kind}.`);
      return { turns: turns.split(',').map((turn) => turn.trim()), kind: known, whose, holds, statement };
    });
}
