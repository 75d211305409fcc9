import type { z } from 'zod';
import type { Purpose, Purposes } from '../port.ts';
import {
  checkComparison,
  checkConclusions,
  checkGate,
  checkRoute,
  checkScores,
  checkSlug,
  type Checked,
} from './guard/answers.ts';
import { checkCoreChoice, checkReflections } from './guard/reflections.ts';
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

/** What a purpose asks of a model. */
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
