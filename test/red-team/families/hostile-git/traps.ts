import fs from 'node:fs';
import path from 'node:path';
import { addConfig, addHook, addSignedCommit, typeGit, type Place } from './place.ts';

/** One way in which a repository makes git run a command. */
export interface Trap {
  readonly name: string;
  readonly plant: (place: Place) => void | Promise<void>;
  /**
   * What plain git does for the command to run, so that the test can fail. A text where the git of today cannot be made
   * to: why not.
   */
  readonly trigger: readonly string[] | ((place: Place) => Promise<unknown>) | string;
  /** Part of the error that names what was found; undefined where the repository is used and the trap left aside. */
  readonly refused?: string;
}

const MISSING = '0123456789012345678901234567890123456789';
const FETCH_MISSING = ['cat-file', '-e', MISSING];
const LOOK = ['log', '-1'];

const config =
  (text: (place: Place) => string) =>
  (place: Place): void =>
    addConfig(place.gitDir, text(place));

const origin = (url: string, more = ''): string => `[remote "origin"]\n\turl = ${url}\n\t${more}`;

const promisor = ({ evil, remote }: Place): string =>
  `[remote "evil"]\n\turl = ${remote}\n\tpromisor = true\n\tuploadpack = ${evil}`;

const signed =
  (kind: string, text: (place: Place) => string) =>
  (place: Place): void => {
    addSignedCommit(place, kind);
    addConfig(place.gitDir, text(place));
  };

const PGP = 'PGP SIGNATURE';

export const LAZY_FETCHES: readonly Trap[] = [
  {
    name: 'a partial clone whose remote names a command as its other side',
    plant: config(
      (place) => `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n${promisor(place)}`,
    ),
    trigger: FETCH_MISSING,
    refused: 'extensions.partialclone',
  },
  {
    name: 'a promisor remote in a repository that does not call itself a partial clone',
    plant: config(promisor),
    trigger: FETCH_MISSING,
    refused: 'remote.evil.promisor',
  },
  {
    name: 'a remote with only a partial clone filter',
    plant: config(
      ({ evil, remote }) => `[remote "e"]\n\turl = ${remote}\n\tpartialclonefilter = blob:none\n\tuploadpack = ${evil}`,
    ),
    trigger: FETCH_MISSING,
    refused: 'remote.e.partialclonefilter',
  },
  {
    name: 'a promisor remote in the settings of the work tree',
    plant(place) {
      addConfig(place.gitDir, '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true');
      addConfig(place.gitDir, promisor(place), 'config.worktree');
    },
    trigger: FETCH_MISSING,
    refused: 'config.worktree',
  },
  {
    name: 'a promisor remote in the old spelling of a subsection, behind a section header on one line',
    plant: config(({ evil, remote }) => `[remote.evil] url = ${remote}\n[Remote.EVIL]Promisor\nUploadPack="${evil}"`),
    trigger: FETCH_MISSING,
    refused: 'remote.evil.promisor',
  },
  {
    name: 'a promisor remote whose address is a command',
    plant: config(
      ({ evil }) => `[remote "e"]\n\turl = ext::${evil}\n\tpromisor = true\n[protocol "ext"]\n\tallow = always`,
    ),
    trigger: FETCH_MISSING,
    refused: 'remote.e.promisor',
  },
  {
    name: 'a promisor remote reached by an ssh command of the repository',
    plant: config(({ evil }) => `[remote "e"]\n\turl = ssh://localhost/x\n\tpromisor\n[core]\n\tsshCommand = ${evil}`),
    trigger: FETCH_MISSING,
    refused: 'remote.e.promisor',
  },
  {
    name: 'a promisor remote in a file that is included',
    plant(place) {
      fs.writeFileSync(path.join(place.root, 'more'), promisor(place));
      addConfig(place.gitDir, `[include]\n\tpath = ${path.join(place.root, 'more')}`);
    },
    trigger: FETCH_MISSING,
    refused: 'include.path',
  },
  {
    name: 'a promisor remote in a file that is included on a condition',
    plant(place) {
      fs.writeFileSync(path.join(place.gitDir, 'more'), promisor(place));
      addConfig(place.gitDir, '[includeIf "gitdir:**"]\n\tpath = more');
    },
    trigger: FETCH_MISSING,
    refused: 'includeif.gitdir:**.path',
  },
  ...['[include]', '[includeIf "gitdir:**"]'].map((section): Trap => ({
    name: `a promisor remote in a file called false, by ${section}`,
    plant(place) {
      fs.writeFileSync(path.join(place.gitDir, 'false'), promisor(place));
      addConfig(place.gitDir, `${section}\n\tpath = false`);
    },
    trigger: FETCH_MISSING,
    refused: '.path" (line ',
  })),
  {
    name: 'a git directory that is a file and leads to a partial clone',
    plant(place) {
      const elsewhere = path.join(place.root, 'elsewhere');
      fs.renameSync(place.gitDir, elsewhere);
      fs.writeFileSync(place.gitDir, `gitdir: ${elsewhere}\n`);
      addConfig(elsewhere, promisor(place));
    },
    trigger: FETCH_MISSING,
    refused: 'sends git to another git directory',
  },
  {
    name: 'a common folder elsewhere, with the settings of a partial clone',
    plant(place) {
      const elsewhere = path.join(place.root, 'elsewhere');
      fs.cpSync(place.gitDir, elsewhere, { recursive: true });
      fs.writeFileSync(path.join(place.gitDir, 'commondir'), `${elsewhere}\n`);
      addConfig(elsewhere, promisor(place));
    },
    trigger: FETCH_MISSING,
    refused: 'commondir',
  },
];

