import { type Embedder, normalize } from '../../../providers/embeddings/port.ts';
import type { IndexedDocument, Passage } from '../../passage.ts';
import type { IndexedModel } from '../model.ts';

function passageOf(text: string, number: number, day: string): Passage {
  return {
    id: `item-${number}`,
    text,
    lead: 'Notes',
    day,
    startLine: number,
    endLine: number,
    type: 'note',
    timeMs: undefined,
    speaker: undefined,
    turn: undefined,
    session: undefined,
    source: 'user-explicit',
    trust: 'user',
    importance: undefined,
    confidence: undefined,
    tags: [],
    entities: [],
  };
}

export function documentOf(path: string, texts: readonly string[], days: readonly string[] = []): IndexedDocument {
  return {
    source: 'workspace',
    path,
    hash: texts.join('|'),
    store: 'episodic',
    scope: 'shared',
    isArchived: false,
    title: path,
    session: undefined,
    passages: texts.map((text, number) => passageOf(text, number, days[number] ?? '')),
    entity: undefined,
  };
}

/** Vectors from the letters of a text; keeps the batches it was asked for. */
export class LetterEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions = 8;
  readonly maxTokens = 100;
  readonly languages = undefined;
  readonly batches: (readonly string[])[] = [];
  /** Called before a batch is embedded, with its number. */
  onBatch: (number: number) => void = () => undefined;

  constructor(id = 'letters:8') {
    this.id = id;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.batches.push(texts);
    this.onBatch(this.batches.length);
    return texts.map((text) => {
      const vector = new Float32Array(this.dimensions);
      for (const letter of text) {
        const at = (letter.codePointAt(0) ?? 0) % this.dimensions;
        vector[at] = (vector[at] ?? 0) + 1;
      }
      return normalize(vector);
    });
  }

  async close(): Promise<void> {
    this.batches.length = 0;
  }
}

export function modelOf(embedder: Embedder, batchSize = 2): IndexedModel {
  return { embedder, batchSize, withDay: false, isInstant: false, isBundled: false };
}
