import { SessionRecords } from '../../capture/session-record.ts';
import { compile, type Compiled } from '../../compile/compiler.ts';
import { projectOf, type Project } from '../../compile/project.ts';
import { CHARACTERS, openCounter } from '../../compile/tokens/open-counter.ts';
import type { CompileRequest, World } from '../../compile/world.ts';
import { isMutationId } from '../../model/ids.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import type { OperationContext } from '../context.ts';

/** Compiles in the world it is given, and counts as the caller says. */
export async function compileIn(
  context: OperationContext,
  world: World,
  request: Omit<CompileRequest, 'receipt'>,
  model: string | undefined,
): Promise<Compiled> {
  const { workspace } = context;
  const { counter, notes } = await openCounter(model ?? (request.event === undefined ? null : CHARACTERS));
  const state = { mutation: lastMutation(context, world), journalEnd: workspace.journalEnd };
  const receipt = context.parts.receiptIds.next(context.clock.now());
  const parts = { counter, redactor: workspace.redactor };
  const compiled = await compile({ ...request, receipt }, world, parts, state);
  const { briefing } = compiled;
  return { ...compiled, briefing: { ...briefing, notes: [...notes, ...briefing.notes] } };
}

export function projectFor(
  context: OperationContext,
  given: string | readonly string[] | undefined,
): Project | undefined {
  return projectOf([given ?? []].flat(), (turn) => projectOfTurn(context, turn));
}

/** The project a conversation took place in, as its record or its transcript says. */
function projectOfTurn(
  { homeIndex, workspace }: OperationContext,
  { document, session }: StoredPassage,
): string | undefined {
  if (document.source === 'live') {
    return session && new SessionRecords(nodeFileSystem, workspace.paths.journal).find(session)?.project;
  }
  const head = homeIndex.files.read(document)?.text.slice(0, MAX_HEAD_CHARS) ?? '';
  const frontmatter = /^---\n([\s\S]*?)\n---\n/u.exec(head)?.[1] ?? '';
  return /^project: (['"]?)(.+?)\1$/mu.exec(frontmatter)?.[2];
}

/** Frontmatter with the changes of a long session is not much longer. */
const MAX_HEAD_CHARS = 20_000;

/** The last change that could be seen; of the past, the last one before it. */
function lastMutation({ audit }: OperationContext, { isPast, nowMs }: World): string | null {
  const [last] = isPast ? audit.query({ limit: 1, untilMs: nowMs + 1 }) : audit.query({ limit: 1 });
  const reference = last?.reference;
  return reference !== undefined && isMutationId(reference) ? reference : null;
}
