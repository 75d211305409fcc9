import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { openZip } from '../../src/exchange/sources/zip.ts';
import { parseLine } from '../../src/audit/line.ts';
import { readArchive } from '../../src/maintain/backup/tar/reader.ts';
import { isMnemeError } from '../../src/model/errors.ts';
import { parseProposal } from '../../src/proposals/parse.ts';
import { parseConfig } from '../../src/workspace/config/parse.ts';
import { parseEntity } from '../../src/workspace/formats/entity.ts';
import { parseTranscript } from '../../src/workspace/formats/transcript.ts';
import { parseDocument, serializeDocument } from '../../src/workspace/markdown/document.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { answerHook } from '../support/hooks.ts';
import { serveTestHome, type TestServer } from '../support/http-server.ts';
import { fingerprint, findTouched, makeHostileHomes, plantJournal } from '../support/hostile-homes.ts';
import { openWorkspace } from '../support/home.ts';

/** Something that reads what others wrote. `feed` says what went wrong; refusing in words of ours is right. */
export interface Target {
  readonly name: string;
  readonly seeds: readonly Buffer[];
  /** How many inputs it takes in the time in which the fastest take a thousand. */
  readonly share: number;
  open(): Promise<Feeding>;
}

interface Feeding {
  feed(bytes: Buffer): Promise<string | undefined>;
  close(): Promise<void>;
}

const text = (...lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);
const nothing = (): Promise<void> => Promise.resolve();

async function mayRefuse(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isMnemeError(error)) throw error;
  }
}

function parser(name: string, seeds: readonly Buffer[], parse: (given: string) => unknown): Target {
  const feed = async (bytes: Buffer): Promise<string | undefined> => {
    let said: unknown;
    await mayRefuse(() => (said = parse(bytes.toString('utf8'))));
    return typeof said === 'string' ? said : undefined;
  };
  return { name, seeds, share: 1, open: () => Promise.resolve({ feed, close: nothing }) };
}

/** An archive as a file: what reads it holds nothing in memory. */
function fileReader(
  name: string,
  seed: () => Buffer,
  read: (file: string) => Promise<void>,
  pack = (b: Buffer) => b,
): Target {
  return {
    name,
    seeds: [seed()],
    share: 0.2,
    open: () => {
      const file = path.join(makeTemporaryFolder(), 'input');
      const feed = async (bytes: Buffer): Promise<undefined> => {
        fs.writeFileSync(file, pack(bytes));
        await mayRefuse(() => read(file));
      };
      return Promise.resolve({ feed, close: nothing });
    },
  };
}

/** A header of tar with its checksum, and what stands in the file. */
function tarOf(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('000644 \0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')} `, 124);
  header.write('14500000000 ', 136);
  header.write('        0', 148);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(512);
  body.write(content);
  return Buffer.concat([header, body, Buffer.alloc(1024)]);
}

/** One stored entry and its directory. */
function zipOf(name: string, content: string): Buffer {
  const bytes = Buffer.from(content);
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(bytes.length, 4);
  sizes.writeUInt32LE(bytes.length, 8);
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(name.length, 0);
  const local = Buffer.concat([
    Buffer.from('504b0304140000000000000021 58'.replace(' ', ''), 'hex'),
    sizes,
    lengths,
    Buffer.from(name),
    bytes,
  ]);
  const central = Buffer.concat([
    Buffer.from('504b01021400140000000000000021 58'.replace(' ', ''), 'hex'),
    sizes,
    lengths,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

async function drain(file: string): Promise<void> {
  for await (const { content } of readArchive(file)) for await (const piece of content) void piece.length;
}

const MARKDOWN = [
  text(
    '---',
    'type: organization',
    'name: Harbour Company',
    'aliases: [HC]',
    '---',
    '',
    '# Harbour Company',
    '',
    '## Facts',
    '',
    '- Sells rope ^k3m9x0q4t1zab',
    '  <!-- source:conversation trust:agent until:2026-01-01 -->',
    '- ~~Old~~ [[person--ada]]',
    '```js',
    'x',
    '```',
  ),
  text(
    '---',
    'session: ses_1',
    'date: 2026-01-01',
    '---',
    '',
    '### t1 user 09:00',
    '',
    'Hello <!-- a --> there',
    '',
    '### t2 tool 09:01',
    '',
    '> x',
  ),
  text(
    '---',
    'id: 01KJQ38XW0B42F6M3GSKFEPVHN',
    'state: pending',
    'kind: memory',
    '---',
    '',
    '# Title',
    '',
    '## Changes',
    '',
    '```diff',
    '--- a',
    '+++ b',
    '@@ -1 +1 @@',
    '-x',
    '+y',
    '```',
  ),
];

const markdown = parser('Markdown', MARKDOWN, (given) => {
  const document = parseDocument(given);
  parseTranscript(document);
  parseEntity(document, 'memory/graph/entities/organization--x.md');
  if (serializeDocument(document) !== given) return 'is not written as it was read';
  return parseProposal(given, '01KJQ38XW0B42F6M3GSKFEPVHN');
});

