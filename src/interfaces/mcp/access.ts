import { MnemeError } from '../../model/errors.ts';
import { asAgent, roleOf, type Actor } from '../../model/mutation.ts';
import { scopeCanSee, type Scope } from '../../model/provenance.ts';

/** `proposer` turns every write into a proposal; `read-only` does not even list a tool that writes. */
export const MCP_MODES = ['full', 'proposer', 'read-only'] as const;
export type McpMode = (typeof MCP_MODES)[number];

/** The rights of one client, and its actor: always an agent (`asAgent`). */
export interface Access {
  readonly mode: McpMode;
  readonly actor: Actor;
  /** Set where a client is confined: it sees what is shared and what belongs to this scope. */
  readonly scope?: Scope | undefined;
}

const USUAL_ACTORS: Readonly<Record<McpMode, Actor>> = {
  full: 'bot:main',
  proposer: 'subagent:mcp',
  'read-only': 'reader:mcp',
};

/** The highest mode that the actor's role allows. */
export function modeOf(actor: Actor): McpMode {
  const role = roleOf(actor);
  if (role === 'reader') return 'read-only';
  return role === 'subagent' ? 'proposer' : 'full';
}

/**
 * The access of somebody who was given a mode, an actor, both or neither. An actor never gets more than its role
 * allows; asking for more in so many words is refused rather than quietly reduced.
 */
export function resolveAccess(given: {
  readonly mode?: McpMode | undefined;
  readonly actor?: Actor | undefined;
  readonly usualMode: McpMode;
}): Access {
  if (given.actor === undefined) {
    const mode = given.mode ?? given.usualMode;
    return { mode, actor: USUAL_ACTORS[mode] };
  }
  const actor = asAgent(given.actor);
  const most = modeOf(actor);
  if (given.mode !== undefined && narrower(given.mode, most) !== given.mode) {
    throw new MnemeError('usage', `${actor} may not be served in ${given.mode} mode.`, {
      hint: `Its role allows --mode ${most}.`,
    });
  }
  return { mode: given.mode ?? narrower(given.usualMode, most), actor };
}

export function narrower(one: McpMode, other: McpMode): McpMode {
  return MCP_MODES.indexOf(one) > MCP_MODES.indexOf(other) ? one : other;
}

/** The scope a call works in: the one it names, unless its client is confined to another. */
export function scopeFor({ scope: own }: Access, named: string | undefined): string | undefined {
  if (own === undefined || named === undefined || scopeCanSee(own, named as Scope)) return named ?? own;
  throw new MnemeError('refused', `This client works in ${own} and does not see ${named}.`, {
    hint: 'Leave out scope.',
  });
}

/** The scope something is written to. A confined client may read what is shared and does not add to it. */
export function writingScope(access: Access, named: string | undefined): string | undefined {
  const { scope: own } = access;
  if (own === undefined || own === 'shared' || named !== 'shared') return scopeFor(access, named);
  throw new MnemeError('refused', `This client writes into ${own}, not into what is shared.`, {
    hint: `Leave out scope to keep it in ${own}; what all should know is for a person or the main agent to write.`,
  });
}
