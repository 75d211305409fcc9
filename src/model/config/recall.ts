import { z } from 'zod';
import {
  address,
  choice,
  environmentName,
  flag,
  fraction,
  integer,
  optionalInteger,
  optionalText,
  text,
  textMatching,
} from './values.ts';

/** Settings for how memories are indexed, embedded and found again. */

export const index = () =>
  z
    .strictObject({
      engine: choice(
        ['sqlite', 'postgres'],
        'sqlite',
        'One file on this machine, or a PostgreSQL server shared by several.',
      ),
      postgres_url_env: environmentName(
        'MNEME_POSTGRES_URL',
        'Variable with the PostgreSQL address, password included.',
      ),
      postgres_schema: textMatching(
        /^[a-z_][a-z0-9_]{0,62}$/,
        'a name of small letters, digits and underscores',
        'mneme',
        'PostgreSQL schema that holds the tables.',
      ),
      postgres_namespace: optionalText(
        'Whose memory this is on the server, such as team/ana/main: machines that share a memory share the name. Needed with postgres.',
      ),
      postgres_timeout_ms: integer(15_000, 'Past this a statement is stopped and this machine’s own index answers.', {
        min: 100,
        max: 600_000,
      }),
      postgres_writer_lease: flag(
        false,
        'Only the machine that holds the lease applies what agents write; on the others it waits as a proposal. People always write.',
      ),
      postgres_connections: integer(4, 'Connections a process holds to the server at most.', { min: 1, max: 100 }),
    })
    .prefault({})
    .describe('The derived index.');

export const embedding = () =>
  z
    .strictObject({
      provider: choice(
        ['builtin', 'static', 'onnx', 'openai', 'gemini', 'ollama', 'auto', 'none'],
        'builtin',
        'What turns text into vectors; builtin needs no key, no download and sends nothing anywhere. Change it for languages other than English.',
      ),
      dimensions: optionalInteger(
        'Length of the vectors where a service lets one choose, shorter for a smaller index; null: the model’s own.',
        { min: 8, max: 8192 },
      ),
      builtin: z
        .strictObject({
          model: optionalText(
            'Folder of another model that `training/` of the repository exported, relative to the home; null: the one in the package.',
          ),
        })
        .prefault({})
        .describe('The model in the package, run by a WebAssembly kernel: nothing to install.'),
      onnx: z
        .strictObject({
          model: text('sentence-transformers/all-MiniLM-L6-v2', 'A folder, or a model’s name on the hub.'),
        })
        .prefault({})
        .describe('Sentence-transformer models run on this machine.'),
      openai: z
        .strictObject({
          model: text('text-embedding-3-small', 'Name of the model.'),
          base_url: address('https://api.openai.com/v1', 'Address of OpenAI or of a service that speaks its protocol.'),
          api_key_env: environmentName('OPENAI_API_KEY', 'Variable with the key.'),
        })
        .prefault({})
        .describe('OpenAI and services that speak its protocol.'),
      gemini: z
        .strictObject({
          model: text('gemini-embedding-001', 'Name of the model; the key is in GEMINI_API_KEY.'),
        })
        .prefault({})
        .describe('Google Gemini.'),
      ollama: z
        .strictObject({
          model: text('embeddinggemma', 'Name of the model.'),
          base_url: address('http://127.0.0.1:11434', 'Address of the Ollama server.'),
        })
        .prefault({})
        .describe('A local Ollama server.'),
    })
    .prefault({})
    .describe('Vectors for search by meaning.');

export const search = () =>
  z
    .strictObject({
      default_results: integer(10, 'Hits returned when the caller names no number.', { min: 1, max: 1000 }),
      max_results: integer(20, 'Most hits a caller may ask for; a token budget is not capped.', { min: 1, max: 1000 }),
      min_score: fraction(0.3, 'Hits scoring less are left out: higher is stricter.'),
      rerank: flag(
        false,
        'Let the language model of `reasoner.provider` order the best hits of a recall: better order, one call a question.',
      ),
    })
    .prefault({})
    .describe('Answering a question.');
