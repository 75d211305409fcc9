import fs from 'node:fs';
import path from 'node:path';
import { CONFIG_FILE } from '../../../workspace/config/file.ts';
import { checkFile, type Finding } from '../../../workspace/formats/findings.ts';
import { HOME_LAYOUT } from '../../../workspace/formats/layout.ts';
import { Git } from '../../../workspace/git/git.ts';
import { readStagedFiles } from '../../../workspace/git/hooks.ts';
import { readHome } from '../../../workspace/home.ts';
import { decodeText } from '../../../workspace/safety/limits.ts';
import { createRedactor } from '../../../workspace/safety/redact.ts';
import type { Cli } from '../cli.ts';
import { plain, plainLine } from '../../../operations/command-line/plain.ts';

export interface PreCommitOptions {
  readonly gitDir: string;
  readonly workTree: string;
  readonly index?: string | undefined;
}

/** Tells a person in clear words what is wrong with the commit they are about to make. */
export async function checkStaged(cli: Cli, options: PreCommitOptions): Promise<number> {
  const git = new Git({ gitDir: path.resolve(options.gitDir), workTree: path.resolve(options.workTree) });
  const home = findHomeOf(options.workTree);
  const settings = home === undefined ? undefined : await readHome(home);
  const redactor = createRedactor(settings?.config.redaction ?? { enabled: true, allow: [] });
  let errors = 0;
  for (const { path: file, content } of await readStagedFiles(git, { indexFile: options.index })) {
    const decoded = content === undefined ? undefined : decodeText(content);
    if (decoded?.kind !== 'text') continue;
    for (const finding of checkFile(file, decoded.text, settings?.layout ?? HOME_LAYOUT)) {
      cli.io.err(renderFinding(cli, finding));
      if (finding.severity === 'error') errors += 1;
    }
    const { findings } = await redactor.redact(decoded.text);
    for (const { rule } of findings) {
      errors += 1;
      cli.io.err(`${cli.style.red('error  ')} ${plainLine(file)} holds what looks like a secret (${rule}).\n`);
      cli.io.err('        Take it out, or allow it under redaction.allow in mneme.yaml.\n');
    }
  }
  if (errors === 0) return 0;
  cli.io.err('Nothing was committed. `git commit --no-verify` commits anyway.\n');
  return 1;
}

function renderFinding(cli: Cli, { severity, path: file, line, message, hint }: Finding): string {
  const mark = severity === 'error' ? cli.style.red('error  ') : cli.style.yellow('warning');
  return `${mark} ${plainLine(file)}:${line}: ${plain(message)}\n        ${plain(hint)}\n`;
}

/** The home a workspace folder belongs to: the nearest folder above it with a mneme.yaml. */
function findHomeOf(folder: string): string | undefined {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    if (fs.existsSync(path.join(current, CONFIG_FILE))) return current;
    if (path.dirname(current) === current) return undefined;
  }
}
