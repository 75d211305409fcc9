import { MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { shorten } from '../model/text.ts';
import type { CommitRequest } from './door/request.ts';
import { isControlFile } from './formats/control-files.ts';
import { coreUsage } from './formats/core.ts';
import { checkFile, type Finding } from './formats/findings.ts';
import { findObedience } from './formats/obeyed-files.ts';
import { placeOf, sensitivityOf, type Layout } from './formats/layout.ts';
import { parseDocument } from './markdown/document.ts';
import type { ProposedFile, Validator } from './registries.ts';

/** Refuses what no actor may write: the rules of DESIGN §4 step 1 that depend on the file and the actor. */
export function createPolicy(layout: Layout): Validator {
  return (file, request) => {
    refuseProtected(file, request, layout);
    if (file.after === undefined) return [];
    const added = newFindings(file, layout);
    const error = added.find((finding) => finding.severity === 'error');
    if (error !== undefined) {
      throw new MnemeError('refused', `${error.path}:${error.line}: ${error.message}`, { hint: error.hint });
    }
    refuseOverfullCore(file, request, layout);
    refuseExternalCore(file, request, layout);
    return added.map((finding) => `${finding.path}:${finding.line}: ${finding.message}`);
  };
}

/** Identity, vault and generated files have owners. */
function refuseProtected(file: ProposedFile, request: CommitRequest, layout: Layout): void {
  const { kind, store } = placeOf(file.path, layout);
  const isPerson = roleOf(request.actor) === 'human' || request.approval === 'approved';
  const isGenerating = request.actor.startsWith('system:') || request.generates?.includes(file.path) === true;
  if (kind === 'generated' && !isGenerating) {
    throw new MnemeError('refused', `${file.path} is generated from other files.`, {
      hint: 'Change the files it is made from; it follows by itself.',
    });
  }
  if (isPerson || request.actor.startsWith('system:init')) return;
  const obedience = findObedience(file.path);
  if (obedience !== undefined) {
    throw new MnemeError(
      'refused',
      `${file.path} changes only by a person's hand or with their approval: ${obedience}.`,
      {
        hint: 'Propose the change instead (a person approves it with `mneme approve`), or choose another name.',
      },
    );
  }
  // A topic is instructions to the agent: what others said must not become one by itself.
  if (
    store === 'vault' ||
    store === 'identity' ||
    store === 'topic' ||
    sensitivityOf(file.path) === 'critical' ||
    isControlFile(file.path)
  ) {
    throw new MnemeError('refused', `${file.path} changes only by a person's hand or with their approval.`, {
      hint: 'Propose the change instead; a person approves it with `mneme approve`.',
    });
  }
}

/** A file may have old faults; what counts is what this change adds. */
function newFindings(file: ProposedFile, layout: Layout): Finding[] {
  const after = file.after === undefined ? [] : checkFile(file.path, file.after, layout);
  if (after.length === 0 || file.before === undefined) return after;
  const before = new Map<string, number>();
  for (const finding of checkFile(file.path, file.before, layout)) {
    before.set(finding.code, (before.get(finding.code) ?? 0) + 1);
  }
  return after.filter((finding) => {
    const left = before.get(finding.code) ?? 0;
    before.set(finding.code, left - 1);
    return left <= 0;
  });
}

/** A person may go a little over the cap and is warned; a machine may not (§9). */
function refuseOverfullCore(file: ProposedFile, request: CommitRequest, layout: Layout): void {
  if (file.after === undefined || roleOf(request.actor) === 'human') return;
  if (placeOf(file.path, layout).kind !== 'memory') return;
  const { share } = coreUsage(parseDocument(file.after), layout.core);
  const shareBefore = file.before === undefined ? 0 : coreUsage(parseDocument(file.before), layout.core).share;
  if (share > 1 && share > shareBefore) {
    throw new MnemeError('refused', `${file.path} would be ${Math.round(share * 100)} % full.`, {
      hint: `Move or shorten something first; core memory holds ${layout.core.max_tokens} tokens and ${layout.core.max_lines} lines.`,
    });
  }
}

/** Core memory is in every prompt: what came from outside is kept elsewhere, whoever approves it. */
function refuseExternalCore({ path, before, after }: ProposedFile, { actor }: CommitRequest, layout: Layout): void {
  if (after === undefined || actor === 'external' || placeOf(path, layout).kind !== 'memory') return;
  const known = new Set((before ?? '').split('\n').filter(isMarkedExternal));
  const line = after.split('\n').find((each) => isMarkedExternal(each) && !known.has(each));
  if (line === undefined) return;
  throw new MnemeError('refused', `${path}: text of external origin does not become core memory: "${shorten(line)}".`, {
    hint: 'Keep it in another store (`mneme remember --trust external`), or write in your own words what matters of it.',
  });
}

/** Covers tool output and pasted text alike; a memory taken over from elsewhere is marked as imported. */
function isMarkedExternal(line: string): boolean {
  return /<!--[^>]*\btrust:\s?(?:external|tool)\b/u.test(line);
}
