import path from 'node:path';
import { parseActor } from './model/mutation.ts';
import { systemClock } from './platform/clock.ts';
import { readEnvironment } from './platform/environment.ts';
import { systemRandom } from './platform/random.ts';
import { readHome } from './workspace/home.ts';
import { createPolicy } from './workspace/policy.ts';
import { Workspace, type WorkspaceParts } from './workspace/workspace.ts';
import { Proposals } from './proposals/proposals.ts';
import { AuditTrail } from './audit/trail.ts';
import type { OperationContext } from './operations/context.ts';
import { runOperation } from './operations/operation.ts';
import { remember, type Remembered, type RememberInput } from './operations/remember.ts';

export interface OpenOptions {
  /** The home; `MNEME_HOME` or `~/.mneme` when not given. */
  readonly home?: string | undefined;
  /** On whose behalf writes are made; the main agent when not given. */
  readonly actor?: string | undefined;
  /** Look for edits made outside while nobody was watching. On by default. */
  readonly scan?: boolean | undefined;
  /** Replaceable parts, for tests. */
  readonly parts?: WorkspaceParts | undefined;
}

/** An open home. Every verb of the library is a method here. */
export class Mneme {
  readonly context: OperationContext;

  private constructor(context: OperationContext) {
    this.context = context;
  }

  /** Opens a home: configuration, workspace, proposals, audit, in the order data flows through them. */
  static async open(options: OpenOptions = {}): Promise<Mneme> {
    const home = path.resolve(options.home ?? readEnvironment().home);
    const { config, findings, paths, layout, settings } = await readHome(home);
    const clock = options.parts?.clock ?? systemClock;
    const random = options.parts?.random ?? systemRandom;
    const workspace = await Workspace.open(paths, settings, options.parts);
    workspace.registries.validators.push(createPolicy(layout));
    const proposals = new Proposals({ workspace, clock, random, config });
    workspace.registries.conflictHandlers.push((report) => proposals.fileConflict(report));
    const audit = new AuditTrail({ workspace, clock, config });
    workspace.registries.listeners.push((acknowledged) => audit.record(acknowledged));
    const notices = findings.map(({ message }) => message);
    if (options.scan !== false) notices.push(...(await workspace.scan()));
    const actor = parseActor(options.actor ?? 'bot:main');
    return new Mneme({ home, config, layout, workspace, proposals, audit, clock, random, actor, notices });
  }

  remember(text: string, options: Omit<RememberInput, 'text'> = {}): Promise<Remembered> {
    return runOperation(remember, this.context, { ...options, text });
  }

  /** Brings git in step and lets go of the home. */
  async close(): Promise<void> {
    await this.context.workspace.close();
  }
}

/** Opens a home that `mneme init` made. */
export function openMneme(options: OpenOptions = {}): Promise<Mneme> {
  return Mneme.open(options);
}
