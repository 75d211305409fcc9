import { z } from 'zod';
import { systemCode } from '../../model/errors.ts';
import { nodeFileSystem, replaceFile } from '../../platform/fs.ts';
import type { Embedder } from '../../providers/embeddings/port.ts';
import { dequantize, quantize } from '../../search-index/vectors/quantize.ts';
import { noteOf } from '../port.ts';
import type { WatchedTopic } from '../topic-file.ts';
import { parseJson } from '../../model/records.ts';

/** The vectors of a topic: of the whole note, and of each line of its playbook. */
export interface NoteVector {
  readonly whole: Float32Array;
  readonly lines: readonly Float32Array[];
}

const fileSchema = z.object({
  model: z.string(),
  /** By the hash of the topic's file: each vector's scale and codes, the whole note first. */
  notes: z.record(z.string(), z.array(z.tuple([z.number(), z.base64()]))),
});

export interface NoteVectorsPlace {
  /** `state/topic-vectors.json`: derived, made again when it is missing or of another model. */
  readonly file: string;
  /** Hashes of all topics of the home; the vectors of others are dropped. */
  readonly present: () => ReadonlySet<string>;
}

/** Making the vectors of a note takes up to a tenth of a second, so they are kept from process to process. */
export class NoteVectors {
  readonly #embedder: Embedder;
  readonly #place: NoteVectorsPlace | undefined;
  readonly #known = new Map<string, NoteVector>();
  #isRead = false;

  /** Without a place nothing outlasts the process. */
  constructor(embedder: Embedder, place?: NoteVectorsPlace) {
    this.#embedder = embedder;
    this.#place = place;
  }

  find({ contentHash }: Pick<WatchedTopic, 'contentHash'>): NoteVector | undefined {
    if (!this.#isRead) this.#read();
    return this.#known.get(contentHash);
  }

  async ofMessage(text: string): Promise<Float32Array> {
    const [vector] = await this.#embedder.embed([text], 'query');
    return vector ?? new Float32Array(this.#embedder.dimensions);
  }

  /** Makes what is missing for these topics and keeps it. */
  async make(topics: readonly WatchedTopic[]): Promise<void> {
    const missing = topics.filter((topic) => this.find(topic) === undefined);
    for (const topic of missing) {
      const { text, lines } = noteOf(topic);
      const [whole, ...rest] = await this.#embedder.embed([text, ...lines], 'document');
      if (whole !== undefined) this.#known.set(topic.contentHash, { whole, lines: rest });
    }
    if (missing.length > 0) this.#write();
  }

  #read(): void {
    this.#isRead = true;
    const text = this.#place === undefined ? undefined : nodeFileSystem.read(this.#place.file)?.toString('utf8');
    const { model, notes = {} } = fileSchema.safeParse(text === undefined ? undefined : parseJson(text)).data ?? {};
    if (model !== this.#embedder.id) return;
    const kept = this.#place?.present();
    for (const [hash, stored] of Object.entries(notes)) {
      if (kept?.has(hash) !== true) continue;
      const [whole, ...lines] = stored.map(([scale, codes]) =>
        dequantize({ codes: new Int8Array(Buffer.from(codes, 'base64')), scale }),
      );
      if (whole?.length === this.#embedder.dimensions) this.#known.set(hash, { whole, lines });
    }
    // Of what was deleted or erased, nothing is left behind.
    if (this.#known.size < Object.keys(notes).length) this.#write();
  }

  /** A home that cannot be written is read all the same: the vectors are then made again by the next process. */
  #write(): void {
    if (this.#place === undefined) return;
    const { file, present } = this.#place;
    const kept = present();
    const notes = [...this.#known]
      .filter(([hash]) => kept.has(hash))
      .map(([hash, { whole, lines }]) => [
        hash,
        [whole, ...lines].map((vector) => {
          const { codes, scale } = quantize(vector);
          return [scale, Buffer.from(codes.buffer).toString('base64')];
        }),
      ]);
    try {
      replaceFile(file, JSON.stringify({ model: this.#embedder.id, notes: Object.fromEntries(notes) }));
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
    }
  }
}
