import { z } from 'zod';
import {
  address,
  choice,
  decimal,
  environmentName,
  flag,
  fraction,
  innerPath,
  integer,
  optionalInteger,
  optionalText,
  text,
  textMatching,
} from './values.ts';

/** How memories are cut, indexed, embedded and found again. */

export const index = () =>
  z
    .strictObject({
      engine: choice(
        ['sqlite', 'postgres'],
        'sqlite',
        'One file on this machine, or a PostgreSQL server shared by several.',
      ),
      path: innerPath('state/index.db', 'The SQLite file, relative to the home; it can be deleted and is rebuilt.'),
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

export const chunking = () =>
  z
    .strictObject({
      max_tokens: integer(400, 'Length a piece of text is cut to before it is indexed.', { min: 50, max: 8000 }),
      overlap_tokens: integer(80, 'Tokens repeated from the piece before, so that no sentence loses its context.', {
        max: 4000,
      }),
      respect_headings: flag(true, 'Cut at headings and paragraphs rather than in the middle of them.'),
    })
    .prefault({})
    .describe('How files are cut into pieces.');

export const embedding = () =>
  z
    .strictObject({
      provider: choice(
        ['builtin', 'static', 'onnx', 'openai', 'gemini', 'ollama', 'auto', 'none'],
        'builtin',
        'What turns text into vectors. S1 and S2 say auto; builtin needs no key, no download and sends nothing anywhere.',
      ),
      dimensions: optionalInteger(
        'Length of the vectors where the model lets one choose; null: the model’s own (S0 and S2: 1536, S1: 768).',
        { min: 8, max: 8192 },
      ),
      batch_size: integer(50, 'Texts embedded in one call (S1: 100 for OpenAI).', { min: 1, max: 2048 }),
      max_retries: integer(3, 'Attempts after a failed call.', { max: 10 }),
      timeout_ms: integer(60_000, 'Longest wait for one call.', { min: 100, max: 600_000 }),
      cache_entries: integer(10_000, 'Vectors of recent texts kept in memory; all of them are kept in the index.'),
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
          download_if_missing: flag(
            true,
            'Fetch the model when it is not on the disk; asked for only by choosing onnx.',
          ),
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
          model: text('gemini-embedding-001', 'Name of the model.'),
          api_key_env: environmentName('GEMINI_API_KEY', 'Variable with the key.'),
        })
        .prefault({})
        .describe('Google Gemini.'),
      ollama: z
        .strictObject({
          model: text('embeddinggemma', 'Name of the model; S1 loads the same one as a GGUF file.'),
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
      min_score: fraction(0.3, 'Hits scoring less are left out (S1: 0.5, which loses good answers).'),
      snippet_max_chars: integer(700, 'Length of a hit’s snippet; its text is always whole.', { min: 40, max: 20_000 }),
      hybrid: flag(true, 'Search by words and by meaning; off: by words alone.'),
      fusion: choice(
        ['weighted', 'rrf'],
        'weighted',
        'How several rankings become one: normalised sum (measured better), or reciprocal ranks.',
      ),
      rrf_k: integer(60, 'Constant of the reciprocal ranks; larger flattens them.', { min: 1, max: 10_000 }),
      weights: z
        .strictObject({
          semantic: fraction(0.31, 'Nearness in meaning (S0: 0.6, S2: 0.3).'),
          lexical: fraction(0.5, 'Words in common (S0: 0.4, S2: 0.2, far too little: see docs/retrieval.md).'),
          temporal: fraction(0.09, 'Recency, or nearness to the time asked about (S2: 0.2).'),
          importance: fraction(0.05, 'Importance of the memory (S2: 0.15).'),
          access: fraction(0.05, 'How often and how lately it was used (S2: 0.15).'),
        })
        .prefault({})
        .describe('The five factors of a hit’s score; only their ratio counts.'),
      windows: z
        .strictObject({
          passages_1: decimal(0.7, 'A turn or item by itself.', { max: 10 }),
          passages_3: decimal(0.7, 'Three in a row.', { max: 10 }),
          passages_6: decimal(0.6, 'Six in a row.', { max: 10 }),
          passages_12: decimal(0.3, 'Twelve in a row.', { max: 10 }),
        })
        .prefault({})
        .describe('The words are looked for in runs of neighbouring turns, each run weighing so much.'),
      vectors: z
        .strictObject({
          passage: decimal(1, 'A turn or item by itself.', { max: 10 }),
          neighbourhood: decimal(0.6, 'The average over it and the ones before and after it.', { max: 10 }),
          sentence_model: decimal(
            1.5,
            'How many times as much meaning counts by a sentence model as by the static table.',
            {
              max: 10,
            },
          ),
        })
        .prefault({})
        .describe('What nearness in meaning is made of.'),
      boosts: z
        .strictObject({
          speaker: fraction(0.18, 'Said by the one person the question names.'),
          phrase: fraction(0.2, 'Contains a phrase in quotation marks.'),
          entity: fraction(0.15, 'About an entity the question names; half of it for every relation between.'),
          procedure: fraction(0.1, 'A procedure, when the question asks how something is done.'),
        })
        .prefault({})
        .describe('What matches in other ways than words and meaning.'),
      episodic_weights: z
        .strictObject({
          similarity: fraction(0.7, 'Nearness to the question.'),
          importance: fraction(0.2, 'Importance of the episode.'),
          recency: fraction(0.1, 'Age of the episode.'),
        })
        .prefault({})
        .describe('Order of past episodes when episodes are asked for.'),
      recency_half_life_days: decimal(7, 'Days after which the temporal factor has halved.', { min: 0.1, max: 36_500 }),
      decay_influence: fraction(
        0.03,
        'How far a fading memory sinks at most; it is never left out (0.1 costs half a point of recall).',
      ),
      diversity: fraction(0.3, 'How strongly near-repetitions are pushed down: 0 not at all, 1 before all else.'),
      neighbour_turns: integer(1, 'Turns before and after a matching turn that are shown with it.', { max: 20 }),
      expand_query: flag(true, 'Add synonyms and aliases to the question.'),
      rerank: flag(false, 'Let a re-ranker look at the best hits again: better order, one call a question.'),
    })
    .prefault({})
    .describe('Answering a question.');

export const graph = () =>
  z
    .strictObject({
      max_depth: integer(2, 'Hops followed from an entity that a question names.', { min: 1, max: 6 }),
      max_neighbours: integer(50, 'Most edges followed from one entity, the strongest first.', { min: 1, max: 10_000 }),
      duplicate_similarity: fraction(0.9, 'Likeness from which a new fact only strengthens the known one.'),
      merge_similarity: fraction(0.9, 'Likeness of two entities from which merging them is proposed.'),
    })
    .prefault({})
    .describe('Entities, facts and relations.');

export const patterns = () =>
  z
    .strictObject({
      min_occurrences: integer(5, 'Times something has to recur before it counts as a pattern.', { min: 2, max: 1000 }),
      min_confidence: fraction(0.7, 'Confidence from which a pattern is kept.'),
      fact_min_confidence: fraction(0.8, 'Confidence from which it becomes a fact, if nothing contradicts it.'),
    })
    .prefault({})
    .describe('Habits and regularities found in episodes.');
