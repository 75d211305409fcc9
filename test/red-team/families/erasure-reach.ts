import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { openMneme } from '../../../src/mneme.ts';
import { adoptFolder } from '../../../src/operations/home/adopt.ts';
import type { EraseResult } from '../../../src/workspace/erase/erase.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { readEverything } from '../../support/read-everything.ts';
import { attack, control, type Family } from '../table.ts';

const SAID = 'The quillfeather key hangs behind the third lantern of the boathouse.';

interface Erased {
  readonly home: string;
  readonly folder: string;
  readonly result: EraseResult;
}

/** Adopts a folder that holds the words in a file and wherever a case puts them, and erases them. */
async function eraseAdopted(plant: (folder: string) => void): Promise<Erased> {
  const place = makeTemporaryFolder();
  const [folder, home] = [path.join(place, 'vault'), path.join(place, 'home')];
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'notes.md'), `# Notes\n\n- ${SAID}\n- The ferry leaves at noon.\n`);
  plant(folder);
  await adoptFolder({ home, folder, timeZone: 'UTC' });
  const mneme = await openMneme({ home, actor: 'manual' });
  try {
    await mneme.internals.workspace.drain();
    return { home, folder, result: await mneme.erase(SAID, 'it was wrong') };
  } finally {
    await mneme.close();
  }
}

const saysBeyond = ({ result }: Erased, pattern: RegExp): string | undefined =>
  result.unreachable.some((one) => pattern.test(one)) ? undefined : `it says only: ${result.unreachable.join('; ')}`;

function inGit(folder: string): void {
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=A', '-c', 'user.email=a@b.test', 'commit', '--quiet', '--message', 'notes');
}

const utf16 = (text: string, isBigEndian: boolean): Buffer => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

/** What an erasure in an adopted folder reaches, and what it says of the rest. */
export const ERASURE_REACH: Family<unknown> = {
  title: 'What an erasure reaches in an adopted folder, and says of the rest',
  cases: [
    attack('an erasure in a folder that another repository keeps does not claim its history', async () =>
      saysBeyond(await eraseAdopted(inGit), /the git repository of .*vault/u),
    ),
    attack('an erasure in a folder inside of another repository does not claim its history', async () =>
      saysBeyond(await eraseAdopted((folder) => inGit(path.dirname(folder))), /the git repository of /u),
    ),
    attack('an erasure beside an archive does not claim to have looked into it', async () =>
      saysBeyond(
        await eraseAdopted((folder) => fs.writeFileSync(path.join(folder, 'old.zip'), 'PK')),
        /old\.zip: archives and documents are not looked into/u,
      ),
    ),
    ...[false, true].map((isBigEndian) =>
      attack<unknown>(`a copy in UTF-16, ${isBigEndian ? 'big' : 'little'} endian, keeps the words`, async () => {
        const { folder } = await eraseAdopted((place) =>
          fs.writeFileSync(path.join(place, 'copy.txt'), utf16(`Before. ${SAID} After.`, isBigEndian)),
        );
        const bytes = fs.readFileSync(path.join(folder, 'copy.txt'));
        const text = (isBigEndian ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
        if (text.includes('quillfeather')) return 'the words are there';
        return text.startsWith('\uFEFFBefore. ') && text.endsWith(' After.') ? undefined : `more was changed: ${text}`;
      }),
    ),
    attack('a packed copy keeps the words', async () => {
      const { folder, home } = await eraseAdopted((place) =>
        fs.writeFileSync(path.join(place, 'copy.md.gz'), gzipSync(`# Copy\n\n${SAID}\n`)),
      );
      return readEverything(folder).includes('quillfeather') || readEverything(home).includes('quillfeather')
        ? 'the words are there'
        : undefined;
    }),
    control('an erasure with nothing beyond reach says nothing of the kind', async () => {
      const { result } = await eraseAdopted(() => undefined);
      return result.unreachable.length + result.remaining.length === 0 ? undefined : result.unreachable.join('; ');
    }),
  ],
};
