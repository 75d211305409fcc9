import type * as AnthropicSdk from '@ai-sdk/anthropic';
import type * as GoogleSdk from '@ai-sdk/google';
import type * as OpenAiSdk from '@ai-sdk/openai';
import type * as CompatibleSdk from '@ai-sdk/openai-compatible';
import type * as AiSdk from 'ai';
import type { LanguageModel } from 'ai';
import { MnemeError, errorMessage } from '../../model/errors.ts';
import type { LanguageProviderName } from './port.ts';

/** The settings to call a vendor's package. */
export interface VendorSettings {
  readonly apiKey: string | undefined;
  readonly baseURL: string;
  readonly fetch: typeof fetch;
}

export interface Vendor {
  /** As people call it. */
  readonly title: string;
  readonly package: string;
  /** Undefined where only the user knows it. */
  readonly address: string | undefined;
  readonly keyVariable:
    | 'anthropic_api_key_env'
    | 'openai_api_key_env'
    | 'google_api_key_env'
    | 'compatible_api_key_env';
  /** A server of one's own often asks for none. */
  readonly isKeyRequired: boolean;
  /** Whether thinking can be asked for in words every model of the vendor understands. */
  readonly takesEffort: boolean;
  /** Whether the schema is enforced by the service; otherwise it is also said in the instructions. */
  readonly enforcesSchema: boolean;
  connect(loaded: unknown, settings: VendorSettings): (model: string) => LanguageModel;
}

/** The packages are optional, so only their types are imported. */
type Anthropic = Pick<typeof AnthropicSdk, 'createAnthropic'>;
type OpenAi = Pick<typeof OpenAiSdk, 'createOpenAI'>;
type Google = Pick<typeof GoogleSdk, 'createGoogleGenerativeAI'>;
type Compatible = Pick<typeof CompatibleSdk, 'createOpenAICompatible'>;

function keyed({ apiKey, ...rest }: VendorSettings): Omit<VendorSettings, 'apiKey'> & { apiKey?: string } {
  return apiKey === undefined ? rest : { ...rest, apiKey };
}

/** Addresses are given even where the package knows them: a stray variable must not send the key elsewhere. */
export const VENDORS: Readonly<Record<LanguageProviderName, Vendor>> = {
  anthropic: {
    title: 'Anthropic',
    package: '@ai-sdk/anthropic',
    address: 'https://api.anthropic.com/v1',
    keyVariable: 'anthropic_api_key_env',
    isKeyRequired: true,
    takesEffort: true,
    enforcesSchema: true,
    connect: (loaded, settings) => (loaded as Anthropic).createAnthropic(keyed(settings)),
  },
  openai: {
    title: 'OpenAI',
    package: '@ai-sdk/openai',
    address: 'https://api.openai.com/v1',
    keyVariable: 'openai_api_key_env',
    isKeyRequired: true,
    takesEffort: true,
    enforcesSchema: true,
    // Chat completions are not kept by the service unless it is asked to; responses are.
    connect: (loaded, settings) => {
      const provider = (loaded as OpenAi).createOpenAI(keyed(settings));
      return (model) => provider.chat(model);
    },
  },
  google: {
    title: 'Google',
    package: '@ai-sdk/google',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'google_api_key_env',
    isKeyRequired: true,
    takesEffort: true,
    enforcesSchema: true,
    connect: (loaded, settings) => (loaded as Google).createGoogleGenerativeAI(keyed(settings)),
  },
  'openai-compatible': {
    title: 'the OpenAI-compatible service',
    package: '@ai-sdk/openai-compatible',
    address: undefined,
    keyVariable: 'compatible_api_key_env',
    isKeyRequired: false,
    takesEffort: false,
    enforcesSchema: false,
    connect: (loaded, settings) =>
      (loaded as Compatible).createOpenAICompatible({
        ...keyed(settings),
        name: 'compatible',
        supportsStructuredOutputs: true,
      }),
  },
};

export type ImportPackage = (name: string) => Promise<unknown>;

/** By a name that bundlers cannot see: the packages are optional and stay outside. */
export const importInstalled: ImportPackage = (name) => import(name);

const SDK_PACKAGE = 'ai';

/** Loads the SDK and a vendor's package, or says what to install. */
export async function loadPackages(
  vendorPackage: string,
  importPackage: ImportPackage,
): Promise<{ readonly sdk: typeof AiSdk; readonly vendor: unknown }> {
  const needed = [SDK_PACKAGE, vendorPackage];
  const [sdk, vendor] = await Promise.all(needed.map((name) => load(name, needed, importPackage)));
  return { sdk: sdk as typeof AiSdk, vendor };
}

async function load(name: string, needed: readonly string[], importPackage: ImportPackage): Promise<unknown> {
  const command = `npm install ${needed.join(' ')}`;
  try {
    return await importPackage(name);
  } catch (error) {
    if (isMissing(error, name)) {
      throw new MnemeError('not-found', `The package ${name} is not installed.`, {
        hint: `Run: ${command} (with -g if mneme is installed so).`,
        cause: error,
      });
    }
    throw new MnemeError('failure', `The package ${name} cannot be loaded: ${errorMessage(error)}.`, {
      hint: `Install it again: ${command}`,
      cause: error,
    });
  }
}

/** The package itself is missing, rather than something it needs. */
function isMissing(error: unknown, name: string): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && errorMessage(error).includes(`'${name}'`);
}
