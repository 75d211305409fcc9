import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { readEvents } from '../../client/client.ts';
import { systemRandom } from '../../platform/random.ts';
import { TokenFile } from './access/token-file.ts';
import { checkSite, siteRules } from './access/clients.ts';
import { EventHub } from './events/hub.ts';
import { createQueryReader } from './api.ts';
import { StaticFiles } from './static-files.ts';

// SPEC HTTP-4
describe('a query string', () => {
  const input = z.object({
    text: z.string().optional(),
    limit: z.number().int().optional(),
    isMine: z.boolean().optional(),
    paths: z.array(z.string()).optional(),
    only: z.array(z.number()).optional(),
    state: z.enum(['a', 'b']).optional(),
  });
  const read = createQueryReader(input);

  it('becomes the input it was made from', () => {
    const given = fc.record(
      {
        text: fc.string({ unit: 'grapheme' }),
        limit: fc.integer(),
        isMine: fc.boolean(),
        paths: fc.array(fc.string(), { minLength: 1 }),
        only: fc.array(fc.integer(), { minLength: 1 }),
        state: fc.constantFrom('a', 'b'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, (value) => {
        const query = new URLSearchParams();
        for (const [name, one] of Object.entries(value))
          for (const each of [one].flat()) query.append(name, String(each));
        expect(input.parse(read(new URLSearchParams(query.toString())))).toEqual(value);
      }),
    );
  });

  it('says which options there are when one is unknown', () => {
    expect(() => read(new URLSearchParams('limt=1'))).toThrow('There is no option "limt".');
    expect(() => read(new URLSearchParams('__proto__=1'))).toThrow('__proto__');
  });
});

describe('EventHub', () => {
  it('hands on exactly what was missed, or says that it cannot', () => {
    const steps = fc.array(fc.oneof(fc.constant('publish' as const), fc.constant('restart' as const)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, fc.nat(70), (taken, at) => {
        const hub = new EventHub('run');
        const heard: { id: string; number: number }[] = [];
        let published = 0;
        let since = 0;
        hub.subscribe((event) => heard.push({ id: event.id, number: published }));
        for (const step of taken) {
          if (step === 'restart') {
            hub.restart();
            since = published;
          } else {
            hub.publish('heartbeat', { time: String(published) });
            published += 1;
          }
        }
        const last = heard[at];
        const missed = last === undefined ? undefined : hub.since(last.id)?.length;
        expect(missed).toBe(last === undefined || last.number < since ? undefined : published - last.number - 1);
      }),
    );
  });

  it('keeps the last ones only', () => {
    const hub = new EventHub('run');
    hub.publish('heartbeat', { time: '' });
    const first = hub.lastId;
    for (let time = 0; time < 2001; time += 1) hub.publish('heartbeat', { time: String(time) });
    expect(hub.since(first)).toBeUndefined();
    expect(hub.since('run.2')?.length).toBe(2000);
  });
});

describe('a stream of events', () => {
  it('is read the same wherever it was cut', async () => {
    const text =
      'retry: 2000\n\nid: a.1\nevent: proposal\ndata: {"waiting":1}\n\nevent: heartbeat\ndata: {"time":"ü"}\n\n';
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
          start(controller) {
            for (const [at, place] of places.entries())
              controller.enqueue(bytes.subarray(place, places[at + 1] ?? place));
            controller.close();
          },
        });
        const events = await Array.fromAsync(readEvents(stream));
        expect(events).toEqual([
          { id: 'a.1', name: 'proposal', data: { waiting: 1 } },
          { id: 'a.1', name: 'heartbeat', data: { time: 'ü' } },
        ]);
      }),
    );
  });
});

describe('TokenFile', () => {
  it('keeps hashes only, for its owner only, and loses none when two add at once', async () => {
    const state = makeTemporaryFolder();
    const names = ['one', 'two', 'three', 'four'];
    const made = await Promise.all(
      names.map((name) => new TokenFile(state).add({ name, role: 'reader' }, systemRandom, '2026-02-16')),
    );
    const file = path.join(state, 'tokens.json');
    const text = fs.readFileSync(file, 'utf8');
    expect(
      new TokenFile(state)
        .list()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
    expect(made.some((token) => text.includes(token))).toBe(false);
    expect(made.every((token) => text.includes(hash('sha256', token)))).toBe(true);
    expect(fs.statSync(file).mode & 0o077).toBe(0);
  });

  it('refuses names twice, names of no use, scopes that are none, and a damaged file', async () => {
    const state = makeTemporaryFolder();
    const tokens = new TokenFile(state);
    const add = (name: string, scope?: string): Promise<string> =>
      tokens.add({ name, role: 'main', scope }, systemRandom, '');
    await add('a');
    await expect(add('a')).rejects.toMatchObject({ code: 'conflict' });
    await expect(add('a b\n')).rejects.toMatchObject({ code: 'usage' });
    await expect(add('b', 'nowhere')).rejects.toMatchObject({ code: 'usage' });
    await expect(tokens.revoke('c')).rejects.toMatchObject({ code: 'not-found' });
    fs.writeFileSync(path.join(state, 'tokens.json'), '{"tokens": [{}]}');
    expect(() => tokens.list()).toThrow('cannot be read');
  });
});

describe('where a request comes from', () => {
  it('is this machine by a name it has, and its own page or one that is named', () => {
    const rules = siteRules('127.0.0.1', ['box.local'], ['https://notes.example/']);
    const check = (host: string, origin?: string) => () =>
      checkSite(origin === undefined ? { host } : { host, origin }, rules);
    expect(check('localhost:1')()).toBeUndefined();
    expect(check('[::1]:1', 'http://[::1]:1')()).toBeUndefined();
    expect(check('BOX.local', 'https://notes.example')()).toBe('https://notes.example');
    expect(check('box.local.evil.example')).toThrow('does not go by the name');
    expect(check('localhost:1', 'http://localhost:2')).toThrow('may not ask');
    expect(check('localhost:1', 'null')).toThrow('may not ask');
    expect(check('')).toThrow('does not go by the name');
  });
});

describe('StaticFiles', () => {
  it('serves what is in the folder and nothing else, and asks browsers to keep what never changes', async () => {
    const folder = makeTemporaryFolder();
    fs.mkdirSync(path.join(folder, 'assets'));
    fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html><p>page</p>');
    fs.writeFileSync(path.join(folder, 'assets', 'a-1234.js'), 'let a;');
    const files = StaticFiles.open(folder);
    const page = files.answer('/search', new Headers({ 'accept-encoding': 'gzip' }));
    expect(page?.headers.get('content-encoding')).toBe('gzip');
    expect(page?.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(files.answer('/', new Headers({ 'if-none-match': page?.headers.get('etag') ?? '' }))?.status).toBe(304);
    expect(files.answer('/assets/a-1234.js', new Headers())?.headers.get('cache-control')).toContain('immutable');
    expect(await files.answer('/', new Headers())?.text()).toContain('page');
    expect(files.answer('/assets/../index.js', new Headers())).toBeUndefined();
    expect(StaticFiles.open(undefined).answer('/', new Headers())).toBeUndefined();
  });
});
