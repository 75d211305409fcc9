import type { OperationContext } from '../context.ts';
import { runLater } from '../run-later.ts';
import type { FileText, ListedFile, ListFilesInput, MeasuredText, ReadFileInput } from './files.ts';
import type { SavedFile, SaveFileInput } from './save-file.ts';

/** Whole files of the workspace, as an editor needs them: `m.files.list()`. */
export class FileVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  async list(options: ListFilesInput = {}): Promise<readonly ListedFile[]> {
    await this.#assertOpen();
    return (await runLater(async () => (await import('./files.ts')).listFiles, this.#context, options)).files;
  }

  /** To the byte, with the hash that `save` wants back. */
  async read(path: string, options: Omit<ReadFileInput, 'path'> = {}): Promise<FileText> {
    await this.#assertOpen();
    return runLater(async () => (await import('./files.ts')).readFile, this.#context, { ...options, path });
  }

  /** Refuses, with both sides, when somebody has changed the file since it was read. */
  async save(input: SaveFileInput): Promise<SavedFile> {
    await this.#assertOpen();
    return runLater(async () => (await import('./save-file.ts')).saveFile, this.#context, input);
  }

  /** How many tokens and lines a text would take. */
  async measure(text: string): Promise<MeasuredText> {
    await this.#assertOpen();
    return runLater(async () => (await import('./files.ts')).measureText, this.#context, { text });
  }
}
