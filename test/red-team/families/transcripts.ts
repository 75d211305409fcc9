import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { generateKey, signBytes } from '../../../src/chain/key-files.ts';
import { noteBytes } from '../../../src/chain/record/queue.ts';
import { check } from '../../../src/operations/check.ts';
import { keepChain } from '../../../src/operations/chain/keep.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { TestCli } from '../../support/cli.ts';
import { initTestHome, makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, type Family } from '../table.ts';
import { FORGED, inHome, SAID, Victim, type TalkedHomes } from './transcripts/victim.ts';

type Deed = (victim: Victim) => Promise<void> | void;
type Judge = (victim: Victim) => Promise<string | undefined>;

const isFound: Judge = async (victim) => ((await victim.findings()).length > 0 ? undefined : 'nobody noticed');

const isRestored: Judge = async (victim) => {
  const said = await isFound(victim);
  if (said !== undefined) return said;
  await inHome(victim.home, (mneme) => check.run(mneme.internals, { repair: true }));
  if (!fs.existsSync(victim.file)) return 'the transcript did not come back';
  if (!fs.readFileSync(victim.file, 'utf8').includes(SAID)) return 'it does not say what was said';
  const left = await victim.findings();
  return left.length === 0 ? undefined : `after the repair: ${left.join('; ')}`;
};

const isUnfound: Judge = async (victim) => {
  const found = await victim.findings();
  return found.length === 0 ? undefined : found.join('; ');
};

function on(from: 'signed' | 'waiting', name: string, deed: Deed, judge: Judge = isFound) {
  return attack<TalkedHomes>(name, async (homes) => {
    const victim = new Victim(homes[from], homes.transcript);
    await deed(victim);
    return judge(victim);
  });
}

function harmless(name: string, deed: Deed, judge: Judge = isUnfound) {
  return control<TalkedHomes>(name, async (homes) => {
    const victim = new Victim(homes.signed, homes.transcript);
    await deed(victim);
    return judge(victim);
  });
}

/** Nothing that was changed meanwhile may be signed as if it had been said. */
const isNotSignedAsChanged: Judge = async (victim) =>
  inHome(victim.home, async (mneme) => {
    await runOperation(keepChain, mneme.internals, {});
    const { findings } = await mneme.chain.verify();
    const { entries } = await mneme.chain.show({ type: 'transcript' });
    return entries.length > 0 && findings.length === 0 ? 'it was signed as it was changed' : undefined;
  });

const TIP = 'journal/chain/tip.json';
const SEAL = 'journal/chain/verified.json';

const CHAIN_GONE = [
  on('signed', 'the chain’s folder is removed', (victim) => victim.remove('chain')),
  on('signed', 'the chain’s folder is removed, and the note of its end', (victim) => victim.remove('chain', TIP)),
  on('signed', 'the chain’s folder is removed, and what was verified', (victim) => victim.remove('chain', SEAL)),
  on('signed', 'the chain and its history are removed, the key stays', (victim) =>
    victim.remove('chain/chain.jsonl', 'chain/.git', 'chain/content'),
  ),
  ...(
    [
      ['the chain’s folder is removed', ['chain']],
      ['the chain’s folder is removed, and what was verified', ['chain', SEAL]],
    ] as const
  ).map(([what, names]) =>
    on('signed', `${what}, and then something is entered`, async (victim) => {
      victim.remove(...names);
      await inHome(victim.home, async (mneme) => {
        await mneme.remember('We decided to paint the blue door red.', { type: 'decision' });
        await runOperation(keepChain, mneme.internals, {}).catch(() => undefined);
      });
    }),
  ),
  on('signed', 'the chain is exchanged for that of another home', async (victim) => {
    const other = path.join(makeTemporaryFolder(), 'home');
    await initTestHome(other);
    await inHome(other, async (mneme) => {
      for (let number = 0; number < 6; number += 1) await mneme.chain.add(`Something else, ${number}.`);
    });
    victim.remove('chain');
    fs.cpSync(path.join(other, 'chain'), path.join(victim.home, 'chain'), { recursive: true });
  }),
  on(
    'signed',
    'the weekly job calls a missing chain empty',
    (victim) => victim.remove('chain'),
    (victim) =>
      inHome(victim.home, async (mneme) => {
        const { findings } = await runOperation(keepChain, mneme.internals, {});
        return findings > 0 ? undefined : 'nothing was found';
      }),
  ),
];

