import type * as AiSdk from 'ai';
import type { FinishReason, LanguageModel, LanguageModelMiddleware } from 'ai';
import { MnemeError, errorMessage } from '../../model/errors.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import {
  type LanguageProvider,
  type LanguageProviderName,
  type ModelReply,
  type ModelRequest,
  ModelCallError,
  type CallFailure,
} from './port.ts';
import { type ImportPackage, VENDORS, type Vendor, importInstalled, loadPackages } from './vendors.ts';
import { shorten, withoutKey } from '../../model/text.ts';

/** The part of the reasoner's settings that says who is asked and how they are reached. */
export interface LanguageConfig {
  readonly base_url: string | null;
  readonly anthropic_api_key_env: string;
  readonly openai_api_key_env: string;
  readonly google_api_key_env: string;
  readonly compatible_api_key_env: string;
}

export interface LanguageDeps {
  readonly readVariable: (name: string) => string | undefined;
  readonly importPackage?: ImportPackage | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
}

/** Where a provider is reached and whether its key is there, without loading or calling anything. */
export interface Connection {
  readonly address: string | undefined;
  readonly variable: string;
  readonly key: string | undefined;
}

export function findConnection(name: LanguageProviderName, config: LanguageConfig, deps: LanguageDeps): Connection {
  const vendor = VENDORS[name];
  const variable = config[vendor.keyVariable];
  return { address: config.base_url ?? vendor.address, variable, key: deps.readVariable(variable) };
}

/** Loads the SDK for a provider. What is missing, a package, a key or an address, is an error that says what to do. */
export async function openLanguageProvider(
  name: LanguageProviderName,
  config: LanguageConfig,
  deps: LanguageDeps,
): Promise<LanguageProvider> {
  const vendor = VENDORS[name];
  const { address, variable, key } = findConnection(name, config, deps);
  if (address === undefined) {
    throw new MnemeError('usage', `reasoner.provider is ${name}, and reasoner.base_url is not set.`, {
      hint: 'Set it to the address of the service: mneme config set reasoner.base_url http://localhost:11434/v1',
    });
  }
  if (key === undefined && vendor.isKeyRequired) {
    throw new MnemeError('not-found', `There is no key for ${vendor.title}: ${variable} is not set.`, {
      hint: `Set ${variable} in the environment, or name another variable in reasoner.${vendor.keyVariable}.`,
    });
  }
  const { sdk, vendor: loaded } = await loadPackages(vendor.package, deps.importPackage ?? importInstalled);
  const call = deps.fetch ?? fetch;
  const modelNamed = vendor.connect(loaded, {
    apiKey: key,
    baseURL: address,
    // A redirect would carry the key to another address.
    fetch: (input, init) => call(input, { ...init, redirect: 'error' }),
  });
  return new SdkProvider(name, { sdk, vendor, modelNamed, key, clock: deps.clock ?? systemClock });
}

interface SdkParts {
  readonly sdk: typeof AiSdk;
  readonly vendor: Vendor;
  readonly modelNamed: (model: string) => LanguageModel;
  readonly key: string | undefined;
  readonly clock: Clock;
}

/** The SDK writes warnings to the process; what it warns of here (a model that cannot stop thinking) is expected. */
const WITHOUT_WARNINGS: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapGenerate: async ({ doGenerate }) => ({ ...(await doGenerate()), warnings: [] }),
};

class SdkProvider implements LanguageProvider {
  readonly name: LanguageProviderName;
  readonly #parts: SdkParts;

  constructor(name: LanguageProviderName, parts: SdkParts) {
    this.name = name;
    this.#parts = parts;
  }