export const SIGNATURES: readonly Trap[] = [
  {
    name: 'a signed commit, shown with its signature, and a program that checks it',
    plant: signed(PGP, ({ evil }) => `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${evil}`),
    trigger: LOOK,
  },
  {
    name: 'the same by the name of the format',
    plant: signed(PGP, ({ evil }) => `[log]\n\tshowSignature\n[gpg "openpgp"]\n\tprogram = ${evil}`),
    trigger: LOOK,
  },
  {
    name: 'a signature by a certificate',
    plant: signed('SIGNED MESSAGE', ({ evil }) => `[log]\n\tshowSignature = yes\n[gpg "x509"]\n\tprogram = ${evil}`),
    trigger: LOOK,
  },
  {
    name: 'a signature by an ssh key',
    plant: signed(
      'SSH SIGNATURE',
      ({ evil }) => `[log]\n\tshowSignature = 1\n[gpg "ssh"]\n\tprogram = ${evil}\n\tallowedSignersFile = ${evil}`,
    ),
    trigger: LOOK,
  },
  {
    name: 'a default format of the log that asks for the signature',
    plant: signed(PGP, ({ evil }) => `[format]\n\tpretty = format:%G?\n[gpg]\n\tprogram = ${evil}`),
    trigger: LOOK,
  },
  {
    name: 'tags that are to be signed',
    plant: config(({ evil }) => `[tag]\n\tgpgSign = true\n\tforceSignAnnotated = true\n[gpg]\n\tprogram = ${evil}`),
    trigger: ['tag', '-a', '-m', 'x', 'x'],
  },
  {
    name: 'tags that are to be signed by a key that a command names',
    plant: config(
      ({ evil }) =>
        `[tag]\n\tgpgSign = true\n[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tdefaultKeyCommand = ${evil}\n\tprogram = ${evil}`,
    ),
    trigger: ['tag', '-a', '-m', 'x', 'x'],
  },
  {
    name: 'commits that are to be signed',
    plant: config(({ evil }) => `[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${evil}`),
    trigger: ['commit', '--no-verify', '--allow-empty', '-m', 'x'],
  },
  {
    name: 'a push that is to be signed',
    plant(place) {
      addConfig(place.remote, '[receive]\n\tcertNonceSeed = x');
      addConfig(place.gitDir, `${origin(place.remote)}\n[push]\n\tgpgSign = true\n[gpg]\n\tprogram = ${place.evil}`);
    },
    trigger: ['push', 'origin', 'HEAD:refs/heads/x'],
  },
];

function attributes({ gitDir }: Place, text: string): void {
  fs.appendFileSync(path.join(gitDir, 'info/attributes'), `${text}\n`);
}

const driver =
  (attribute: string, text: (place: Place) => string) =>
  (place: Place): void => {
    attributes(place, `* ${attribute}`);
    addConfig(place.gitDir, text(place));
  };

