import type { z } from 'zod';
import type { Purpose, Purposes, CoreChoice, ReflectInput, Reflections, RewriteCoreInput } from '../port.ts';
import {
  checkComparison,
  checkConclusions,
  checkGate,
  checkRoute,
  checkScores,
  checkSlug,
  type Checked,
} from './guard/answers.ts';
import {
  renderComparison,
  renderCoreChoice,
  renderGate,
  renderPremises,
  renderReflection,
  renderRerank,
  renderRoute,
  renderText,
} from './render.ts';
import {
  compareAnswer,
  extractAnswer,
  gateAnswer,
  inferAnswer,
  reflectAnswer,
  rerankAnswer,
  rewriteCoreAnswer,
  routeAnswer,
  slugAnswer,
  summariseAnswer,
} from './schemas.ts';
import { cleanUpTo } from './guard/clean.ts';
import { isSupported, termsOf } from './guard/words.ts';

const MAX_SENTENCE_CHARACTERS = 300;
const MAX_QUESTIONS = 3;

/** A sentence that speaks of what it was not given is replaced by the one the figures allow. */
export function checkReflections(
  answer: z.output<typeof reflectAnswer>,
  { learned, revised, past, draft }: ReflectInput,
): Checked<Reflections> {
  const given = [...learned, ...revised, ...past, draft.learning, draft.understanding, draft.theme, ...draft.questions];
  const said = termsOf(given.join(' '));
  let dropped = 0;
  const take = (text: string): string | undefined => {
    const line = cleanUpTo(text, MAX_SENTENCE_CHARACTERS);
    if (line !== undefined && isSupported(line, said)) return line;
    if (text.trim() !== '') dropped += 1;
    return undefined;
  };
  const output = {
    learning: take(answer.learning) ?? draft.learning,
    understanding: take(answer.understanding) ?? draft.understanding,
    theme: take(answer.theme) ?? draft.theme,
    questions: [
      ...draft.questions,
      ...answer.questions.slice(0, MAX_QUESTIONS).flatMap((question) => take(question) ?? []),
    ],
  };
  return {
    output,
    notes: dropped === 0 ? [] : [`${dropped} of its sentences spoke of what is not in the memory and were dropped`],
  };
}

/** Only what was offered can be chosen. */
export function checkCoreChoice(
  { add, remove }: z.output<typeof rewriteCoreAnswer>,
  { candidates, removable }: RewriteCoreInput,
): Checked<CoreChoice> {
  const among = (ids: readonly string[], offered: readonly { readonly id: string }[]): string[] => {
    const known = new Set(offered.map(({ id }) => id));
    return [...new Set(ids.map((id) => id.replace(/^\^/u, '')))].filter((id) => known.has(id));
  };
  const output = { add: among(add, candidates), remove: among(remove, removable) };
  const dropped = add.length + remove.length - output.add.length - output.remove.length;
  return { output, notes: dropped === 0 ? [] : [`${dropped} of the lines it chose were not offered and were dropped`] };
}

/** The form of a purpose's request to a model. */
export interface TaskForm<Reply> {
  readonly schema: z.ZodType<Reply>;
  /** Thinking counts as output with every service, so even a slug gets room for some. */
  readonly maxOutputTokens: number;
  readonly effort: 'none' | 'low';
}

export const EXTRACT_FORM = { schema: extractAnswer, maxOutputTokens: 8000, effort: 'none' } as const;
export const SUMMARISE_FORM = { schema: summariseAnswer, maxOutputTokens: 4000, effort: 'low' } as const;

/** A purpose that is one question. */
interface SingleTask<P extends Purpose, Reply> extends TaskForm<Reply> {
  render(input: Purposes[P]['input']): string;
  check(reply: Reply, input: Purposes[P]['input']): Checked<Purposes[P]['output']>;
}

const route: SingleTask<'route', z.output<typeof routeAnswer>> = {
  schema: routeAnswer,
  maxOutputTokens: 2500,
  effort: 'none',
  render: renderRoute,
  check: checkRoute,
};

const compare: SingleTask<'resolve_contradiction', z.output<typeof compareAnswer>> = {
  schema: compareAnswer,
  maxOutputTokens: 2000,
  effort: 'low',
  render: renderComparison,
  check: checkComparison,
};

const infer: SingleTask<'infer', z.output<typeof inferAnswer>> = {
  schema: inferAnswer,
  maxOutputTokens: 4000,
  effort: 'low',
  render: renderPremises,
  check: checkConclusions,
};

const reflect: SingleTask<'reflect', z.output<typeof reflectAnswer>> = {
  schema: reflectAnswer,
  maxOutputTokens: 4000,
  effort: 'low',
  render: renderReflection,
  check: checkReflections,
};

const rewriteCore: SingleTask<'rewrite_core', z.output<typeof rewriteCoreAnswer>> = {
  schema: rewriteCoreAnswer,
  maxOutputTokens: 2000,
  effort: 'low',
  render: renderCoreChoice,
  check: checkCoreChoice,
};

const gate: SingleTask<'gate', z.output<typeof gateAnswer>> = {
  schema: gateAnswer,
  maxOutputTokens: 200,
  effort: 'none',
  render: renderGate,
  check: checkGate,
};

const slug: SingleTask<'slug', z.output<typeof slugAnswer>> = {
  schema: slugAnswer,
  maxOutputTokens: 1200,
  effort: 'none',
  render: ({ text }) => renderText(text),
  check: checkSlug,
};

const rerank: SingleTask<'rerank', z.output<typeof rerankAnswer>> = {
  schema: rerankAnswer,
  maxOutputTokens: 1200,
  effort: 'none',
  render: renderRerank,
  check: checkScores,
};

export type SinglePurpose = Exclude<Purpose, 'extract' | 'flush' | 'summarise'>;

/** Asks with a form, and answers undefined when no model could. */
export type AskForm = <Reply>(form: TaskForm<Reply>, input: string) => Promise<Reply | undefined>;

/** Runs the task of a purpose; which types belong together is known here and nowhere else. */
export async function runSingleTask(
  purpose: SinglePurpose,
  input: Purposes[SinglePurpose]['input'],
  ask: AskForm,
): Promise<Checked<Purposes[SinglePurpose]['output']> | undefined> {
  switch (purpose) {
    case 'route':
      return runTask(route, input as Purposes['route']['input'], ask);
    case 'resolve_contradiction':
      return runTask(compare, input as Purposes['resolve_contradiction']['input'], ask);
    case 'infer':
      return runTask(infer, input as Purposes['infer']['input'], ask);
    case 'reflect':
      return runTask(reflect, input as Purposes['reflect']['input'], ask);
    case 'rewrite_core':
      return runTask(rewriteCore, input as Purposes['rewrite_core']['input'], ask);
    case 'gate':
      return runTask(gate, input as Purposes['gate']['input'], ask);
    case 'slug':
      return runTask(slug, input as Purposes['slug']['input'], ask);
    case 'rerank':
      return runTask(rerank, input as Purposes['rerank']['input'], ask);
  }
}

async function runTask<P extends SinglePurpose, Reply>(
  task: SingleTask<P, Reply>,
  input: Purposes[P]['input'],
  ask: AskForm,
): Promise<Checked<Purposes[P]['output']> | undefined> {
  const reply = await ask(task, task.render(input));
  return reply === undefined ? undefined : task.check(reply, input);
}