  async generate(request: ModelRequest): Promise<ModelReply> {
    const { sdk, vendor, key, clock } = this.#parts;
    const { name, schema } = request.answer;
    try {
      const result = await sdk.generateText({
        model: this.#model(request.model),
        instructions: vendor.enforcesSchema ? request.instructions : withSchema(request.instructions, schema),
        messages: request.messages.map(({ role, text }) => ({ role, content: text })),
        // The text is read here and not by the SDK: what does not fit is sent back word by word.
        output: {
          ...sdk.Output.object({ schema: sdk.jsonSchema(schema), name }),
          parseCompleteOutput: async () => undefined,
        },
        maxOutputTokens: request.maxOutputTokens,
        ...(vendor.takesEffort ? { reasoning: request.effort } : {}),
        // Attempts are counted and paid for one by one, so they are made one by one.
        maxRetries: 0,
        abortSignal: request.signal,
      });
      const { usage } = result;
      return {
        text: result.text,
        ending: endingOf(result.finishReason),
        // Some servers count nothing and say 0: no question has no tokens.
        tokensIn: usage.inputTokens === 0 ? undefined : usage.inputTokens,
        tokensOut: usage.inputTokens === 0 ? undefined : usage.outputTokens,
      };
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      throw toCallError(error, key, clock.now());
    }
  }

  #model(name: string): LanguageModel {
    const { sdk, modelNamed } = this.#parts;
    const model = modelNamed(name);
    return typeof model === 'string' ? model : sdk.wrapLanguageModel({ model, middleware: WITHOUT_WARNINGS });
  }
}

function endingOf(reason: FinishReason): ModelReply['ending'] {
  if (reason === 'length') return 'cut';
  return reason === 'content-filter' ? 'refused' : 'complete';
}

function withSchema(instructions: string, schema: Readonly<Record<string, unknown>>): string {
  return `${instructions}\n\nThe answer is one JSON object of this schema, and nothing else:\n${JSON.stringify(schema)}`;
}

/** The parts of the SDK's error that are read; recognised by shape, because the package is optional. */
interface SdkCallError extends Error {
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly isRetryable: boolean;
}

const MAX_MESSAGE_CHARACTERS = 200;

/** Turns an error of a call into one that says what can be done about it; the message never contains the key. */
export function toCallError(error: unknown, secret: string | undefined, nowMs: number): ModelCallError {
  const given = withoutKey(describe(error), secret).trim().replace(/\.$/u, '');
  const message = given === '' ? 'no reason given' : shorten(given, MAX_MESSAGE_CHARACTERS);
  if (!isSdkCallError(error)) {
    // Without a status nothing was answered; the network's own errors come as they are.
    const isNetwork = error instanceof TypeError || (error instanceof Error && error.cause instanceof Error);
    const failure = isNetwork ? 'unreachable' : 'garbled';
    return new ModelCallError(failure, message, { isPassing: true, cause: error });
  }
  const { failure, isPassing } = sort(error);
  const retryAfterMs = isPassing ? readRetryAfterMs(error.responseHeaders ?? {}, nowMs) : undefined;
  return new ModelCallError(failure, withStatus(message, error.statusCode), { isPassing, retryAfterMs, cause: error });
}

function isSdkCallError(error: unknown): error is SdkCallError {
  return error instanceof Error && error.name === 'AI_APICallError' && 'isRetryable' in error;
}

function sort({ statusCode, responseBody = '', isRetryable }: SdkCallError): {
  failure: CallFailure;
  isPassing: boolean;
} {
  if (statusCode === undefined) return { failure: 'unreachable', isPassing: isRetryable };
  if (statusCode < 400) return { failure: 'garbled', isPassing: true };
  if (statusCode === 401 || statusCode === 403) return { failure: 'unauthorized', isPassing: false };
  // An empty account is answered with 429 too; waiting does not fill it.
  if (statusCode === 402 || responseBody.includes('insufficient_quota')) {
    return { failure: 'out-of-credit', isPassing: false };
  }
  if (statusCode === 429) return { failure: 'rate-limited', isPassing: true };
  if (statusCode === 408 || statusCode >= 500) return { failure: 'unavailable', isPassing: true };
  return { failure: 'rejected', isPassing: false };
}

/** Milliseconds, seconds or a date. */
function readRetryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (!Number.isNaN(exact)) return Math.max(0, exact);
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const milliseconds = /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** fetch says only "fetch failed"; what happened is in the cause. */
function describe(error: unknown): string {
  const isBare = error instanceof TypeError && error.cause !== undefined;
  return errorMessage(isBare ? error.cause : error);
}

function withStatus(message: string, status: number | undefined): string {
  return status === undefined || status < 400 ? message : `${status}, ${message}`;
}
