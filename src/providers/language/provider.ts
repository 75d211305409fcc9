import type * as AiSdk from 'ai';
import type { FinishReason, LanguageModel, LanguageModelMiddleware } from 'ai';
import { MnemeError } from '../../model/errors.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { toCallError } from './call-error.ts';
import { importInstalled, loadPackages, type ImportPackage } from './packages.ts';
import type { LanguageProvider, LanguageProviderName, ModelReply, ModelRequest } from './port.ts';
import { VENDORS, type Vendor } from './vendors.ts';

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
        tokensIn: usage.inputTokens ?? 0,
        tokensOut: usage.outputTokens ?? 0,
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
