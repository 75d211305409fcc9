/**
 * The parts of OpenClaw's plugin API that Mneme touches, as its documentation describes them (2026.9). Whatever is
 * optional there is optional here: an older or newer host that lacks something loses that part only.
 */

export interface HostLogger {
  readonly info?: ((message: string) => void) | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

/** A message of an agent's conversation. */
export interface HostMessage {
  readonly role?: string | undefined;
  readonly content?: unknown;
  readonly timestamp?: number | undefined;
  readonly toolName?: string | undefined;
}

export interface HostToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly details: unknown;
}

export interface HostTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly execute: (callId: string, params: unknown) => Promise<HostToolResult>;
}

/** The run that a hook belongs to. */
export interface HookContext {
  readonly sessionId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly agentId?: string | undefined;
}

export interface HookEvent {
  readonly prompt?: string | undefined;
  readonly currentUserMessage?: string | undefined;
  readonly messages?: readonly HostMessage[] | undefined;
  readonly sessionId?: string | undefined;
  readonly sessionKey?: string | undefined;
}

export interface PromptAddition {
  readonly prependContext: string;
}

type HookHandler = (event: HookEvent, context: HookContext) => Promise<PromptAddition | undefined>;

export interface MemorySearchResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly vectorScore: number;
  readonly textScore: number;
  readonly snippet: string;
  readonly source: 'memory' | 'sessions';
  readonly citation: string;
  readonly provenance: { readonly trust: string; readonly date: string | null; readonly id: string };
}

export interface MemorySearchManager {
  search(
    query: string,
    options?: { readonly maxResults?: number; readonly minScore?: number },
  ): Promise<readonly MemorySearchResult[]>;
  readFile(params: { readonly relPath: string; readonly from?: number; readonly lines?: number }): Promise<ReadText>;
  status(): Readonly<Record<string, unknown>>;
  sync(): Promise<void>;
  probeEmbeddingAvailability(): Promise<{ readonly ok: boolean; readonly error?: string }>;
  probeVectorAvailability(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ReadText {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly lines: number;
  readonly truncated: boolean;
  readonly nextFrom?: number | undefined;
}

export interface MemoryCapability {
  readonly promptBuilder: (params: { readonly availableTools: ReadonlySet<string> }) => string[];
  readonly runtime: {
    readonly getMemorySearchManager: () => Promise<{
      readonly manager: MemorySearchManager | null;
      readonly error?: string;
    }>;
    readonly resolveMemoryBackendConfig: () => { readonly backend: 'builtin' };
    readonly closeAllMemorySearchManagers: () => Promise<void>;
  };
  readonly recallToolNames: readonly string[];
}

export interface SessionParams {
  readonly sessionId: string;
  readonly sessionKey?: string | undefined;
}

export interface ContextEngine {
  readonly info: {
    readonly id: string;
    readonly name: string;
    readonly ownsCompaction: false;
    /** Without this declaration and `commitTurn` the host uses an engine for no turn. */
    readonly transcriptSemantics: {
      readonly currentTurnFence: 'before-current-turn-entry-v1';
      readonly turnAdvancementIdempotency: 'atomic-idempotent-v1';
    };
  };
  /** Takes in the turn that was accepted; the key is the same when the host tries again. */
  commitTurn(
    params: SessionParams & { readonly advancementKey: string; readonly messages: readonly HostMessage[] },
  ): Promise<{ readonly status: 'committed' | 'duplicate' }>;
  bootstrap(params: SessionParams): Promise<{ readonly bootstrapped: boolean; readonly reason?: string }>;
  ingest(params: SessionParams & { readonly message: HostMessage }): Promise<{ readonly ingested: boolean }>;
  afterTurn(
    params: SessionParams & {
      readonly messages: readonly HostMessage[];
      readonly prePromptMessageCount?: number | undefined;
      readonly isHeartbeat?: boolean | undefined;
    },
  ): Promise<void>;
  assemble(
    params: SessionParams & {
      readonly messages: readonly HostMessage[];
      readonly tokenBudget?: number | undefined;
      readonly prompt?: string | undefined;
    },
  ): Promise<{
    readonly messages: readonly HostMessage[];
    readonly estimatedTokens: number;
    readonly systemPromptAddition?: string;
  }>;
  compact(params: SessionParams): Promise<unknown>;
  dispose(): Promise<void>;
}

interface CliDescriptor {
  readonly name: string;
  readonly description: string;
  readonly hasSubcommands: boolean;
}

/** As much of commander as a command needs. */
export interface HostCommand {
  command(usage: string): HostCommand;
  description(text: string): HostCommand;
  option(flags: string, text: string): HostCommand;
  action(run: (words: readonly string[], options: Readonly<Record<string, unknown>>) => Promise<void>): HostCommand;
}

export interface PluginApi {
  readonly pluginConfig?: unknown;
  readonly config?: unknown;
  readonly logger?: HostLogger | undefined;
  readonly registerTool?: ((tool: HostTool) => void) | undefined;
  readonly registerMemoryCapability?: ((capability: MemoryCapability) => void) | undefined;
  readonly registerCli?:
    | ((
        registrar: (host: { readonly program: HostCommand }) => void,
        options: { readonly descriptors: readonly CliDescriptor[] },
      ) => void)
    | undefined;
  readonly registerContextEngine?: ((id: string, factory: () => ContextEngine) => void) | undefined;
  readonly on?: ((hook: string, handler: HookHandler, options?: { readonly timeoutMs: number }) => void) | undefined;
}