const yaml = parser(
  'YAML',
  [
    text(
      'time_zone: UTC',
      'context:',
      '  max_tokens: 1500',
      '  presets: [a, "b"]',
      'agents:',
      '  scopes: &x',
      '    spy: [agent:spy]',
      'other: *x',
    ),
  ],
  parseConfig,
);

const auditLines = parser(
  'lines of the audit log',
  [text('2026-02-16T09:00:00Z | EDIT | memory/x.md | manual | — | edited | 01KJQ38XW0B42F6M3GSKFEPVHN')],
  parseLine,
);

const journal: Target = {
  name: 'journal',
  seeds: [Buffer.alloc(0)],
  share: 0.01,
  async open() {
    const homes = await makeHostileHomes();
    const feed = async (bytes: Buffer): Promise<string | undefined> => {
      const place = homes.copy();
      plantJournal(place.home, [{ repository: 'workspace', path: 'memory/a.md', text: 'one\n' }]);
      const folder = path.join(place.home, 'journal/wal');
      const [name = ''] = fs.readdirSync(folder).toSorted().slice(-1);
      const file = path.join(folder, name);
      // Chance alone would be stopped by the checksum: half of it stands in front of, and half behind, whole records.
      fs.writeFileSync(
        file,
        Buffer.concat(bytes.length % 2 === 0 ? [fs.readFileSync(file), bytes] : [bytes, fs.readFileSync(file)]),
      );
      const before = fingerprint(place);
      await mayRefuse(async () => {
        const workspace = await openWorkspace(place.home);
        await workspace.close();
      });
      return findTouched(before, fingerprint(place));
    };
    return { feed, close: nothing };
  },
};

const LOG_LINES = text(
  '{"type":"user","uuid":"u1","sessionId":"ses_x","cwd":"/home/sam/quay","timestamp":"2026-01-01T00:00:00.000Z","isSidechain":false,"message":{"role":"user","content":"We sail on Monday."}}',
  '{"type":"assistant","uuid":"u2","sessionId":"ses_x","timestamp":"2026-01-01T00:01:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Noted."},{"type":"tool_use","id":"a","name":"Bash","input":{"command":"ls"}}]}}',
);

const jsonLines: Target = {
  name: 'JSON lines that a hook is given',
  seeds: [LOG_LINES],
  share: 0.05,
  async open() {
    const server = await serveTestHome();
    const file = path.join(makeTemporaryFolder(), 'log.jsonl');
    let count = 0;
    const feed = async (bytes: Buffer): Promise<string | undefined> => {
      fs.writeFileSync(file, bytes);
      count += 1;
      const input = { session_id: `ses_${count}`, transcript_path: file, cwd: '/home/sam/quay' };
      const answer = await answerHook(server.home, 'Stop', input, () => 0);
      return answer === undefined || typeof answer === 'object' ? undefined : `answered ${JSON.stringify(answer)}`;
    };
    return { feed, close: server.close };
  },
};

/** A server must answer everything below 500, and go on. */
function requests(name: string, seeds: readonly Buffer[], to: (server: TestServer) => readonly string[]): Target {
  return {
    name,
    seeds,
    share: 0.2,
    async open() {
      const server = await serveTestHome();
      const headers = {
        authorization: `Bearer ${server.token('main')}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      let turn = 0;
      const feed = async (bytes: Buffer): Promise<string | undefined> => {
        const urls = to(server);
        const url = urls[(turn += 1) % urls.length] ?? '';
        const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes) });
        const said = await response.text();
        return response.status < 500 ? undefined : `${url}: ${response.status} ${said.slice(0, 300)}`;
      };
      return { feed, close: server.close };
    },
  };
}

const http = requests(
  'HTTP',
  [
    text('{"text":"The ferry leaves at nine.","store":"episodic","tags":["a"],"importance":0.5}'),
    text('{"path":"memory/reference/x.md","content":"# X\\n","base":null}'),
    text('{"query":"ferry","limit":3,"since":"2026-01-01","scope":"shared"}'),
  ],
  ({ url }) =>
    ['remember', 'edit', 'append', 'graph/add', 'forget', 'agents/propose', 'session/start'].map(
      (route) => `${url}/api/v1/${route}`,
    ),
);

const mcp = requests(
  'MCP',
  [
    text(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
    ),
    text(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"ferry","limit":3}}}',
    ),
    text(
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"memory_write","arguments":{"text":"The ferry is late."}}}',
    ),
    text('{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"mneme://file/MEMORY.md"}}'),
  ],
  ({ url }) => [`${url}/mcp`],
);

export const TARGETS: readonly Target[] = [
  markdown,
  yaml,
  auditLines,
  fileReader(
    'archives of backups',
    () => tarOf('workspace/a.md', 'one\n'),
    drain,
    (bytes) => gzipSync(bytes),
  ),
  fileReader(
    'zip archives',
    () => zipOf('conversations.json', '[]'),
    async (file) => void (await openZip(file)),
  ),
  journal,
  jsonLines,
  http,
  mcp,
];
