import type { Section } from './fill/layout.ts';
import type { SpokenTurn } from './piece.ts';
import type { Briefing } from './receipt.ts';
import { SLOT_OF } from './slots.ts';

export const FORMATS = ['text', 'anthropic', 'openai', 'json'] as const;

interface CacheControl {
  readonly cache_control?: { readonly type: 'ephemeral' };
}

interface TextBlock extends CacheControl {
  readonly type: 'text';
  readonly text: string;
}

/** The `system` and `messages` of a request to Anthropic's API. */
export interface AnthropicMessages {
  readonly system: readonly TextBlock[];
  readonly messages: readonly { readonly role: SpokenTurn['role']; readonly content: readonly TextBlock[] }[];
}

/** The `messages` of a request to OpenAI's API, and to the many that speak like it. */
export interface OpenAiMessages {
  readonly messages: readonly { readonly role: 'system' | SpokenTurn['role']; readonly content: string }[];
}

type Compiled = Pick<Briefing, 'sections' | 'turns'>;

const EPHEMERAL: CacheControl = { cache_control: { type: 'ephemeral' } };

/**
 * The part that seldom changes is the system prompt, with a breakpoint where a cache may hold. The recall for this message
 * stands before the message itself: in the system prompt it would make the whole conversation new to the cache.
 */
export function toAnthropic({ sections, turns }: Compiled, message: string): AnthropicMessages {
  const { standing, recalled } = divide(sections);
  const system = joinUpToBreakpoints(standing);
  const said = alternate(turns);
  const history = said.map(({ role, text }, at) => ({
    role,
    content: [{ type: 'text', text, ...(at === said.length - 1 ? EPHEMERAL : {}) } as const],
  }));
  const content = [recalled, message]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ type: 'text', text }) as const);
  return { system, messages: content.length === 0 ? history : [...history, { role: 'user', content }] };
}

/** Providers of this kind cache by themselves whatever begins alike. */
export function toOpenAi({ sections, turns }: Compiled, message: string): OpenAiMessages {
  const { standing, recalled } = divide(sections);
  const system = standing.map(({ text }) => text).join('\n');
  const content = [recalled, message].filter((text) => text.trim() !== '').join('\n\n');
  return {
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...alternate(turns).map(({ role, text }) => ({ role, content: text })),
      ...(content === '' ? [] : [{ role: 'user', content } as const]),
    ],
  };
}

/** Everything that was compiled for this message alone is P2 and P3; the conversation comes as messages. */
function divide(sections: readonly Section[]): { readonly standing: readonly Section[]; readonly recalled: string } {
  const slotOf = ({ tag }: Section): string => (tag === 'preamble' ? 'P0' : SLOT_OF[tag]);
  const recalled = sections.filter((section) => ['P2', 'P3'].includes(slotOf(section)));
  const standing = sections.filter((section) => ['P0', 'P1'].includes(slotOf(section)));
  return { standing, recalled: recalled.map(({ text }) => text).join('\n') };
}

function joinUpToBreakpoints(standing: readonly Section[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: string[] = [];
  for (const { text, isBreakpoint } of standing) {
    open.push(text);
    if (!isBreakpoint) continue;
    blocks.push({ type: 'text', text: open.join('\n'), ...EPHEMERAL });
    open = [];
  }
  return open.length === 0 ? blocks : [...blocks, { type: 'text', text: open.join('\n') }];
}

/** Turns of one side in a row are one message, and the first is the user's: the APIs want it so. */
function alternate(turns: readonly SpokenTurn[]): SpokenTurn[] {
  const messages: SpokenTurn[] = [];
  for (const { role, text } of turns) {
    const last = messages.at(-1);
    if (last?.role === role) messages[messages.length - 1] = { role, text: `${last.text}\n\n${text}` };
    else messages.push({ role, text });
  }
  return messages[0]?.role === 'assistant' ? [{ role: 'user', text: '…' }, ...messages] : messages;
}