export const DRIVERS: readonly Trap[] = [
  {
    name: 'a filter that cleans files',
    plant: driver('filter=evil', ({ evil }) => `[filter "evil"]\n\tclean = ${evil}\n\trequired = true`),
    trigger: ['hash-object', 'note.md'],
  },
  {
    name: 'a filter that smudges files',
    plant: driver('filter=evil', ({ evil }) => `[filter "evil"]\n\tsmudge = ${evil}`),
    trigger: ['cat-file', '--filters', 'HEAD:note.md'],
  },
  {
    name: 'a filter that stays and takes all files',
    plant: driver('filter=e.v\\il', ({ evil }) => `[filter "e.v\\\\il"]\n\tprocess = ${evil}`),
    trigger: ['hash-object', 'note.md'],
  },
  {
    name: 'a filter that a file of the folder asks for',
    plant(place) {
      fs.writeFileSync(path.join(place.workspace, '.gitattributes'), '*.md filter=evil\n');
      addConfig(place.gitDir, `[filter "evil"]\n\tclean = ${place.evil}`);
    },
    trigger: ['hash-object', 'note.md'],
  },
  {
    name: 'a converter to text for diffs',
    plant: driver('diff=evil', ({ evil }) => `[diff "evil"]\n\ttextconv = ${evil}`),
    trigger: ['log', '-p', '-1', '--', 'note.md'],
  },
  {
    name: 'a converter to text that a file of attributes elsewhere asks for',
    plant(place) {
      const elsewhere = path.join(place.root, 'attributes');
      fs.writeFileSync(elsewhere, '*.txt diff=evil\n* diff=evil\n');
      fs.rmSync(path.join(place.gitDir, 'info/attributes'));
      addConfig(place.gitDir, `[core]\n\tattributesFile = ${elsewhere}\n[diff "evil"]\n\ttextconv = ${place.evil}`);
    },
    trigger: ['log', '-p', '-1', '--', 'note.md'],
  },
  {
    name: 'a converter to text for blame',
    plant: driver('diff=evil', ({ evil }) => `[diff "evil"]\n\ttextconv = ${evil}\n\tcachetextconv = true`),
    trigger: ['blame', 'note.md'],
  },
  {
    name: 'a command that shows differences of some files',
    plant: driver('diff=evil', ({ evil }) => `[diff "evil"]\n\tcommand = ${evil}`),
    trigger: ['diff', 'HEAD~1', 'HEAD'],
  },
  {
    name: 'a command that shows all differences',
    plant: config(({ evil }) => `[diff]\n\texternal = ${evil}`),
    trigger: ['diff', 'HEAD~1', 'HEAD'],
  },
  {
    name: 'a driver that merges files',
    plant: driver('merge=evil', ({ evil }) => `[merge "evil"]\n\tdriver = ${evil}\n[merge]\n\tdefault = evil`),
    async trigger({ workspace }) {
      for (const branch of ['one', 'two']) {
        await typeGit(workspace, 'checkout', '-q', '-f', '-b', branch, 'HEAD~1');
        fs.writeFileSync(path.join(workspace, 'note.md'), branch);
        await typeGit(workspace, 'commit', '--no-verify', '-qam', branch);
        await typeGit(workspace, 'checkout', '-q', '-f', 'main');
      }
      await typeGit(workspace, 'merge-tree', '--write-tree', 'one', 'two');
    },
  },
  {
    name: 'a command that makes trailers',
    plant: config(({ evil }) => `[trailer "mutation"]\n\tkey = Mutation\n\tcmd = ${evil}`),
    trigger: ['interpret-trailers', '--trailer', 'mutation=x'],
  },
];

export const LOCAL_COMMANDS: readonly Trap[] = [
  ...['reference-transaction', 'post-index-change', 'pre-commit', 'post-commit', 'post-checkout', 'pre-push'].map(
    (name): Trap => ({
      name: `the hook ${name}`,
      plant: (place) => {
        addHook(place.gitDir, name, place);
        addConfig(place.gitDir, origin(place.remote));
      },
      async trigger({ workspace }) {
        await typeGit(workspace, 'commit', '-q', '--allow-empty', '-m', 'x');
        await typeGit(workspace, 'checkout', '-f', 'HEAD~1');
        await typeGit(workspace, 'push', 'origin', 'HEAD:refs/heads/x');
      },
    }),
  ),
  {
    name: 'hooks in another folder',
    plant(place) {
      addHook(path.join(place.root, 'other'), 'reference-transaction', place);
      addConfig(place.gitDir, `[core]\n\thooksPath = ${path.join(place.root, 'other/hooks')}`);
    },
    trigger: ['update-ref', 'refs/heads/x', 'HEAD'],
  },
  {
    name: 'a hook in the settings',
    plant: config(({ evil }) => `[hook "e"]\n\tcommand = ${evil}\n\tevent = reference-transaction`),
    trigger: 'git knows them since 2.54',
    refused: 'hook.e.command',
  },
  {
    name: 'a monitor of the file system',
    plant: config(({ evil }) => `[core]\n\tfsmonitor = ${evil}`),
    trigger: ['status'],
  },
  {
    name: 'an editor',
    plant: config(({ evil }) => `[core]\n\teditor = ${evil}`),
    trigger: ['commit', '--no-verify', '--allow-empty'],
  },
  {
    name: 'an editor of sequences',
    plant: config(({ evil }) => `[sequence]\n\teditor = ${evil}`),
    trigger: ['rebase', '-i', '-f', 'HEAD~1'],
  },
  {
    name: 'a pager',
    plant: config(({ evil }) => `[core]\n\tpager = ${evil}\n[pager]\n\tlog = ${evil}\n\tdiff = ${evil}`),
    trigger: 'git starts one only on a terminal',
  },
  {
    name: 'an alias for a command that git itself does not have',
    plant: config(({ evil }) => `[alias]\n\tlfs = !${evil}\n\tlog = !${evil}`),
    trigger: ['lfs', 'version'],
  },
  {
    name: 'a command that names recent objects when git cleans up',
    plant: config(({ evil }) => `[gc]\n\trecentObjectsHook = ${evil}`),
    trigger: 'git knows it since 2.42',
    refused: 'gc.recentobjectshook',
  },
  {
    name: 'borrowed objects, and a command that lists their references',
    plant(place) {
      fs.writeFileSync(path.join(place.gitDir, 'objects/info/alternates'), `${place.remote}/objects\n`);
      addConfig(place.gitDir, `${origin(place.remote)}\n[core]\n\talternateRefsCommand = ${place.evil}`);
    },
    trigger: ({ workspace, gitDir }) => typeGit(workspace, 'push', gitDir, 'HEAD:refs/heads/x'),
    refused: 'core.alternaterefscommand',
  },
];