const CHANGED_RECORDS = [
  on('signed', 'a transcript is edited', (victim) => victim.forge(), isRestored),
  on('signed', 'a transcript is deleted', (victim) => fs.rmSync(victim.file), isRestored),
  on('signed', 'a transcript is emptied', (victim) => fs.truncateSync(victim.file, 0), isRestored),
  on(
    'signed',
    'a transcript is exchanged for a packed one with other words',
    (victim) => {
      fs.writeFileSync(`${victim.file}.gz`, gzipSync(FORGED));
      fs.rmSync(victim.file);
    },
    isRestored,
  ),
  on(
    'signed',
    'a changed transcript is committed past the hook',
    (victim) => {
      victim.forge();
      victim.commit();
    },
    isRestored,
  ),
  on(
    'signed',
    'a transcript’s deletion is committed past the hook',
    (victim) => {
      fs.rmSync(victim.file);
      victim.commit();
    },
    isRestored,
  ),
  on(
    'signed',
    'a transcript is deleted in one commit and comes back changed in another',
    (victim) => {
      const words = fs.readFileSync(victim.file, 'utf8');
      fs.rmSync(victim.file);
      victim.commit();
      fs.writeFileSync(victim.file, words.replaceAll('vermilion', 'ochre'));
      victim.commit();
    },
    isRestored,
  ),
  on('signed', 'a transcript that nobody wrote is put beside the others', (victim) =>
    fs.writeFileSync(path.join(path.dirname(victim.file), 'forged.md'), FORGED),
  ),
  on('signed', 'the hook that guards transcripts is taken away', (victim) => victim.remove('raw/.git/hooks')),
  ...(
    [
      ['changes', (victim: Victim) => victim.forge()],
      ['deletes', (victim: Victim) => fs.rmSync(victim.file)],
      ['renames', (victim: Victim) => fs.renameSync(victim.file, `${victim.file}.old.md`)],
    ] as const
  ).map(([what, deed]) =>
    on('signed', `a commit that ${what} a transcript`, deed, ({ home }) => {
      const inRaw = { cwd: path.join(home, 'raw'), encoding: 'utf8' } as const;
      execFileSync('git', ['add', '--all'], inRaw);
      const { status } = spawnSync('git', ['commit', '--message', 'tidy up'], inRaw);
      return Promise.resolve(status === 0 ? 'git committed it' : undefined);
    }),
  ),
];

const BEFORE_SIGNING = [
  on('waiting', 'a transcript is edited before the chain signs it', (victim) => victim.forge()),
  on('waiting', 'a transcript is edited and its note fitted to it', (victim) => {
    victim.forge();
    const sha256 = hash('sha256', fs.readFileSync(victim.file));
    victim.changeNote('transcript', (note) => ({ ...note, items: note.items.map((item) => ({ ...item, sha256 })) }));
  }),
  on('waiting', 'a transcript is edited, committed, and its note signed by a key from elsewhere', (victim) => {
    victim.forge();
    victim.commit();
    const sha256 = hash('sha256', fs.readFileSync(victim.file));
    const key = generateKey();
    victim.changeNote('transcript', ({ items: given }, name) => {
      const items = given.map((item) => ({ ...item, sha256 }));
      return { items, key: key.publicKey, sig: signBytes(key, noteBytes(name, items)) };
    });
  }),
  on('waiting', 'a transcript is edited, committed, and the signature of its note taken off', (victim) => {
    victim.forge();
    victim.commit();
    victim.changeNote('transcript', ({ items }) => items.map((item) => ({ ...item, sha256: undefined })));
  }),
  on(
    'waiting',
    'a transcript is edited and its note taken away',
    (victim) => {
      victim.forge();
      victim.remove('journal/chain/queue');
    },
    isFound,
  ),
  on('waiting', 'a transcript is removed before the chain signs it', (victim) => fs.rmSync(victim.file)),
  on('waiting', 'a transcript is edited and the history of raw/ removed', (victim) => {
    victim.forge();
    victim.remove('raw/.git');
  }),
  on('waiting', 'the words of a decision are changed before the chain signs them', (victim) =>
    victim.changeNote('decision', (note) => ({
      ...note,
      items: note.items.map((item) => ({ ...item, text: FORGED })),
    })),
  ),
  on('waiting', 'the note of one thing is put in the place of another', (victim) => {
    const folder = path.join(victim.home, 'journal/chain/queue');
    const [one = '', other = ''] = fs.readdirSync(folder);
    fs.copyFileSync(path.join(folder, one), path.join(folder, other));
  }),
];

