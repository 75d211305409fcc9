import path from 'node:path';
import { compileIn } from '../../src/operations/briefing/compile-briefing.ts';
import { openWorld } from '../../src/operations/briefing/world.ts';
import type { CompileRequest, World } from '../../src/compile/world.ts';
import type { Conversation, LabelledQuestion } from '../retrieval/conversations.ts';
import { cutToBudget, evidenceRecall } from '../retrieval/measure.ts';
import { ConversationHome } from '../retrieval/system.ts';
import type { Tier } from '../retrieval/tiers.ts';
import { fixtureFiles, SlotFill, storeFiles, writeFixture } from './fixture.ts';

/** Budgets, and how much of the fixture stands in the prompt at each. */
export const BUDGETS = [
  { tokens: 4000, share: 0.5 },
  { tokens: 8000, share: 1 },
] as const;

type Request = Omit<CompileRequest, 'receipt'>;

/** A part taken away, or added. */
export interface Ablation {
  readonly name: string;
  readonly world: (world: World) => World;
  readonly request: (request: Request, conversation: Conversation, prefix: string) => Request;
}

const sameWorld = (world: World): World => world;
const sameRequest = (request: Request): Request => request;

export const ABLATIONS: readonly Ablation[] = [
  {
    name: 'without P0 (identity)',
    world: (world) => ({
      ...world,
      readFile: async (file) => (file === 'MEMORY.md' ? world.readFile(file) : undefined),
    }),
    request: sameRequest,
  },
  {
    name: 'without P1 (core)',
    world: sameWorld,
    request: (request) => ({ ...request, isMainSession: false }),
  },
  {
    name: 'without projects and procedures',
    world: (world) => ({ ...world, listActiveEntities: () => Promise.resolve([]), listProcedures: () => [] }),
    request: sameRequest,
  },
  { name: 'without P3 (knowledge)', world: sameWorld, request: (request) => ({ ...request, message: '' }) },
  {
    name: 'with P4 (the last session going on)',
    world: sameWorld,
    request: (request, { sessions }, prefix) => ({ ...request, session: `${prefix}${sessions.at(-1)?.id ?? ''}` }),
  },
];

/** Sums over questions; in percent when they are read. */
export class RecallScores {
  #questions = 0;
  readonly #sums = new Map<number, number>();
  readonly #tokens = new Map<number, number>();
  readonly slots = new Map(BUDGETS.map(({ tokens }) => [tokens, new SlotFill()] as const));

  add(budget: number, recall: number, tokens: number): void {
    if (budget === BUDGETS[0].tokens) this.#questions += 1;
    this.#sums.set(budget, (this.#sums.get(budget) ?? 0) + recall);
    this.#tokens.set(budget, (this.#tokens.get(budget) ?? 0) + tokens);
  }

  get questions(): number {
    return this.#questions;
  }

  recall(): Record<string, number> {
    const percent = (sum: number): number => Math.round((sum / Math.max(1, this.#questions)) * 1000) / 10;
    return Object.fromEntries([...this.#sums].map(([budget, sum]) => [budget, percent(sum)]));
  }

  meanTokens(): Record<string, number> {
    return Object.fromEntries(
      [...this.#tokens].map(([budget, sum]) => [budget, Math.round(sum / Math.max(1, this.#questions))]),
    );
  }
}

/** Every question of a conversation through the compiler, at every budget. */
export async function scoreConversation(
  conversation: Conversation,
  tier: Tier,
  scores: RecallScores,
  ablated: ReadonlyMap<Ablation, RecallScores>,
): Promise<void> {
  const home = await ConversationHome.build(conversation, tier);
  try {
    for (const { tokens, share } of BUDGETS) {
      const stores = storeFiles(conversation.questions.map(({ text }) => text));
      writeFixture(path.join(home.folder, 'workspace'), { ...fixtureFiles(share), ...stores });
      await home.mneme.internals.workspace.scan();
      for (const question of conversation.questions) {
        const told = await home.mneme.context(question.text, { budget: tokens });
        scores.add(tokens, recallIn(told.prompt, tokens, question), told.tokens);
        scores.slots.get(tokens)?.add(told);
        for (const [ablation, own] of ablated) {
          const { prompt, tokens: cost } = await compileAblated(home, conversation, ablation, question, tokens);
          own.add(tokens, recallIn(prompt, tokens, question), cost);
        }
      }
    }
  } finally {
    await home.close();
  }
}

/** Four characters are a token here: what the compiler counts as less must not flatter it. */
function recallIn(prompt: string, tokens: number, question: LabelledQuestion): number {
  return evidenceRecall(cutToBudget([prompt], tokens), question);
}

async function compileAblated(
  { mneme, prefix }: ConversationHome,
  conversation: Conversation,
  ablation: Ablation,
  question: LabelledQuestion,
  budget: number,
): Promise<{ readonly prompt: string; readonly tokens: number }> {
  const request: Request = {
    message: question.text,
    budget,
    preset: 'dense',
    scope: 'shared',
    isMainSession: true,
    isDry: true,
    event: undefined,
    system: undefined,
    response: undefined,
    maxChars: undefined,
    session: undefined,
    source: undefined,
    project: undefined,
    told: undefined,
  };
  const world = ablation.world(await openWorld(mneme.internals));
  const asked = ablation.request(request, conversation, prefix);
  const { briefing } = await compileIn(mneme.internals, world, asked, undefined);
  return briefing;
}