const PROOFS = [
  on(
    'signed',
    'a proof is shown without a key',
    () => undefined,
    async (victim) => {
      const proof = await inHome(victim.home, (mneme) => mneme.chain.prove(1, { turn: 1 }));
      const file = path.join(makeTemporaryFolder(), 'proof.json');
      fs.writeFileSync(file, JSON.stringify(proof));
      const elsewhere = new TestCli();
      await elsewhere.init();
      const { code, out } = await elsewhere.run(['chain', 'verify-proof', file]);
      if (code !== 7 || /^proved/imu.test(out)) return `code ${code}: ${out}`;
      const given = await elsewhere.run(['chain', 'verify-proof', file, '--key', proof.chain]);
      return given.code === 0 ? undefined : `with its key: ${given.out}`;
    },
  ),
  on(
    'signed',
    'a key that was replaced signs another proof',
    () => undefined,
    async (victim) => {
      const thief = new Victim(victim.home, victim.name);
      await inHome(victim.home, (mneme) => mneme.chain.rotateKey());
      const proof = await inHome(thief.home, async (mneme) => {
        const { seq } = await mneme.chain.add('I never said that.');
        return mneme.chain.prove(seq);
      });
      return inHome(victim.home, async (mneme) => {
        const { keys } = await mneme.chain.keys();
        const verdicts = [
          await mneme.chain.verifyProof(proof),
          await mneme.chain.verifyProof(proof, proof.chain),
          await mneme.chain.verifyProof(proof, keys.at(-1)?.publicKey),
        ];
        return verdicts.some(({ isValid }) => isValid) ? 'it was believed' : undefined;
      });
    },
  ),
];

export const TRANSCRIPTS: Family<TalkedHomes> = {
  title: 'Changed transcripts, and a chain that is cut, exchanged or forged',
  cases: [
    ...CHAIN_GONE,
    ...CHANGED_RECORDS,
    ...BEFORE_SIGNING,
    on(
      'waiting',
      'a transcript is edited, and the chain signs what it says now',
      (victim) => victim.forge(),
      isNotSignedAsChanged,
    ),
    on(
      'waiting',
      'what was changed is signed later as it is',
      (victim) => {
        victim.forge();
        victim.remove('journal/chain/queue');
      },
      isNotSignedAsChanged,
    ),
    ...PROOFS,
    harmless('a home that nobody touched', () => undefined),
    harmless('a session that goes on', (victim) =>
      inHome(victim.home, async (mneme) => {
        const session = await mneme.session.start({ user: 'Ines' });
        await session.message('user', 'The ferry leaves at noon.');
        await session.end();
      }),
    ),
    harmless('a transcript that was packed by hand', (victim) => {
      fs.writeFileSync(`${victim.file}.gz`, gzipSync(fs.readFileSync(victim.file)));
      fs.rmSync(victim.file);
    }),
    harmless('an erasure', (victim) =>
      inHome(victim.home, async (mneme) => {
        await mneme.erase(SAID, 'it was wrong');
      }),
    ),
    harmless('an erasure of what waits for the chain', (victim) =>
      inHome(victim.home, async (mneme) => {
        const session = await mneme.session.start({ user: 'Ines' });
        await session.message('user', 'The safe is behind the third picture.');
        await session.message('user', 'The ferry leaves at noon.');
        await session.end();
        await mneme.erase('The safe is behind the third picture.', 'it was wrong');
      }),
    ),
    harmless('a commit of something else in raw/', (victim) => {
      fs.writeFileSync(path.join(victim.home, 'raw/README.md'), 'Records.\n');
      victim.git('add', '--all');
      victim.git('commit', '--quiet', '--message', 'a note');
    }),
    harmless('a change of key', (victim) =>
      inHome(victim.home, async (mneme) => {
        await mneme.chain.rotateKey();
        await mneme.chain.add('Signed by the new key.');
      }),
    ),
    harmless(
      'a proof of this home’s own chain',
      () => undefined,
      (victim) =>
        inHome(victim.home, async (mneme) => {
          const { isValid, problems } = await mneme.chain.verifyProof(await mneme.chain.prove(1, { turn: 1 }));
          return isValid ? undefined : problems.join('; ');
        }),
    ),
  ],
};
